/* ipc.c - see ipc.h. */
#include "analyze/ipc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/blocks.h"
#include "analyze/code.h"
#include "analyze/placeinfo.h"
#include "symbol/resolve.h"

enum { LARGEST = 1 << 20 }; /* bytes of a function: what is larger is none */

/* A function while its blocks are counted. */
struct counter {
	uint8_t *marks; /* of each byte: does an instruction begin there, is it in a block */
	size_t size;
	uint64_t insns, cycles;
};

enum { BEGINS = 1, COVERED = 2 };

static int by_function(const void *a, const void *b)
{
	const struct block *left = *(const struct block *const *)a;
	const struct block *right = *(const struct block *const *)b;
	uintptr_t x = (uintptr_t)left->end.function, y = (uintptr_t)right->end.function;

	return (x > y) - (x < y);
}

/* Marks where instructions begin; false if the code is not there. */
static bool read_function(struct code *code, const struct place *in, struct counter *counter)
{
	const struct function *function = in->function;
	const struct place place = placeinfo_function_begin(in);
	struct insn_reader *reader;
	uint8_t *bytes;
	size_t size;

	if (function->end - function->start > LARGEST)
		return false;
	counter->size = function->end - function->start;
	bytes = xcalloc(counter->size + 1, 1);
	counter->marks = xcalloc(counter->size + 1, 1);
	size = code_copy(code, &place, bytes, counter->size, &reader);
	for (size_t at = 0; at < size;) {
		struct insn insn;
		bool is_one =
			insn_read(reader, bytes + at, size - at, place.addr + at, &insn, NULL);

		if (is_one)
			counter->marks[at] = BEGINS;
		at += is_one ? insn.size : 1;
	}
	free(bytes);
	return size > 0;
}

static void count_block(struct counter *counter, const struct block *block)
{
	uint64_t start = block->end.function->start, count = 0;

	if (!block->begin_known)
		return;
	for (uint64_t at = block->begin.object_addr - start;
	     at <= block->end.object_addr - start && at < counter->size; at++) {
		count += counter->marks[at] & BEGINS;
		counter->marks[at] |= COVERED;
	}
	counter->insns += count * block->whole_count;
	counter->cycles += block->whole_cycles;
}

static double coverage_of(const struct counter *counter)
{
	size_t all = 0, covered = 0;

	for (size_t i = 0; i < counter->size; i++) {
		all += counter->marks[i] & BEGINS;
		covered += counter->marks[i] == (BEGINS | COVERED);
	}
	return all ? 100.0 * (double)covered / (double)all : 0.0;
}

/* The blocks of one function. */
static void add_function(struct ipc_table *table, struct code *code,
			 const struct block *const *blocks, size_t count)
{
	struct counter counter = { 0 };

	if (read_function(code, &blocks[0]->end, &counter)) {
		for (size_t i = 0; i < count; i++)
			count_block(&counter, blocks[i]);
	}
	if (counter.insns > 0) {
		grow(&table->all);
		hash_add(&table->by_function, (uintptr_t)blocks[0]->end.function, NULL)->index =
			table->all.count;
		table->all.items[table->all.count++] =
			(struct ipc){ (double)counter.insns / (double)counter.cycles,
				      coverage_of(&counter) };
	}
	free(counter.marks);
}

void ipc_table_fill(struct ipc_table *table, struct profile *profile,
		    const struct blocks_event *blocks)
{
	const struct block **sorted = xcalloc(blocks->count + 1, sizeof(*sorted));
	struct code code;

	for (size_t i = 0; i < blocks->count; i++)
		sorted[i] = &blocks->items[i];
	if (blocks->count > 0)
		qsort(sorted, blocks->count, sizeof(*sorted), by_function);
	code_init(&code, profile);
	for (size_t begin = 0, end; begin < blocks->count; begin = end) {
		for (end = begin + 1; end < blocks->count &&
				      sorted[end]->end.function == sorted[begin]->end.function;)
			end++;
		add_function(table, &code, sorted + begin, end - begin);
	}
	code_done(&code);
	free(sorted);
}

void ipc_table_done(struct ipc_table *table)
{
	hash_done(&table->by_function);
	free(table->all.items);
	*table = (struct ipc_table){ 0 };
}

const struct ipc *ipc_find(const struct ipc_table *table, const struct function *function)
{
	const struct hash_entry *found =
		function ? hash_find(&table->by_function, (uintptr_t)function) : NULL;

	return found ? &table->all.items[found->index] : NULL;
}
