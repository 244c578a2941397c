/*
 * parallelism.h - how many threads of a recording ran at the same time, from its context switches.
 *
 * One thread runs when the recording begins. A switch in adds one; a switch out, and the end of a
 * thread, take one away. Switches go in in any order; after parallelism_settle() nothing changes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/instant.h"

struct record;

struct parallelism_change {
	struct instant at;
	int32_t count; /* of threads, from then on */
};

/* Starts as { 0 }. */
struct parallelism {
	struct parallelism_change *items;
	size_t count, capacity;
	size_t settled; /* of the items */
};

/* Takes SWITCH, SWITCH_CPU_WIDE and EXIT records; others are ignored. */
void parallelism_add(struct parallelism *parallelism, const struct record *record, uint64_t moment);
void parallelism_settle(struct parallelism *parallelism);
/* Of a stream: what was before @until; and forgets what need not be known of moments from @before
 * on. */
void parallelism_settle_until(struct parallelism *parallelism, uint64_t until);
void parallelism_forget(struct parallelism *parallelism, uint64_t before);
void parallelism_done(struct parallelism *parallelism);

/* At least 1: whoever asks was running. */
uint32_t parallelism_at(const struct parallelism *parallelism, struct instant at);
