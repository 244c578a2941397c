/*
 * stack.h - call chains, each kept once.
 *
 * A stack is a row of sites (sites.h), innermost first; in a table of marked stacks each site has a
 * mark (branch-links.h), which tells stacks apart, too. Numbers are not dense; rows live as long as
 * the table, and move while stacks are added. Each worker has a table of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"

/*
 * A row: its length, a word for whoever counts stacks, then the sites, and the marks in pairs of
 * words. Numbers count pairs of words, and rows begin at such.
 */
struct stack_table {
	uint32_t *items;
	size_t count, capacity; /* in words */
	bool marked;            /* set before the first stack */
	struct index index;
};

struct stack {
	const uint32_t *sites;
	const uint64_t *marks; /* NULL: the table has none */
	uint32_t count;
};

uint32_t stack_intern(struct stack_table *table, struct stack stack);
/* Adds one that need not be found, whether or not it is there already. */
uint32_t stack_append(struct stack_table *table, struct stack stack);

/* The same in steps, for many at a time; see index.h. */
uint64_t stack_hash(struct stack stack);
static inline void stack_expect(const struct stack_table *table, uint64_t hash)
{
	index_expect(&table->index, hash);
}
void stack_expect_row(const struct stack_table *table, uint64_t hash);
uint32_t stack_intern_hashed(struct stack_table *table, uint64_t hash, struct stack stack);

void stack_table_done(struct stack_table *table);

/* Words of a row up to its marks. */
static inline size_t stack_row_words(uint32_t count)
{
	return ((size_t)count + 3) / 2 * 2;
}

/* Borrowed until the next stack is added. */
static inline struct stack stack_at(const struct stack_table *table, uint32_t number)
{
	const uint32_t *row = table->items + (size_t)number * 2;
	struct stack stack = { .sites = row + 2, .count = row[0] };

	if (table->marked)
		stack.marks = (const uint64_t *)(const void *)(row + stack_row_words(row[0]));
	return stack;
}

/* 0 at first; borrowed in the same way. */
static inline uint32_t *stack_word(struct stack_table *table, uint32_t number)
{
	return table->items + (size_t)number * 2 + 1;
}
