/*
 * sample-item.h - what a sample says of itself, for the sort keys: all but where it was. For
 * counting.c.
 */
#pragma once

#include <stdint.h>

#include "analyze/item.h"
#include "base/str.h"
#include "base/strings.h"
#include "model/instant.h"

struct counting_plan;
struct profile_sample;

/* A worker's; starts as { .plan = ... }. Texts live as long as it. */
struct sample_item {
	const struct counting_plan *plan;
	struct strings traces;
	struct str text;
};
void sample_item_done(struct sample_item *maker);

/* All but its spot. */
struct item sample_item_make(struct sample_item *maker, const struct profile_sample *sample);
/* One end of a branch. */
struct spot sample_item_branch(const struct sample_item *maker, const struct profile_sample *sample,
			       uint64_t addr);
/* What the sample read or wrote, as its mode sees memory. */
struct memory_item sample_item_memory(const struct sample_item *maker,
				      const struct profile_sample *sample);

struct instant sample_item_instant(const struct profile_sample *sample);
/* How many threads ran then; 0 where that is not known. */
uint32_t sample_item_parallelism(const struct counting_plan *plan,
				 const struct profile_sample *sample);
/* Of a mode PERF_RECORD_MISC_*: see struct spot. */
char sample_item_level(uint16_t cpumode);
