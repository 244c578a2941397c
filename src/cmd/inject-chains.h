/*
 * inject-chains.h - copies of stacks become call chains ("inject --convert-callchain"): samples say
 * the same, and are a hundredth of the size.
 *
 * A sample whose stack is not complete has a record behind it that says why, as those have that are
 * unwound while they are recorded; what became of all of them is told at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct attr;
struct body_out;
struct datafile;
struct inject_chains;
struct record;
struct resolver_options;
struct str;
struct strobe_err;

/* -ENODATA if no event of the file has copies. The file is borrowed. */
int inject_chains_new(const struct datafile *file, const struct resolver_options *names,
		      struct inject_chains **ret_chains, struct strobe_err *err);
void inject_chains_free(struct inject_chains *chains);
CLEANUP(inject_chains_free, struct inject_chains)

/* An event's samples have call chains, and neither copies nor user registers. */
void inject_chains_change_attr(struct attr *attr);
/* Adds the record anew to @out; false if it is to stay as it is. */
bool inject_chains_take(struct inject_chains *chains, const struct record *record, struct str *out);
/* What became of the stacks, and of those that were unwound before: FEATURE_STROBE_STACKS. */
void inject_chains_sum(struct inject_chains *chains, struct body_out *ret_body);
