/*
 * stack.h - call chains, each kept once.
 *
 * A site is a place that occurs in chains, with a number. Two sites are the same link of a chain if
 * they are in the same function, or, without one, at the same address (or always at the same
 * address: stack_table.by_addr); then they have the same link number. A stack is a row of sites,
 * innermost first. Numbers count from 0; items live as long as the table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "symbol/resolve.h"

struct site {
	struct place place;
	uint32_t link;
};

struct stack {
	const uint32_t *sites;
	uint32_t count;
	uint64_t hash;
	uint32_t next; /* of equal hash, + 1 */
};

/* What links are told apart and ordered by. */
struct stack_link {
	uint32_t dso; /* id, 0 if none */
	uint64_t addr;
	uint32_t next; /* of equal hash, + 1 */
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
	struct hash site_of, link_of, stack_of;
};

uint32_t stack_site(struct stack_table *table, const struct place *place);
uint32_t stack_intern(struct stack_table *table, const uint32_t *sites, size_t count);

/* Order of links: < 0 if @left comes first. Objects in the order of their ids, then addresses. */
int stack_compare(const struct stack_table *table, uint32_t left_link, uint32_t right_link);
void stack_table_done(struct stack_table *table);
