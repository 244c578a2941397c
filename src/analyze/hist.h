/*
 * hist.h - bundles of samples, made entries: a row for each thing that the sort keys tell apart.
 *
 * With children, there is an entry for each place that occurs in a stack, which counts what was
 * called from there. Events of a group are counted side by side: each entry has a number for each
 * member.
 *
 * What comes out does not depend on the order in which bundles went in: an entry is named after
 * the earliest sample that it counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/bundles.h"
#include "analyze/calltree.h"
#include "analyze/fields.h"
#include "analyze/item.h"
#include "analyze/sortkey.h"
#include "model/instant.h"

struct extras;
struct sites;
struct stack_table;
struct visits_seats;

#define HIST_ALL_MEMBERS SIZE_MAX

struct hist_options {
	const struct fields *fields; /* borrowed */
	struct sortkey_style style;
	size_t member_count; /* events of the group; 1 without a group */
	/* Of a group, the only member that entries are ordered by; HIST_ALL_MEMBERS: one after
	 * another. */
	size_t sort_member;
	bool children;        /* entries count what they called */
	bool chains;          /* entries keep call trees */
	bool outermost_first; /* call trees begin at the outermost caller */
	enum calltree_mode mode;
	double min_percent;        /* of call trees */
	const char *symbol_filter; /* only entries whose symbol contains this, or NULL */
	bool only_with_parent;     /* only entries whose parent is known */
	bool extras;               /* a column shows extras.h's */
	bool latency;              /* samples have any */
	bool modes;                /* a column shows shares of user, kernel and guests */
	bool branch_counts;        /* a column shows branch-counts.h's */
};

/*
 * Latency is what a period cost in time of the whole: period / parallelism, since threads that ran
 * at the same time share it. Only its shares are of interest; see HIST_LATENCY_SHIFT.
 */
struct hist_details {
	uint64_t sys, us, guest_sys, guest_us; /* periods */
	uint64_t latency, whole_latency;       /* of its own, and with what it called */
	struct extras *extras;                 /* NULL where no column shows any */
	struct branch_counts *branches; /* of the first member; NULL where no column shows any */
};

/* There are as many as entries: what few reports show lies elsewhere. */
struct hist_number {
	uint64_t period, count;
	struct hist_details *details; /* NULL where hist_options asks for none */
};

enum { HIST_LATENCY_SHIFT = 10 }; /* bits of latencies that are behind the point */

/*
 * What its earliest sample says: when that was, where (sites.h), of which context and thread.
 * There are many: one of a single event is as large as a line of the cache, and lies in one.
 */
struct hist_entry {
	struct instant first;
	uint32_t context, site, pid, tid;
	uint32_t depth; /* links of the longest chain in it */
	uint16_t level_member;
	bool is_caller; /* the site is where something was called */
	char level;     /* the first member's that knows it; see struct spot */
	union {
		struct {
			uint32_t hash, last_bundle;
		}; /* until all is counted; then: */
		/* Of the first member; without nodes where none are shown. */
		struct calltree_node *tree;
	};
	struct hist_number *self; /* one for each member */
	uint64_t whole[];         /* periods of each member, with what was called */
};

struct hist {
	const struct hist_options *options; /* borrowed */
	const struct sites *sites;          /* borrowed */
	struct hist_entry **entries;        /* after hist_finish: in order of output */
	size_t entry_count;
	size_t *widths; /* by a key's id: columns that the texts need, title included */
	size_t width_count;
	struct hist_state *state;
};

/* @sites is settled before hist_finish(). */
struct hist *hist_new(const struct hist_options *options, const struct sites *sites);
void hist_free(struct hist *hist);

/* Takes what one worker counted; all is borrowed until hist_free(). */
void hist_take(struct hist *hist, const struct bundles *bundles, const struct stack_table *stacks);

/*
 * Makes and orders the entries, with so many threads, each of which has one of @seats; @total: what
 * call trees are shares of (the first member's period).
 */
void hist_finish(struct hist *hist, uint64_t total, size_t threads, struct visits_seats *seats);

/* What an entry is about, for the sort keys. */
struct item hist_item(const struct hist *hist, const struct hist_entry *entry);

/* The same of many entries, one after another: most of an item is its context's. */
struct hist_reading {
	const struct hist *hist;
	uint32_t context; /* + 1, of the item at hand */
	struct item item;
};
const struct item *hist_read(struct hist_reading *reading, const struct hist_entry *entry);

/*
 * For who goes through all entries: asks for the memory of some that come after the @i-th, since
 * places and entries lie far apart.
 */
void hist_expect(const struct hist *hist, size_t i);

/* What entries are ordered by in a column of numbers, and mostly what it shows: of weights the sum,
 * 0 of what is several columns. @member of a group of events, else 0. */
uint64_t hist_measure(const struct hist_entry *entry, enum measure measure, size_t member);

/* NULL where no column shows any. */
const struct extras *hist_extras(const struct hist_entry *entry, size_t member);

/* 0 of nothing. */
double hist_percent(uint64_t part, uint64_t whole);

/* A place as it is shown. */
struct spot hist_spot(const struct place *place, char level);
