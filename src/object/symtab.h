/* symtab.h - the names of one address space: a table of [start, end) -> name that no longer
 * changes.
 *
 * ELF files, kallsyms and perf maps fill a builder in any order; symtab_build() settles what each
 * address is called, once, so that symtab_find() is a binary search that any number of threads may
 * do at the same time.
 *
 * How an address gets its name:
 *
 * 1. Among symbols that start at one address ("aliases") one is chosen. In this order: with a size
 *    before without; not weak before weak; global before local; fewer leading underscores and then
 *    more characters, of the demangled name; not the kernel's "SyS" or "compat_SyS"; the one added
 *    first. Among those without a size, as all of kallsyms, it is simply the one added last. perf
 *    does the same, except that it may prefer an empty function to a real one at the same address.
 *    The others stay listed behind it.
 * 2. A symbol without a size reaches to the next symbol's start, but not beyond its limit. Without
 *    a limit, the last symbol, and the last of its group, ends one page after the page it
 *    starts in.
 * 3. Where symbols overlap, SYMTAB_INNERMOST gives the address to the one that starts last (an
 *    entry in a function); what is behind the inner one is the outer one's again. But one without
 *    a size (a label in a function) gets only what no other covers: its end is a guess. Here perf
 *    names the one or the other, by the order in which the object lists them. SYMTAB_LATEST gives
 *    the address to the one that was added last (code that was compiled over other code).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum symbol_binding { SYMBOL_GLOBAL, SYMBOL_WEAK, SYMBOL_LOCAL };
enum symbol_type { SYMBOL_FUNC, SYMBOL_OBJECT, SYMBOL_LABEL, SYMBOL_PLT };

struct symbol {
	uint64_t start, end; /* of the symbol itself, even where an inner one has a part of it */
	const char *name;    /* as in the file, mangled; lives as long as the table */
	uint16_t group;      /* kernel module or the like; 0 where there are none */
	uint8_t binding;     /* enum symbol_binding */
	uint8_t type;        /* enum symbol_type */
	uint8_t sizeless;    /* the end is a guess by rule 2 */
};

enum symtab_overlap { SYMTAB_INNERMOST, SYMTAB_LATEST };

struct symtab;
struct symtab_builder;

/* A sizeless symbol's limit when the filler knows none. */
#define SYMTAB_NO_LIMIT UINT64_MAX

struct symtab_builder *symtab_builder_new(void);
void symtab_builder_free(struct symtab_builder *builder);
CLEANUP(symtab_builder_free, struct symtab_builder)

/* Adds a copy of the symbol and of its name. If start == end the size is unknown and limit is the
 * highest address the symbol may end at; otherwise limit is not used. An end before the start is
 * taken as no size.
 */
void symtab_builder_add(struct symtab_builder *builder, const struct symbol *symbol,
			uint64_t limit);

/* The same of a symbol whose name the builder has already: symtab_builder_keep() copies one of at
 * most @size bytes, which lives as the builder and its table do.
 */
const char *symtab_builder_keep(struct symtab_builder *builder, const char *name, size_t size);
void symtab_builder_add_kept(struct symtab_builder *builder, const struct symbol *symbol,
			     uint64_t limit);

/* The name that rule 1 chooses, among those added so far, for the symbol that starts at the
 * address; or NULL. Borrowed until symtab_build(). Sorts when something was added since the last
 * call.
 */
const char *symtab_builder_name_at(struct symtab_builder *builder, uint64_t start);

/* Turns the builder into a table; the builder is gone afterwards. Never fails; may be empty. */
struct symtab *symtab_build(struct symtab_builder *builder, enum symtab_overlap overlap);
void symtab_free(struct symtab *table);
CLEANUP(symtab_free, struct symtab)

/* The symbol that names the address, or NULL. Borrowed, as long as the table. O(log n). */
const struct symbol *symtab_find(const struct symtab *table, uint64_t addr);

/*
 * All symbols, aliases too, by start; at one start the chosen one first. In a table built with
 * SYMTAB_LATEST those behind it are the names that were overwritten, latest first.
 */
size_t symtab_count(const struct symtab *table);
const struct symbol *symtab_at(const struct symtab *table, size_t i);

/* How many symbols were added before one of a table built with SYMTAB_LATEST. */
uint32_t symtab_order(const struct symtab *table, const struct symbol *symbol);

/* The first symbol of that name by address, or NULL. Reads the whole table. */
const struct symbol *symtab_find_name(const struct symtab *table, const char *name);
