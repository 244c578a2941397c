/*
 * carried.h - names of code that a recording carries itself, for when the objects are not there.
 *
 * Filled once, before a resolver uses it; does not change after that.
 *
 * Which names win: of an object that the recording knows by a build-id, those of the file that has
 * it; then the carried ones; then those of a file that is only known by its name, as perf maps are.
 * What the user names (--kallsyms, --vmlinux) goes before all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct carried;
struct carried_object;
struct dso;
struct names;

/* What the addresses of an object's symbols are. */
enum carried_space {
	CARRIED_FILE,   /* those of its ELF file, see carried_add_segment() */
	CARRIED_MODULE, /* the same of its memory */
	CARRIED_MEMORY, /* the process's or the kernel's own */
	CARRIED_JIT,    /* the same, and later symbols go before earlier ones */
};

/* What an object is known by. */
struct carried_key {
	const char *name; /* as in mappings; need not end in a NUL */
	size_t name_size;
	uint64_t ino; /* 0: any */
	const uint8_t *build_id;
	size_t build_id_size; /* 0: any */
};

struct carried *carried_new(void);
void carried_free(struct carried *carried);
CLEANUP(carried_free, struct carried)

/* Of one that is added twice, the first space and segments hold. */
struct carried_object *carried_add(struct carried *carried, const struct carried_key *key,
				   enum carried_space space);
/* Before the first symbol: @vaddr is at @offset, up to @size bytes. */
void carried_add_segment(struct carried_object *object, uint64_t offset, uint64_t size,
			 uint64_t vaddr);
/* The name need not end in a NUL. Of a @size that is a guess no byte is taken from other symbols;
 * one of 0 goes up to the next symbol. */
void carried_add_symbol(struct carried_object *object, uint64_t addr, uint64_t size, bool is_guess,
			const char *name, size_t name_size);
/* After the last symbol. */
void carried_finish(struct carried *carried);

/* How many names of the dso there are. */
size_t carried_count(const struct carried *carried, const struct dso *dso);

/* Names of the dso, which stay with @carried; false if there are none. */
bool carried_load(const struct carried *carried, const struct dso *dso, struct names *ret_names);
