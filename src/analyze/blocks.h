/*
 * blocks.h - how long stretches of code took, as branch stacks tell: between two branches code ran
 * straight from where the older one went to where the younger one came from, and the younger one
 * says how many cycles that was.
 *
 *	branch 1   A -> B
 *	branch 0   C -> D    a block [B -> C], of the cycles of branch 0
 *
 * A block is known by its last instruction. Of blocks with one end the longest counts as the block,
 * and the cycles of all are its own. Where no branch into the function is known before its end (the
 * first of a stack, or one in another function), it begins where the function does, unless another
 * sample knows better.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "symbol/resolve.h"

struct report;
struct source;
struct sources;

struct block {
	struct place begin, end; /* the first and the last instruction, in one function */
	bool begin_known;        /* else it is the function's */
	uint64_t cycles, count;  /* of all samples that ended here */
	uint64_t whole_cycles, whole_count;             /* of those that were as long as it */
	const struct source *begin_source, *end_source; /* after blocks_find() */
};

struct blocks_event {
	struct block *items; /* those that took most cycles first */
	size_t count, capacity;
	uint64_t cycles;      /* of all branches, those without a function too */
	uint64_t average_sum; /* of all blocks' averages */
};

struct blocks {
	struct blocks_event *events; /* as many as the report has, and in its order */
	size_t event_count;
	struct sources *sources;
};

/* Of the branches that @report counted, which is about branches and not of a stream. */
struct blocks *blocks_find(const struct report *report);
void blocks_free(struct blocks *blocks);
CLEANUP(blocks_free, struct blocks)

/* Cycles of a block on average. */
uint64_t blocks_average(const struct block *block);
/* Its cycles, and its average, as shares of all of the event's. */
double blocks_percent(const struct blocks_event *event, const struct block *block);
double blocks_average_percent(const struct blocks_event *event, const struct block *block);
