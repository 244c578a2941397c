/*
 * stack.h - call chains, each kept once.
 *
 * A site is a place that occurs in samples, with a number. A stack is a row of sites, innermost
 * first. Numbers count from 0; rows live as long as the table.
 *
 * Sites may get their names late; stack_settle() then says which of them are the same link of a
 * chain: those in the same function, or, without one, at the same address (or always at the same
 * address: stack_table.by_addr).
 *
 * Each worker has a table of its own; stack_join() makes the sites of one those of another.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/index.h"
#include "symbol/resolve.h"

struct site {
	struct place place;
};

struct stack {
	uint32_t *sites;
	uint32_t count;
};

/* What links are told apart and ordered by. */
struct stack_link {
	uint32_t dso; /* id, 0 if none */
	uint64_t addr;
};

struct stack_table {
	bool by_addr; /* set before use: links are addresses, not functions */
	struct arena arena;
	struct {
		struct site *items;
		size_t count, capacity;
	} sites;
	struct {
		struct stack_link *items;
		size_t count, capacity;
	} links;
	struct {
		struct stack *items;
		size_t count, capacity;
	} stacks;
	uint32_t *link_of; /* by site, after stack_settle() */
	struct index site_index, link_index, stack_index;
};

/* The site of an address in a mapping; one that is new gets @place as it is. */
uint32_t stack_site(struct stack_table *table, const struct place *place);
uint32_t stack_intern(struct stack_table *table, const uint32_t *sites, size_t count);
/*
 * Adds the sites of @other to @table, and makes the stacks of @other rows of those. The result is
 * the caller's to free(): for each site of @other its number in @table.
 */
uint32_t *stack_join(struct stack_table *table, struct stack_table *other);
/* Numbers the links, when all sites are there and have their names. */
void stack_settle(struct stack_table *table);

/* Order of links: < 0 if @left comes first. Objects in the order of their ids, then addresses. */
int stack_compare(const struct stack_table *table, uint32_t left_link, uint32_t right_link);
void stack_table_done(struct stack_table *table);
