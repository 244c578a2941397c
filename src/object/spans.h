/*
 * spans.h - stretches of code that lie within each other, and which of them is the innermost at an
 * address.
 *
 *	added      settled
 *	0: |-----------------|      0 1 2 1 0   0
 *	1:   |---------|
 *	2:      |--|
 *
 * The innermost is the shortest; of equally long ones, that which was added last. So it does not
 * matter if one sticks out of what is around it, which compilers let happen. Starts as { 0 }.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SPANS_NONE UINT32_MAX

struct span {
	uint64_t begin, end; /* [begin, end) */
	uint32_t value, order;
};

struct spans {
	struct {
		struct span *items;
		size_t count, capacity;
	} added; /* until spans_settle() */
	struct {
		struct spans_piece {
			uint64_t begin; /* up to the next one's */
			uint32_t value;
		} * items;
		size_t count, capacity;
	} pieces;
};

/* @value is below SPANS_NONE; an empty stretch is none. */
void spans_add(struct spans *spans, uint64_t begin, uint64_t end, uint32_t value);
/* Nothing is added after it. */
void spans_settle(struct spans *spans);
void spans_done(struct spans *spans);

/* The value of the innermost one that has the address, or SPANS_NONE. */
uint32_t spans_find(const struct spans *spans, uint64_t addr);
