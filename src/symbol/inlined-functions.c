/* inlined-functions.c - see inlined-functions.h. */
#include "symbol/inlined-functions.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "object/demangle.h"
#include "object/inlines.h"
#include "symbol/resolve.h"

static uint64_t hash_of(const char *name, const struct function *into)
{
	return hash_u64((uintptr_t)name ^ hash_u64((uintptr_t)into->dso ^ into->start));
}

static bool is_in(const struct function *function, const struct function *into)
{
	return function->start == into->start && function->end == into->end;
}

static struct function *new_function(struct inlined_functions *functions, const char *name,
				     const struct function *into)
{
	struct function *function = arena_alloc(&functions->arena, sizeof(*function));

	*function = (struct function){
		.name = name,
		.dso = into->dso,
		.start = into->start,
		.end = into->end,
		.inlined = true,
	};
	return function;
}

/* @name is one of functions->names: equal ones are one. */
static struct function *function_of(struct inlined_functions *functions, const char *name,
				    const struct function *into)
{
	uint64_t hash = hash_of(name, into);

	for (uint32_t at = index_first(&functions->index, hash); at != INDEX_NONE;
	     at = index_next(&functions->index, hash)) {
		struct function *function = functions->all.items[at];

		if (function->name == name && is_in(function, into))
			return function;
	}
	grow(&functions->all);
	index_add(&functions->index, hash, (uint32_t)functions->all.count);
	functions->all.items[functions->all.count] = new_function(functions, name, into);
	return functions->all.items[functions->all.count++];
}

/* A name of the source is not mangled, whatever it looks like: a C function may be called f. */
static const char *name_of(struct inlined_functions *functions, const struct inlined *inlined,
			   bool demangles)
{
	_cleanup_(freep) char *readable =
		demangles && inlined->is_linkage ? demangle(inlined->name) : NULL;

	return strings_keep(&functions->names, readable ? readable : inlined->name);
}

const struct function *inlined_functions_find(struct inlined_functions *functions,
					      const struct inlined *inlined,
					      const struct function *into, bool demangle)
{
	struct hash_entry *entry;

	if (!inlined->name)
		return NULL;
	entry = hash_add(&functions->known, (uintptr_t)inlined, NULL);
	if (!entry->pointer || !is_in(entry->pointer, into))
		entry->pointer =
			function_of(functions, name_of(functions, inlined, demangle), into);
	return entry->pointer;
}

void inlined_functions_keep(struct inlined_functions *functions, uint64_t addr,
			    const struct inlined *inlined, const struct function *into,
			    bool demangle)
{
	struct inlined_chain *chain;
	uint32_t depth = 0;

	if (hash_find(&functions->chains, addr))
		return;
	for (const struct inlined *at = inlined; at; at = at->outer)
		depth++;
	chain = arena_alloc(&functions->arena, sizeof(*chain) + depth * sizeof(*chain->functions));
	chain->count = 0;
	for (; inlined; inlined = inlined->outer) {
		const struct function *function =
			inlined_functions_find(functions, inlined, into, demangle);

		if (function)
			chain->functions[chain->count++] = function;
	}
	hash_add(&functions->chains, addr, NULL)->pointer = chain;
}

const struct inlined_chain *inlined_functions_kept(const struct inlined_functions *functions,
						   uint64_t addr)
{
	const struct hash_entry *entry = hash_find(&functions->chains, addr);

	return entry ? entry->pointer : NULL;
}

void inlined_functions_forget(struct inlined_functions *functions)
{
	hash_done(&functions->known);
}

void inlined_functions_done(struct inlined_functions *functions)
{
	hash_done(&functions->known);
	hash_done(&functions->chains);
	strings_done(&functions->names);
	free(functions->all.items);
	index_done(&functions->index);
	arena_done(&functions->arena);
}
