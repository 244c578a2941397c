/* stack.c - see stack.h. */
#include "analyze/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/timeline.h"

static uint32_t dso_id(const struct place *place)
{
	return place->map && place->map->dso ? place->map->dso->id : 0;
}

/* Equal hashes hang in a row that begins in the map; 0 ends it. */
static uint32_t add_link(struct stack_table *table, struct stack_link link)
{
	struct hash_entry *first =
		hash_add(&table->link_of, hash_u64(link.addr ^ hash_u64(link.dso)), NULL);

	for (size_t at = first->index; at; at = table->links.items[at - 1].next) {
		const struct stack_link *old = &table->links.items[at - 1];

		if (old->dso == link.dso && old->addr == link.addr)
			return (uint32_t)at - 1;
	}
	link.next = (uint32_t)first->index;
	grow(&table->links);
	table->links.items[table->links.count++] = link;
	first->index = table->links.count;
	return (uint32_t)table->links.count - 1;
}

static uint32_t find_link(struct stack_table *table, const struct place *place)
{
	struct stack_link link = { .dso = dso_id(place), .addr = place->addr };

	if (place->function && !table->by_addr)
		link.addr = place->function->start;
	return add_link(table, link);
}

uint32_t stack_site(struct stack_table *table, const struct place *place)
{
	uint64_t key = hash_u64(place->addr ^ hash_u64((uintptr_t)place->map));

	for (;; key++) {
		bool is_new;
		struct hash_entry *entry = hash_add(&table->site_of, key, &is_new);
		const struct site *site;

		if (is_new) {
			entry->index = table->sites.count;
			grow(&table->sites);
			table->sites.items[table->sites.count++] =
				(struct site){ *place, find_link(table, place) };
			return (uint32_t)entry->index;
		}
		site = &table->sites.items[entry->index];
		if (site->place.addr == place->addr && site->place.map == place->map)
			return (uint32_t)entry->index;
	}
}

uint32_t stack_intern(struct stack_table *table, const uint32_t *sites, size_t count)
{
	uint64_t hash = count ? hash_bytes(sites, count * sizeof(*sites)) : 0;
	struct hash_entry *first = hash_add(&table->stack_of, hash, NULL);
	uint32_t *kept;

	for (size_t at = first->index; at; at = table->stacks.items[at - 1].next) {
		const struct stack *old = &table->stacks.items[at - 1];

		if (old->count == count &&
		    (count == 0 || memcmp(old->sites, sites, count * sizeof(*sites)) == 0))
			return (uint32_t)at - 1;
	}
	kept = arena_alloc(&table->arena, (count ? count : 1) * sizeof(*kept));
	if (count)
		memcpy(kept, sites, count * sizeof(*kept));
	grow(&table->stacks);
	table->stacks.items[table->stacks.count++] =
		(struct stack){ kept, (uint32_t)count, hash, (uint32_t)first->index };
	first->index = table->stacks.count;
	return (uint32_t)table->stacks.count - 1;
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
	hash_done(&table->site_of);
	hash_done(&table->link_of);
	hash_done(&table->stack_of);
}
