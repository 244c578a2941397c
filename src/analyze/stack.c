/* stack.c - see stack.h. */
#include "analyze/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/timeline.h"

static uint32_t dso_id(const struct place *place)
{
	return place->map && place->map->dso ? place->map->dso->id : 0;
}

static uint32_t add_link(struct stack_table *table, struct stack_link link)
{
	uint64_t hash = hash_u64(link.addr ^ hash_u64(link.dso));
	uint32_t at;

	for (at = index_first(&table->link_index, hash); at != INDEX_NONE;
	     at = index_next(&table->link_index, hash)) {
		if (table->links.items[at].dso == link.dso &&
		    table->links.items[at].addr == link.addr)
			return at;
	}
	grow(&table->links);
	at = (uint32_t)table->links.count++;
	table->links.items[at] = link;
	index_add(&table->link_index, hash, at);
	return at;
}

static uint32_t find_link(struct stack_table *table, const struct place *place)
{
	struct stack_link link = { .dso = dso_id(place), .addr = place->addr };

	if (place->function && !table->by_addr)
		link.addr = place->function->start;
	return add_link(table, link);
}

void stack_settle(struct stack_table *table)
{
	free(table->link_of);
	table->link_of = xcalloc(table->sites.count + 1, sizeof(*table->link_of));
	for (size_t i = 0; i < table->sites.count; i++)
		table->link_of[i] = find_link(table, &table->sites.items[i].place);
}

uint32_t stack_site(struct stack_table *table, const struct place *place)
{
	uint64_t hash = hash_u64(place->addr ^ hash_u64((uintptr_t)place->map));
	uint32_t at;

	for (at = index_first(&table->site_index, hash); at != INDEX_NONE;
	     at = index_next(&table->site_index, hash)) {
		const struct place *old = &table->sites.items[at].place;

		if (old->addr == place->addr && old->map == place->map)
			return at;
	}
	grow(&table->sites);
	at = (uint32_t)table->sites.count++;
	table->sites.items[at] = (struct site){ .place = *place };
	index_add(&table->site_index, hash, at);
	return at;
}

uint32_t stack_intern(struct stack_table *table, const uint32_t *sites, size_t count)
{
	uint64_t hash = count ? hash_bytes(sites, count * sizeof(*sites)) : 0;
	uint32_t at, *kept;

	for (at = index_first(&table->stack_index, hash); at != INDEX_NONE;
	     at = index_next(&table->stack_index, hash)) {
		const struct stack *old = &table->stacks.items[at];

		if (old->count == count &&
		    (count == 0 || memcmp(old->sites, sites, count * sizeof(*sites)) == 0))
			return at;
	}
	kept = arena_alloc(&table->arena, (count ? count : 1) * sizeof(*kept));
	if (count)
		memcpy(kept, sites, count * sizeof(*kept));
	grow(&table->stacks);
	at = (uint32_t)table->stacks.count++;
	table->stacks.items[at] = (struct stack){ kept, (uint32_t)count };
	index_add(&table->stack_index, hash, at);
	return at;
}

uint32_t *stack_join(struct stack_table *table, struct stack_table *other)
{
	uint32_t *numbers = xcalloc(other->sites.count + 1, sizeof(*numbers));

	for (size_t i = 0; i < other->sites.count; i++)
		numbers[i] = stack_site(table, &other->sites.items[i].place);
	for (size_t i = 0; i < other->stacks.count; i++) {
		struct stack *stack = &other->stacks.items[i];

		for (uint32_t k = 0; k < stack->count; k++)
			stack->sites[k] = numbers[stack->sites[k]];
	}
	index_done(&other->stack_index); /* whose hashes no longer fit */
	return numbers;
}

int stack_compare(const struct stack_table *table, uint32_t left_link, uint32_t right_link)
{
	const struct stack_link *left = &table->links.items[left_link];
	const struct stack_link *right = &table->links.items[right_link];

	if (left->dso != right->dso)
		return left->dso < right->dso ? -1 : 1;
	return (left->addr > right->addr) - (left->addr < right->addr);
}

void stack_table_done(struct stack_table *table)
{
	arena_done(&table->arena);
	free(table->sites.items);
	free(table->links.items);
	free(table->stacks.items);
	free(table->link_of);
	index_done(&table->site_index);
	index_done(&table->link_index);
	index_done(&table->stack_index);
}
