/* stack.c - see stack.h. */
#include "analyze/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

static uint32_t add(struct stack_table *table, const uint32_t *sites, size_t count)
{
	size_t words = (count + 3) / 2 * 2, begin = table->count;
	uint32_t *row;

	while (table->capacity - table->count < words)
		table->items = xgrow_room(table->items, &table->capacity, sizeof(*table->items));
	if (begin / 2 >= INDEX_NONE)
		mem_exhausted("numbers of stacks");
	table->count += words;
	row = table->items + begin;
	row[0] = (uint32_t)count;
	row[1] = 0;
	row[words - 1] = 0;
	if (count)
		memcpy(row + 2, sites, count * sizeof(*sites));
	return (uint32_t)(begin / 2);
}

uint64_t stack_hash(const uint32_t *sites, size_t count)
{
	return count ? hash_bytes(sites, count * sizeof(*sites)) : 0;
}

void stack_expect_row(const struct stack_table *table, uint64_t hash)
{
	uint32_t at = index_guess(&table->index, hash);

	if (at != INDEX_NONE)
		__builtin_prefetch(table->items + (size_t)at * 2);
}

uint32_t stack_intern_hashed(struct stack_table *table, uint64_t hash, const uint32_t *sites,
			     size_t count)
{
	uint32_t at;

	for (at = index_first(&table->index, hash); at != INDEX_NONE;
	     at = index_next(&table->index, hash)) {
		struct stack old = stack_at(table, at);

		if (old.count == count &&
		    (count == 0 || memcmp(old.sites, sites, count * sizeof(*sites)) == 0))
			return at;
	}
	at = add(table, sites, count);
	index_add(&table->index, hash, at);
	return at;
}

uint32_t stack_intern(struct stack_table *table, const uint32_t *sites, size_t count)
{
	return stack_intern_hashed(table, stack_hash(sites, count), sites, count);
}

void stack_table_done(struct stack_table *table)
{
	free_room(table);
	index_done(&table->index);
	*table = (struct stack_table){ 0 };
}
