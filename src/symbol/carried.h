/*
 * carried.h - names of code that a recording carries itself, for when the objects are not there.
 *
 * Filled once, before a resolver uses it; does not change after that.
 *
 * Which names win: of an object that the recording knows by a build-id, those of the file that has
 * it; then the carried ones; then those of a file that is only known by its name. What the user
 * names (--kallsyms, --vmlinux) goes before all.
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
	CARRIED_FILE,   /* those of its ELF file: @vaddr is at @offset of the file */
	CARRIED_MODULE, /* @vaddr is at @offset of its memory */
	CARRIED_MEMORY, /* the process's or the kernel's own */
};

struct carried *carried_new(void);
void carried_free(struct carried *carried);
CLEANUP(carried_free, struct carried)

/* The object's name is as in mappings; it need not end in a NUL. Of a name that is added twice, the
 * first space and addresses hold. */
struct carried_object *carried_add(struct carried *carried, const char *name, size_t name_size,
				   enum carried_space space, uint64_t vaddr, uint64_t offset);
/* A @size of 0: up to the next symbol. */
void carried_add_symbol(struct carried_object *object, uint64_t addr, uint64_t size,
			const char *name, size_t name_size);
/* After the last symbol. */
void carried_finish(struct carried *carried);

/* Names of the dso, which stay with @carried; false if there are none. */
bool carried_load(const struct carried *carried, const struct dso *dso, struct names *ret_names);
