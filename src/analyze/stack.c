/* stack.c - see stack.h. */
#include "analyze/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

uint32_t stack_append(struct stack_table *table, struct stack stack)
{
	size_t words = stack_row_words(stack.count), begin = table->count;
	size_t marks = table->marked ? (size_t)stack.count * 2 : 0;
	uint32_t *row;

	while (table->capacity - table->count < words + marks)
		table->items = xgrow_room(table->items, &table->capacity, sizeof(*table->items));
	if (begin / 2 >= INDEX_NONE)
		mem_exhausted("numbers of stacks");
	table->count += words + marks;
	row = table->items + begin;
	row[0] = stack.count;
	row[1] = 0;
	row[words - 1] = 0;
	if (stack.count)
		memcpy(row + 2, stack.sites, stack.count * sizeof(*stack.sites));
	if (marks)
		memcpy(row + words, stack.marks, stack.count * sizeof(*stack.marks));
	return (uint32_t)(begin / 2);
}

uint64_t stack_hash(struct stack stack)
{
	uint64_t hash =
		stack.count ? hash_bytes(stack.sites, stack.count * sizeof(*stack.sites)) : 0;

	if (stack.marks && stack.count)
		hash ^= hash_bytes(stack.marks, stack.count * sizeof(*stack.marks));
	return hash;
}

void stack_expect_row(const struct stack_table *table, uint64_t hash)
{
	uint32_t at = index_guess(&table->index, hash);

	if (at != INDEX_NONE)
		__builtin_prefetch(table->items + (size_t)at * 2);
}

static bool is_same(struct stack left, struct stack right)
{
	if (left.count != right.count)
		return false;
	if (left.count == 0)
		return true;
	return memcmp(left.sites, right.sites, left.count * sizeof(*left.sites)) == 0 &&
	       (!left.marks ||
		memcmp(left.marks, right.marks, left.count * sizeof(*left.marks)) == 0);
}

uint32_t stack_intern_hashed(struct stack_table *table, uint64_t hash, struct stack stack)
{
	uint32_t at;

	for (at = index_first(&table->index, hash); at != INDEX_NONE;
	     at = index_next(&table->index, hash)) {
		if (is_same(stack_at(table, at), stack))
			return at;
	}
	at = stack_append(table, stack);
	index_add(&table->index, hash, at);
	return at;
}

uint32_t stack_intern(struct stack_table *table, struct stack stack)
{
	return stack_intern_hashed(table, stack_hash(stack), stack);
}

void stack_table_done(struct stack_table *table)
{
	free_room(table);
	index_done(&table->index);
	*table = (struct stack_table){ 0 };
}
