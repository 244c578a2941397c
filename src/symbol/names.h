/*
 * names.h - what the addresses of one dso are called, once its symbols were found: a table, and the
 * way from a run-time address to an address in it.
 *
 *   NAMES_FILE      addr -> offset in the file -> vaddr, by the program headers
 *   NAMES_IDENTITY  JIT code: the process's own address
 *   NAMES_KERNEL    the kernel: less what it was moved by (KASLR) since its symbols were written
 *   NAMES_MODULE    a module's .ko file: code is laid out from .text on
 *   NAMES_SELF      a KSYMBOL: the whole mapping is one function, of the dso's name
 *   NAMES_CODE      code of a JIT dump: the mapping is one function, which has its own name; addr
 *                   -> offset in the dump
 *
 * Does not change after it was loaded.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/symtab.h"
#include "symbol/reason.h"

struct dso;
struct elf_file;
struct elf_file_segment;
struct kallsyms;
struct map;
struct resolver_options;

enum names_kind { NAMES_FILE, NAMES_IDENTITY, NAMES_KERNEL, NAMES_MODULE, NAMES_SELF, NAMES_CODE };

/* Starts as { 0 }: no names, and addresses are offsets in a file. */
struct names {
	enum names_kind kind;
	const struct symtab *table; /* NULL: none */
	struct symtab *own_table;   /* the same, where it is not shared */
	enum reason reason;         /* why there are none; REASON_NONE if there are some */
	enum reason gap_reason;     /* why functions may have none where others have some */
	bool mangled;               /* names are C++'s or Rust's */

	struct elf_file_segment *segments; /* NAMES_FILE */
	size_t segment_count;
	uint64_t moved_by;               /* NAMES_KERNEL */
	bool only_group;                 /* NAMES_KERNEL: symbols of other groups are not its own */
	uint16_t group;                  /* NAMES_KERNEL: of a module */
	uint64_t text_offset, text_size; /* NAMES_MODULE */
};

void names_done(struct names *names);

/* Takes over the symbols of a file (and of its debug file, may be NULL) and its segments. */
void names_set_file(struct names *names, const struct elf_file *file, const struct elf_file *debug);
/* Takes the table. */
void names_set_table(struct names *names, enum names_kind kind, struct symtab *table);

/*
 * Whether the object itself has something at the address: not beyond what of a file is loaded, and
 * only code in memory that took the place of code.
 */
bool names_has(const struct names *names, const struct map *map, uint64_t addr);
/* The address in the object's own space (see struct place), and the symbol there or NULL. */
uint64_t names_address(const struct names *names, const struct map *map, uint64_t addr);
const struct symbol *names_find(const struct names *names, const struct map *map,
				uint64_t object_addr);
