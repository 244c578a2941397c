/*
 * running.h - how many threads of a recording ran at the same time, from its context switches.
 *
 * One thread runs when the recording begins. A switch in adds one; a switch out, and the end of a
 * thread, take one away. Switches go in in any order; after running_settle() nothing changes.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/instant.h"

struct record;

struct running_change {
	struct instant at;
	int32_t count; /* of threads, from then on */
};

/* Starts as { 0 }. */
struct running {
	struct running_change *items;
	size_t count, capacity;
};

/* Takes SWITCH, SWITCH_CPU_WIDE and EXIT records; others are ignored. */
void running_add(struct running *running, const struct record *record, uint64_t moment);
void running_settle(struct running *running);
void running_done(struct running *running);

/* At least 1: whoever asks was running. */
uint32_t running_at(const struct running *running, struct instant at);
