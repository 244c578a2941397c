/* kept-symbols.c - see kept-symbols.h. */
#include "stage/kept-symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/keptnames.h"
#include "object/elf-file.h"
#include "object/symtab.h"

struct kept_symbol {
	struct keptnames_symbol symbol;
	uint64_t order; /* in which they are written */
};

bool kept_symbols_note(struct kept_symbols *symbols, uint64_t addr)
{
	bool is_new;

	(void)hash_add(&symbols->addresses, addr, &is_new);
	return is_new;
}

static void add_symbol(struct kept_symbols *symbols, const struct symbol *symbol, uint64_t order)
{
	uint64_t key = hash_u64(symbol->start ^ hash_bytes(symbol->name, strlen(symbol->name)));
	bool is_new;

	(void)hash_add(&symbols->known, key, &is_new);
	if (!is_new)
		return;
	grow(&symbols->symbols);
	symbols->symbols.items[symbols->symbols.count++] = (struct kept_symbol){
		.symbol = { .start = symbol->start,
			    .size = symbol->end - symbol->start,
			    .is_guess = symbol->sizeless,
			    .name = arena_strdup(&symbols->names, symbol->name) },
		.order = order,
	};
}

size_t kept_symbols_look_up(struct kept_symbols *symbols, const struct symtab *table,
			    const struct elf_file *file)
{
	struct hash_entry *entry = NULL;

	while ((entry = hash_next(&symbols->addresses, entry))) {
		const struct symbol *symbol;
		uint64_t addr = entry->key;

		if (file && !elf_file_offset_to_vaddr(file, entry->key, &addr))
			continue;
		symbol = symtab_find(table, addr);
		if (symbol)
			add_symbol(symbols, symbol,
				   file ? symbol->start : symtab_order(table, symbol));
	}
	return kept_symbols_drop(symbols);
}

size_t kept_symbols_drop(struct kept_symbols *symbols)
{
	size_t count = symbols->addresses.count;

	hash_done(&symbols->addresses);
	symbols->addresses = (struct hash){ 0 };
	return count;
}

static int by_order(const void *va, const void *vb)
{
	const struct kept_symbol *a = va, *b = vb;
	int by = (a->order > b->order) - (a->order < b->order);

	return by ? by : strcmp(a->symbol.name, b->symbol.name);
}

void kept_symbols_encode(struct kept_symbols *symbols, const struct keptnames_object *object,
			 const struct keptnames_segment *segments, struct body_out *out)
{
	size_t count = symbols->symbols.count;
	struct keptnames_object head = *object;
	struct keptnames_symbol *all;

	if (count == 0)
		return;
	qsort(symbols->symbols.items, count, sizeof(*symbols->symbols.items), by_order);
	all = xcalloc(count, sizeof(*all));
	for (size_t i = 0; i < count; i++)
		all[i] = symbols->symbols.items[i].symbol;
	head.symbol_count = count;
	keptnames_encode(&head, segments, all, out);
	free(all);
}

void kept_symbols_done(struct kept_symbols *symbols)
{
	hash_done(&symbols->addresses);
	hash_done(&symbols->known);
	free(symbols->symbols.items);
	arena_done(&symbols->names);
	*symbols = (struct kept_symbols){ 0 };
}
