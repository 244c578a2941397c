/*
 * data-state.h - what is known of a function's registers, and of what it put away on its stack, at
 * one of its instructions: for data-flow.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/data-value.h"
#include "object/insn-moves.h"

enum {
	DATA_STATE_SLOTS = 32, /* of the stack, that are remembered */
	DATA_STATE_SLOT = 8,   /* bytes of one */
};

/* All 0: nothing is known. */
struct data_state {
	struct data_value values[INSN_REGISTERS];
	struct data_slot {
		int64_t offset;          /* from the frame's address */
		struct data_value value; /* unknown: it is free */
	} slots[DATA_STATE_SLOTS];
	size_t next_slot; /* that gives way to another one */
};

/* What a slot has; unknown where nothing is known. */
struct data_value data_state_slot(const struct data_state *state, int64_t offset);
void data_state_put(struct data_state *state, int64_t offset, struct data_value value);
/* @size bytes of the stack are overwritten. */
void data_state_clear(struct data_state *state, int64_t offset, uint64_t size);
/* @registers, a bit for each, are something else. */
void data_state_forget(struct data_state *state, uint64_t registers);

/* Leaves what both know. True if that is less than it was. */
bool data_state_meet(const struct data_here *here, struct data_state *state,
		     const struct data_state *other);
