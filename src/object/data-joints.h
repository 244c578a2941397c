/*
 * data-joints.h - the places in a function that its own jumps lead to, and what is known of
 * registers there, whichever way they are reached: for data-flow.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/data-state.h"

struct data_joint {
	uint64_t vaddr;
	bool is_reached;         /* from the function's beginning, as far as is known */
	struct data_state state; /* what all know that come here */
};

struct data_joints {
	struct data_joint *items; /* by vaddr */
	size_t count;
	bool too_many; /* to look at: there are no items */
};

/* @insns lie in [begin, begin + size). To be done() in the end. */
void data_joints_find(struct data_joints *joints, const struct insn_moves *insns, size_t count,
		      uint64_t begin, uint64_t size);
void data_joints_done(struct data_joints *joints);

/* NULL: no jump leads there. */
struct data_joint *data_joints_at(const struct data_joints *joints, uint64_t vaddr);
/* One more way to a place. True if that changes what is known there. */
bool data_joints_reach(const struct data_here *here, struct data_joint *joint,
		       const struct data_state *state);
/* All are reached, and nothing is known there. */
void data_joints_doubt(struct data_joints *joints);
