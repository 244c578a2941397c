/*
 * profile.h - a recording as a whole, walked: pass 1 builds the timeline, pass 2 hands out its
 * samples in order of time, each with its event, thread names and, resolved, its place and call
 * chain.
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
struct timeline;
struct event_desc;
struct record;
struct strobe_err;

/* Pass 1. @file is borrowed and must outlive the profile. */
int profile_new(const struct datafile *file, const struct resolver_options *options,
		struct profile **ret_profile, struct strobe_err *err);
void profile_free(struct profile *profile);
CLEANUP(profile_free, struct profile)

const struct datafile *profile_file(const struct profile *profile);
const struct timeline *profile_timeline(const struct profile *profile);
struct resolver *profile_resolver(const struct profile *profile);

/* What pass 1 counted. */
struct profile_totals {
	uint64_t sample_count;
	uint64_t lost_event_count, lost_count; /* LOST records, and what they add up to */
	uint64_t lost_samples;                 /* LOST_SAMPLES */
	uint64_t unknown_id_count, damaged_count;
	uint64_t first_ns, last_ns; /* of samples; UINT64_MAX and 0 if there is none */
	bool has_time;              /* records carry times */
};
const struct profile_totals *profile_totals(const struct profile *profile);

/* A sample, with what is known of it before names are looked up. */
struct profile_sample {
	const struct record *record;
	const struct event_desc *event;
	struct sample sample;
	uint64_t moment;  /* for the timeline */
	const char *comm; /* of the thread, never NULL (":TID" where unknown, "swapper" for 0) */
	uint16_t cpumode; /* PERF_RECORD_MISC_* */
};

/* One link of a call chain, innermost first. */
struct profile_frame {
	struct place place;
	uint16_t cpumode;
};

/*
 * Pass 2: calls @each for every SAMPLE in order of time (of the file, where there are no times),
 * and for every other record too if @others is not NULL. Ends early with the first result that is
 * not 0.
 */
typedef int profile_each(void *context, const struct profile_sample *sample);
typedef int profile_other(void *context, const struct record *record, const struct sample *trailer,
			  const struct event_desc *event);
int profile_walk(struct profile *profile, profile_each *each, profile_other *others, void *context);

/* The moment of a record that profile_other gets, for questions to the timeline. */
uint64_t profile_moment(const struct profile *profile, const struct record *record,
			const struct sample *trailer);

/* Where a sample hit. */
struct place profile_place(struct profile *profile, const struct profile_sample *sample);

/*
 * Its call chain, resolved, innermost first, without the PERF_CONTEXT_* marks, at most @max
 * frames (0: all). The array belongs to the caller's @chain, which is used again from sample to
 * sample.
 */
struct profile_chain {
	struct profile_frame *items;
	size_t count, capacity;
};
void profile_chain(struct profile *profile, const struct profile_sample *sample, size_t max,
		   struct profile_chain *chain);
