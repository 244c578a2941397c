/*
 * profile.h - a recording as a whole: pass 1 builds the timeline, and notes which stretches of the
 * file hold which times; after that nothing changes, and any number of threads may read samples
 * (replay.h) and look addresses up (lookup.h).
 *
 * What report and script and all later commands stand on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "data/sample.h"
#include "symbol/resolve.h"

struct profile;
struct datafile;
struct jit_dumps;
struct timeline;
struct event_desc;
struct record;
struct parallelism;
struct stack_shares;
struct strobe_err;

/* Pass 1. @file is borrowed and must outlive the profile. */
int profile_new(const struct datafile *file, const struct resolver_options *options,
		struct profile **ret_profile, struct strobe_err *err);
void profile_free(struct profile *profile);
CLEANUP(profile_free, struct profile)

const struct datafile *profile_file(const struct profile *profile);
const struct timeline *profile_timeline(const struct profile *profile);
struct resolver *profile_resolver(const struct profile *profile);
/* What processes of the recording wrote of the code that they made. */
const struct jit_dumps *profile_jit_dumps(const struct profile *profile);
/* What a pipe tells of stacks that were unwound while it was recorded. */
const struct stack_sum *profile_told_stacks(const struct profile *profile);
/* What became of copied stacks, of those that were unwound so far. */
struct stack_shares *profile_stack_shares(struct profile *profile);
/* How many threads ran at a time; NULL where the recording has no context switches. */
const struct parallelism *profile_parallelism(const struct profile *profile);

/* What pass 1 counted. */
struct profile_totals {
	uint64_t lost_count;           /* what LOST records add up to */
	uint64_t lost_samples;         /* LOST_SAMPLES */
	uint64_t unknown_id_count;     /* samples whose id no event has */
	uint64_t unknown_layout_count; /* samples that sample_is_known() says no of */
	uint64_t damaged_count;        /* of records that are no samples */
	uint64_t first_ns, last_ns;    /* of samples; UINT64_MAX and 0 if there is none */
	uint64_t untimed_count;        /* samples without a time */
	bool has_time;                 /* records carry times */
	bool in_kernel;                /* some samples are of the kernel */
};
const struct profile_totals *profile_totals(const struct profile *profile);

/* Samples that profile_decode() found to be damaged: complete once all have been read. */
uint64_t profile_damaged_samples(const struct profile *profile);

/*
 * The file is a row of slices: what lies between two FINISHED_ROUND records, or about a MiB of a
 * longer round. Slices may overlap in time, since each CPU has its own ring.
 */
struct profile_slice {
	uint64_t begin, end;            /* offsets, [begin, end) */
	uint64_t lowest_ns, highest_ns; /* of all records with a time; UINT64_MAX and 0 if none */
	uint64_t later_ns;              /* the lowest time in all slices behind it */
	bool has_others;                /* records that tell what happened */
};
size_t profile_slice_count(const struct profile *profile);
const struct profile_slice *profile_slice(const struct profile *profile, size_t i);

/* A sample, with what is known of it before names are looked up. */
struct profile_sample {
	const struct record *record;
	const struct event_desc *event;
	struct sample sample;
	uint64_t moment;  /* for the timeline */
	const char *comm; /* of the thread, never NULL (":TID" where unknown, "swapper" of 0) */
	bool unnamed;     /* no record tells the name it has at that moment: @comm is made up */
	uint16_t cpumode; /* PERF_RECORD_MISC_* */
	/* The user's part of the call chain where it was walked late (deferred.h), else NULL. */
	const uint64_t *deferred;
	size_t deferred_count;
	uint8_t stack_verdict; /* enum unwind_verdict of what was unwound while it was recorded */
	/* It is one of those that a reading of a group is made of (replay.h); the last of them. */
	bool of_reading, ends_reading;
};

/* Reads a SAMPLE record; errors are those of events_decode(). */
int profile_decode(struct profile *profile, const struct record *record,
		   struct profile_sample *ret_sample);

/* The moment of any record, for questions to the timeline. */
uint64_t profile_moment(const struct profile *profile, const struct record *record,
			const struct sample *trailer);

/*
 * What all samples of a thread have in common from one moment to another, [from, until): what it
 * is called, and the epochs (timeline.h) of its memory and the kernel's.
 */
struct profile_span {
	const char *comm;
	uint64_t user_epoch, kernel_epoch;
	uint64_t from, until;
};
/* False if it has no name, or an epoch is of this moment alone. */
bool profile_span(const struct profile *profile, uint32_t pid, uint32_t tid, uint64_t moment,
		  struct profile_span *ret_span);

/*
 * A profile of a stream (live.h), whose records come one after another. Its slices are the
 * caller's: profile_add() widens @slice by a record's time.
 */
struct profile *profile_new_empty(const struct datafile *file,
				  const struct resolver_options *options);
void profile_add(struct profile *profile, const struct record *record, struct profile_slice *slice);
/* Names that came late: a whole FEATURE_STROBE_NAMES, of which nothing is borrowed. */
void profile_use_names(struct profile *profile, const void *bytes, size_t size);
/* Records go while the profile stays. */
void profile_keep(struct profile *profile);
/* What was noted of records before a moment, all of which have been handed out, goes. */
void profile_forget_records(struct profile *profile, uint64_t before);
/* As timeline_settle_until(). */
size_t profile_settle(struct profile *profile, uint64_t until);
/* As timeline_forget(), with the names of dsos that go. */
struct hash;
void profile_forget(struct profile *profile, uint64_t gone_before, struct hash *dsos);
