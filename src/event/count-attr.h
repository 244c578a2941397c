/*
 * count-attr.h - from what stat was asked for to the complete attr of each event.
 *
 * An event that is counted has no samples and no records: only where it counts, when it begins, and
 * what it tells when it is read. The attrs are those of perf's stat. Clocks and times get their
 * units, too.
 */
#pragma once

#include <stdbool.h>

struct eventlist;

struct count_attr_options {
	bool starts_at_exec; /* a command is counted from its first instruction on */
	bool no_inherit;     /* not what the target starts */
	bool all_user, all_kernel;
	bool is_recorded; /* readings are told apart by ids, in a file */
};

void count_attr_build(struct eventlist *list, const struct count_attr_options *options);
