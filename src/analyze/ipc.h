/*
 * ipc.h - instructions per cycle of functions, by the blocks of code that branch stacks tell
 * (blocks.h) and the instructions that are in them.
 */
#pragma once

#include <stddef.h>

#include "base/hash.h"
#include "base/mem.h"

struct blocks_event;
struct function;
struct profile;

struct ipc {
	double per_cycle;
	double coverage; /* percent of the function's instructions that are in a block */
};

/* Starts as { 0 }. */
struct ipc_table {
	struct hash by_function;
	struct {
		struct ipc *items;
		size_t count, capacity;
	} all;
};

void ipc_table_fill(struct ipc_table *table, struct profile *profile,
		    const struct blocks_event *blocks);
void ipc_table_done(struct ipc_table *table);

/* NULL where nothing is known of the function. */
const struct ipc *ipc_find(const struct ipc_table *table, const struct function *function);
