/*
 * repeats.h - samples that say again what one before them said, so that nothing has to be looked up
 * for them: most are such.
 *
 * Two samples are alike if they are of one event and mode, hit the same address with the same call
 * chain, and were taken while their threads had the same name and the same things were mapped
 * there. Of the first of them, address and chain are remembered as they were recorded, and the
 * bundle (bundles.h) that it went to; what follows is compared with that, word by word.
 *
 * A worker's, for a profile that does not change.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "data/sample.h"
#include "model/instant.h"

struct profile;
struct record;

struct repeats {
	struct profile *profile;
	bool by_chain; /* else chains may differ */
	struct repeats_event *events;
	struct repeats_thread *threads; /* the last that were asked for */
	struct {
		struct repeats_span *items;
		size_t count, capacity;
	} spans; /* equal ones are one */
	struct index span_of;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} seen; /* rows: see repeats.c */
	struct index seen_at;
};

/* A sample, read as far as is needed to tell which it is like. */
struct repeats_sample {
	const struct perf_event_header *header;
	uint64_t hash;
	struct instant at;
	uint64_t period;
	uint32_t pid, tid;
	uint32_t event;
	uint32_t span;       /* + 1; 0: it is like no other */
	uint16_t link_count; /* words of the chain that are compared */
};

/* @profile is borrowed. */
void repeats_init(struct repeats *repeats, struct profile *profile, bool by_chain);
void repeats_done(struct repeats *repeats);

/* Reads a SAMPLE record. Where the span is 0, the rest is not set. */
void repeats_read(struct repeats *repeats, const struct record *record,
		  struct repeats_sample *ret_sample);

/* The number that was kept for one like it; INDEX_NONE if there is none. */
uint32_t repeats_find(struct repeats *repeats, const struct repeats_sample *sample);
/* Says that repeats_find() will follow, in two steps for many at a time; see index.h. */
static inline void repeats_expect(const struct repeats *repeats,
				  const struct repeats_sample *sample)
{
	index_expect(&repeats->seen_at, sample->hash);
}
void repeats_expect_seen(const struct repeats *repeats, const struct repeats_sample *sample);
/* After that, the number that is likely to be found, or INDEX_NONE. */
uint32_t repeats_guess(const struct repeats *repeats, const struct repeats_sample *sample);

/* Of one with a span, for which nothing was found. */
void repeats_keep(struct repeats *repeats, const struct repeats_sample *sample, uint32_t number);
