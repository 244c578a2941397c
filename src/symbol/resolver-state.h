/*
 * resolver-state.h - what a resolver is made of; for the files resolver*.c.
 *
 * An object is what is known of a dso. It is filled once, under its lock; after that its table is
 * only read, by any number of threads. What comes later, functions that someone asked for, is
 * reached through atomic pointers: they are made under the lock and never change.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "symbol/binary.h"
#include "symbol/inlined-functions.h"
#include "symbol/jit-file.h"
#include "symbol/kernel-names.h"
#include "symbol/names.h"
#include "symbol/resolve.h"

struct cfi;
struct data_accesses;
struct debuginfo;
struct elf_file;

enum {
	/* of the list of objects: 32, 64, 128, ... up to all that an id can count */
	RESOLVER_SEGMENTS = 27,
	RESOLVER_FIRST_SEGMENT = 32,
};

struct object {
	pthread_mutex_t lock;
	atomic_bool loaded;
	struct names names;
	uint64_t first_addr;
	size_t cache_mask;
	_Atomic uint64_t *cache;               /* NULL: a table so small that it is not worth it */
	_Atomic(struct function *) *functions; /* by the symbol's number in the table */
	struct hash selves;                    /* NAMES_SELF, NAMES_CODE: by start */
	struct hash outlived;                  /* functions of tables that are gone: by start */
	struct inlined_functions inlined;
	struct binary binary;     /* its files, where it has some */
	struct elf_file *vmlinux; /* of the kernel: the image of its code, or NULL */
	bool vmlinux_searched;
	struct cfi *cfi; /* NULL: none, or nobody has asked yet; once searched it does not change */
	atomic_bool cfi_searched;
	struct data_accesses *data; /* the same, but for what it remembers */
	bool data_searched;
	atomic_bool without_debuginfo;   /* it was searched for, and there is none */
	struct jit_file_stamp map_stamp; /* of the perf map, when it was read */
	uint64_t map_looked_ns;          /* when it was last looked at; 0: it has none */
	struct arena arena;              /* functions and their names */
	unsigned idle_count; /* times in a row that something was forgotten and nobody mapped it */
	bool is_retired;     /* it was loaded, and is not any more */
	enum reason reason;  /* why there were no names then */
};

struct resolver {
	struct resolver_options options;
	const struct timeline *timeline;
	struct str folder;    /* of the build-id cache */
	pthread_mutex_t lock; /* of what is below */
	_Atomic(_Atomic(struct object *) *) segments[RESOLVER_SEGMENTS];
	bool kernel_searched;
	struct kernel_names kernel;
	uint64_t rename_count; /* see resolver_rename_count() */
};

/* The next object whose id is not below *id, which becomes its own; NULL if there is none. */
struct object *resolver_next_object(const struct resolver *resolver, uint32_t *id);
/* Its names go, and are found again when somebody asks. */
void resolver_drop_names(struct object *object);

/* The object of a dso, made if there was none: not loaded by that. */
struct object *resolver_object(struct resolver *resolver, const struct dso *dso);
void resolver_free_objects(struct resolver *resolver);

/* What its binary is found by, under its lock. */
struct binary_source resolver_source(struct resolver *resolver, const struct dso *dso);

/* The debug information and the file that has the code of a loaded object, under its lock; or NULL.
 */
struct debuginfo *resolver_debuginfo(struct resolver *resolver, struct object *object,
				     const struct dso *dso);
const struct elf_file *resolver_code_file(struct resolver *resolver, struct object *object,
					  const struct dso *dso);
/* Its call frame information, without its lock; or NULL. */
const struct cfi *resolver_object_cfi(struct resolver *resolver, const struct dso *dso);

/* The object with its names, or the reason why there are none. */
struct object *resolver_load(struct resolver *resolver, const struct dso *dso);
