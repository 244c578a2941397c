/*
 * filter.h - which samples count: --comms, --dsos, --symbols, --pid, --tid, --cpu, --time.
 *
 * perf knows two ways to leave a sample out. Those outside --cpu and --time were never there
 * (filter_drops). Those of another thread, dso or symbol stay part of the whole: report takes
 * percentages of all of them unless --percentage relative (filter_hides).
 *
 * Starts as { 0 }, which leaves out nothing. Texts that are given are copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strings.h"

struct place;
struct profile_sample;
struct strobe_err;

/* What filter_hides() found to be against a sample. */
enum {
	FILTER_THREAD = 1 << 0,
	FILTER_DSO = 1 << 1,
	FILTER_SYMBOL = 1 << 2,
};

struct filter_ids { /* sorted */
	uint32_t *items;
	size_t count, capacity;
};

struct filter_addrs {
	uint64_t *items;
	size_t count, capacity;
};

struct filter_time {
	uint64_t first_ns, last_ns; /* both included */
};

struct filter {
	struct strings comms, dsos, symbols;
	struct filter_addrs addrs; /* beside @symbols */
	uint64_t addr_range;       /* each of @addrs stands for so many bytes, itself at least */
	struct filter_ids pids, tids, cpus;
	struct {
		struct filter_time *items;
		size_t count, capacity;
	} times;
};

/* @list is "NAME,NAME,..." or "file://PATH" with one name on a line. */
int filter_add_names(struct strings *names, const char *list, struct strobe_err *err);
/* The same of functions, where "0x1234" stands for the function that begins there or for the
 * address itself. */
int filter_add_symbols(struct filter *filter, const char *list, struct strobe_err *err);
/* "1,2,7"; with @ranges also "0-3". -EINVAL: no such list. @what names it in the message. */
int filter_add_ids(struct filter_ids *ids, const char *list, bool ranges, const char *what,
		   struct strobe_err *err);

/* Whether such a text (below; may be NULL) is about parts, for which all of a recording is needed.
 */
bool filter_times_are_shares(const char *text);
/*
 * "START,STOP" in seconds of the recording's clock, either of which may be missing, several with
 * blanks between them; or parts of the recording: "10%-20%,40%-50%", "10%/2" (the second tenth).
 * @first_ns and @last_ns are the times of its first and last sample. -ENODATA if parts are asked
 * for and no sample has a time (@first_ns is later than @last_ns).
 */
int filter_add_times(struct filter *filter, const char *text, uint64_t first_ns, uint64_t last_ns,
		     struct strobe_err *err);

bool filter_has_id(const struct filter_ids *ids, uint32_t id);

/* It leaves out nothing. */
bool filter_is_empty(const struct filter *filter);
bool filter_drops(const struct filter *filter, const struct profile_sample *sample);

/* FILTER_* bits; 0 if nothing is against it. @place is where the sample hit. */
unsigned filter_hides(const struct filter *filter, const struct profile_sample *sample,
		      const struct place *place);
/* Whether it looks at the place at all; without that, resolving it may be saved. */
bool filter_wants_place(const struct filter *filter);

void filter_ids_done(struct filter_ids *ids);
void filter_done(struct filter *filter);
