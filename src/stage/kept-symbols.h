/*
 * kept-symbols.h - addresses of an object that were sampled, and what they are called once its
 * symbols are looked at.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

struct body_out;
struct elf_file;
struct keptnames_object;
struct keptnames_segment;
struct symtab;

/* Starts as { 0 }. */
struct kept_symbols {
	struct hash
		addresses; /* that were not looked up: offsets in a file, or the process's own */
	struct hash known; /* symbols, by address and name */
	struct {
		struct kept_symbol *items;
		size_t count, capacity;
	} symbols;
	struct arena names;
};

/* False if the address was noted before and was not looked up since. */
bool kept_symbols_note(struct kept_symbols *symbols, uint64_t addr);
/* What was noted gets its symbols. @file leads from offsets to addresses of @table; NULL: they are
 * of a JIT compiler. How many were looked up, with a symbol or without. */
size_t kept_symbols_look_up(struct kept_symbols *symbols, const struct symtab *table,
			    const struct elf_file *file);
/* What was noted goes, unnamed. How many these are. */
size_t kept_symbols_drop(struct kept_symbols *symbols);
/* Adds entries of FEATURE_STROBE_NAMES: none without symbols. */
void kept_symbols_encode(struct kept_symbols *symbols, const struct keptnames_object *object,
			 const struct keptnames_segment *segments, struct body_out *out);
void kept_symbols_done(struct kept_symbols *symbols);
