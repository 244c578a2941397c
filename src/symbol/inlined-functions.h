/*
 * inlined-functions.h - what is known of functions that were put into others, each made once.
 *
 * One that was put into a function several times is one function there; in another function it is
 * another one. Where it begins and ends is where that which it was put into does: code of it is
 * here and there in between.
 *
 * Starts as { 0 }; for one thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/strings.h"

struct function;
struct inlined;

struct inlined_functions {
	struct hash known; /* by the address of a struct inlined */
	struct strings names;
	struct {
		struct function **items;
		size_t count, capacity;
	} all;
	struct index index;
	struct hash chains; /* by address: struct inlined_chain */
	struct arena arena;
};

/* Functions that are within each other, innermost first; the one that all of them are in is left
 * out.
 */
struct inlined_chain {
	uint32_t count;
	const struct function *functions[];
};

/* @inlined was put into @into, perhaps by way of others. NULL if it has no name. */
const struct function *inlined_functions_find(struct inlined_functions *functions,
					      const struct inlined *inlined,
					      const struct function *into, bool demangle);
/* Keeps what is within each other at an address of the object. */
void inlined_functions_keep(struct inlined_functions *functions, uint64_t addr,
			    const struct inlined *inlined, const struct function *into,
			    bool demangle);
/* NULL: nothing. */
const struct inlined_chain *inlined_functions_kept(const struct inlined_functions *functions,
						   uint64_t addr);
/* The debug information goes, and with it what was asked for; functions and what is kept stay. */
void inlined_functions_forget(struct inlined_functions *functions);
void inlined_functions_done(struct inlined_functions *functions);
