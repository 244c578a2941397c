/*
 * counting.h - one worker of a report: counts samples, each of which goes to the bundles of its
 * event.
 *
 * Workers share the plan, which does not change, and the profile; all else is their own. Names are
 * looked up here only if the plan says that something depends on them.
 */
#pragma once

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/bundles.h"
#include "analyze/kept.h"
#include "analyze/onoff.h"
#include "analyze/sites.h"
#include "analyze/sockets.h"
#include "analyze/stack.h"

struct fields;
struct profile;
struct profile_sample;
struct report_number;
struct report_options;
struct resolver;
struct parallelism;
struct sortkey_style;

/* Which table of the report an event counts in. */
struct counting_place {
	bool wanted;
	uint32_t event;
	uint16_t member;
};

/* What tells samples apart or leaves some out is to be known to counting-slice.c, too: it counts
 * without a look what seems to be said again. */
struct counting_plan {
	struct profile *profile;
	struct sites *sites; /* of all workers */
	const struct report_options *options;
	const struct fields *fields;
	struct sortkey_style *style;
	struct counting_place *places; /* by the index of the event in the recording */
	size_t event_count;            /* tables of the report */
	size_t member_count;           /* of the largest of them */
	regex_t parent, ignore;
	bool has_parent, has_ignore;
	bool wants_chain, wants_trace, wants_names, wants_namespace;
	bool branches;          /* count branches instead of samples */
	bool branch_links;      /* branches are links of call chains */
	bool stitch_lbr;        /* samples come in order of time: their chains are stitched */
	bool memory;            /* weigh accesses to memory */
	struct onoff onoff;     /* which samples count at all */
	struct sockets sockets; /* of CPUs, where a key asks for them */
	bool outermost_first;   /* chains are listed so */
	size_t max_stack;
	const struct parallelism *parallelism; /* NULL: not known, or of no interest */
};

/* What was counted of one table. */
struct counting_event {
	struct stack_table stacks;
	struct bundles bundles;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} by_site;                    /* the first bundle of each site, where there are no stacks */
	struct report_number *totals; /* one for each member */
	uint64_t sample_count, whole_period;
	uint64_t alone_count, timed_count; /* samples while one thread ran, and all */
	size_t folded_count;               /* contexts that were folded into it: fold.h */
};

struct counting {
	struct counting_event *events;
	struct kept kept; /* of what was folded into it: fold.h */
	struct counting_state *state;
};

/* @plan is borrowed. */
struct counting *counting_new(const struct counting_plan *plan);
void counting_free(struct counting *counting);

/* Counts the samples of a slice of the profile; all that there are, in order of time. */
void counting_slice(struct counting *counting, size_t slice);
void counting_all(struct counting *counting);
/* Nothing more will be counted: what was needed for that goes. */
void counting_end(struct counting *counting);

/* Counts one sample; @counting is a struct counting, so that it is a replay_each. */
int counting_take(void *counting, const struct profile_sample *sample);
/* Samples wait to be counted with others; their records must be there until this. */
void counting_flush(struct counting *counting);
/* @to goes on where @from ended: what is remembered of threads becomes its own. */
void counting_hand_over(struct counting *from, struct counting *to);
/* The timeline has changed. */
void counting_changed(struct counting *counting);

size_t counting_event_count(const struct counting *counting);
/* How many bundles there are of all events. */
size_t counting_bundle_count(const struct counting *counting);
size_t counting_member_count(const struct counting *counting); /* of the largest event */
struct resolver *counting_resolver(const struct counting *counting);
/* Of the plan; NULL if no key asks for lines. */
struct sources *counting_sources(const struct counting *counting);
/* The last names of the thread and process that had the item's numbers at a moment, as they are
 * now. */
void counting_rename(const struct counting *counting, struct item *item, uint64_t moment);
/* The word of a bundle's stack or site, for bundles_add(). */
uint32_t *counting_first(struct counting_event *event, const struct bundle *bundle);
