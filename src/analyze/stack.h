/*
 * stack.h - call chains, each kept once.
 *
 * A stack is a row of sites (sites.h), innermost first. Numbers are not dense; rows live as long
 * as the table, and move while stacks are added. Each worker has a table of its own.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

/*
 * A row: its length, a word for whoever counts stacks, then the sites. Numbers count pairs of
 * words, and rows begin at such.
 */
struct stack_table {
	uint32_t *items;
	size_t count, capacity; /* in words */
	struct index index;
};

struct stack {
	const uint32_t *sites;
	uint32_t count;
};

uint32_t stack_intern(struct stack_table *table, const uint32_t *sites, size_t count);

/* The same in steps, for many at a time; see index.h. */
uint64_t stack_hash(const uint32_t *sites, size_t count);
static inline void stack_expect(const struct stack_table *table, uint64_t hash)
{
	index_expect(&table->index, hash);
}
void stack_expect_row(const struct stack_table *table, uint64_t hash);
uint32_t stack_intern_hashed(struct stack_table *table, uint64_t hash, const uint32_t *sites,
			     size_t count);

void stack_table_done(struct stack_table *table);

/* Borrowed until the next stack is added. */
static inline struct stack stack_at(const struct stack_table *table, uint32_t number)
{
	const uint32_t *row = table->items + (size_t)number * 2;

	return (struct stack){ row + 2, row[0] };
}

/* 0 at first; borrowed in the same way. */
static inline uint32_t *stack_word(struct stack_table *table, uint32_t number)
{
	return table->items + (size_t)number * 2 + 1;
}
