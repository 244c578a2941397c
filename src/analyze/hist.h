/*
 * hist.h - samples, counted by what the sort keys tell apart.
 *
 * Samples go in as bundles: (what the sample is about, its stack), each counted once for all
 * samples that are equal in that. So the work for a sample is one look-up, memory follows distinct
 * stacks, and histograms of several workers are merged bundle by bundle. hist_finish() then makes
 * the entries: with children, an entry for each place that occurs in a stack, which counts what
 * was called from there.
 *
 * Events of a group are counted side by side: each entry has a number for each member.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/calltree.h"
#include "analyze/fields.h"
#include "analyze/item.h"
#include "analyze/sortkey.h"
#include "analyze/stack.h"

#define HIST_NO_STACK UINT32_MAX

struct hist_options {
	const struct fields *fields; /* borrowed */
	struct sortkey_style style;
	size_t member_count;  /* events of the group; 1 without a group */
	bool children;        /* entries count what they called */
	bool chains;          /* entries keep call trees */
	bool outermost_first; /* call trees begin at the outermost caller */
	enum calltree_mode mode;
	double min_percent;        /* of call trees */
	const char *symbol_filter; /* only entries whose symbol contains this, or NULL */
	bool only_with_parent;     /* only entries whose parent is known */
};

struct hist_number {
	uint64_t period, sys, us, guest_sys, guest_us, count;
};

struct hist_entry {
	struct item item;
	struct hist_number *self;  /* one for each member */
	uint64_t *children;        /* period with what it called, one for each member */
	struct calltree_node tree; /* of the first member */
	uint32_t depth;            /* links of the longest chain in it */
	uint32_t next;             /* of equal hash, index + 1 */
	size_t level_member;       /* the first member that knows it */
};

struct hist {
	const struct hist_options *options; /* borrowed */
	struct stack_table *stacks;         /* borrowed */
	struct hist_number *totals;         /* of what went in, one for each member */
	struct hist_entry **entries;        /* after hist_finish: in order of output */
	size_t entry_count;
	size_t widths[SORTKEY_COUNT]; /* columns that the keys' texts need, title included */
	struct hist_state *state;
};

struct hist *hist_new(const struct hist_options *options, struct stack_table *stacks);
void hist_free(struct hist *hist);

struct hist_sample {
	const struct item *item;
	size_t member;
	uint16_t cpumode;
	uint32_t stack; /* or HIST_NO_STACK */
	uint64_t period;
};
void hist_add(struct hist *hist, const struct hist_sample *sample);

/* Makes and orders the entries; nothing can be added after it. @total: what call trees are shares
 * of (the first member's period). */
void hist_finish(struct hist *hist, uint64_t total);
