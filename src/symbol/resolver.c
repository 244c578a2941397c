/* resolver.c - see resolve.h. */
#include "symbol/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/timeline.h"
#include "object/demangle.h"
#include "symbol/buildid-cache.h"
#include "symbol/resolver-state.h"

/*
 * A recent address and the number of its symbol, in one word so that it needs no lock: 39 bits of
 * address above the table's first, 25 bits of number + 1.
 */
enum { CACHE_INDEX_BITS = 25 };

struct resolver *resolver_new(const struct resolver_options *options,
			      const struct timeline *timeline)
{
	struct resolver *resolver = xnew(struct resolver);

	resolver->options = *options;
	resolver->timeline = timeline;
	buildid_cache_folder(&resolver->folder);
	pthread_mutex_init(&resolver->lock, NULL);
	return resolver;
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	resolver_free_objects(resolver);
	kernel_names_done(&resolver->kernel);
	str_done(&resolver->folder);
	pthread_mutex_destroy(&resolver->lock);
	free(resolver);
}

/* The table's symbol through the cache of recent addresses. */
static const struct symbol *find_symbol(struct object *object, const struct map *map, uint64_t addr)
{
	const uint64_t index_mask = (UINT64_C(1) << CACHE_INDEX_BITS) - 1;
	uint64_t key = addr - object->first_addr, word;
	const struct symbol *symbol;

	if (!object->cache || key >> (64 - CACHE_INDEX_BITS) || object->names.kind == NAMES_MODULE)
		return names_find(&object->names, map, addr);
	_Atomic uint64_t *slot = &object->cache[hash_u64(key) & object->cache_mask];

	word = atomic_load_explicit(slot, memory_order_relaxed);
	if (word >> CACHE_INDEX_BITS == key && (word & index_mask))
		return symtab_at(object->names.table, (word & index_mask) - 1);
	symbol = names_find(&object->names, map, addr);
	if (symbol) {
		uint64_t index = (uint64_t)(symbol - symtab_at(object->names.table, 0)) + 1;

		if (index <= index_mask)
			atomic_store_explicit(slot, key << CACHE_INDEX_BITS | index,
					      memory_order_relaxed);
	}
	return symbol;
}

/* The same function of a table that is gone, or NULL. */
static struct function *outlived(const struct object *object, const struct function *wanted)
{
	const struct hash_entry *entry = hash_find(&object->outlived, wanted->start);
	struct function *function = entry ? entry->pointer : NULL;

	if (function && function->end == wanted->end && function->is_object == wanted->is_object &&
	    strcmp(function->name, wanted->name) == 0)
		return function;
	return NULL;
}

static struct function *new_function(struct object *object, const struct dso *dso,
				     const struct symbol *symbol, bool readable)
{
	_cleanup_(freep) char *name = readable ? demangle(symbol->name) : NULL;
	const struct function wanted = {
		.name = name ? name : symbol->name,
		.dso = dso,
		.start = symbol->start + object->names.moved_by,
		.end = symbol->end + object->names.moved_by,
		.is_object = symbol->type == SYMBOL_OBJECT,
	};
	struct function *function = outlived(object, &wanted);

	if (function)
		return function;
	function = arena_alloc(&object->arena, sizeof(*function));

	*function = wanted;
	if (name)
		function->name = arena_strdup(&object->arena, name);
	return function;
}

static const struct function *function_of(struct resolver *resolver, struct object *object,
					  const struct dso *dso, const struct symbol *symbol)
{
	size_t index = (size_t)(symbol - symtab_at(object->names.table, 0));
	struct function *function =
		atomic_load_explicit(&object->functions[index], memory_order_acquire);

	if (function)
		return function;
	pthread_mutex_lock(&object->lock);
	function = object->functions[index];
	if (!function) {
		function = new_function(object, dso, symbol,
					object->names.mangled && resolver->options.demangle);
		atomic_store_explicit(&object->functions[index], function, memory_order_release);
	}
	pthread_mutex_unlock(&object->lock);
	return function;
}

/* BPF programs, trampolines, code of JIT dumps: each loading of one is a function. */
static const struct function *self_of(const struct resolver *resolver, struct object *object,
				      const struct map *map)
{
	uint64_t start = names_address(&object->names, map, map->start);
	struct function *function;

	pthread_mutex_lock(&object->lock);
	struct hash_entry *entry = hash_add(&object->selves, start, NULL);

	function = entry->pointer;
	if (!function) {
		const char *name = map->symbol ? map->symbol : map->dso->name;
		bool readable = object->names.mangled && resolver->options.demangle;
		_cleanup_(freep) char *demangled = readable ? demangle(name) : NULL;

		function = arena_alloc(&object->arena, sizeof(*function));
		*function = (struct function){
			.name = arena_strdup(&object->arena, demangled ? demangled : name),
			.dso = map->dso,
			.start = start,
			.end = start + (map->end - map->start),
		};
		entry->pointer = function;
	}
	pthread_mutex_unlock(&object->lock);
	return function;
}

struct place resolver_find(struct resolver *resolver, const struct map *map, uint64_t addr)
{
	struct place place = { .map = map, .addr = addr };
	const struct symbol *symbol;
	struct object *object;

	if (!map)
		return place;
	object = resolver_load(resolver, map->dso);
	place.object_addr = names_address(&object->names, map, addr);
	if (object->names.kind == NAMES_SELF || object->names.kind == NAMES_CODE) {
		place.function = self_of(resolver, object, map);
		return place;
	}
	symbol = object->functions && names_has(&object->names, map, addr)
			 ? find_symbol(object, map, place.object_addr)
			 : NULL;
	if (symbol)
		place.function = function_of(resolver, object, map->dso, symbol);
	else if (addr >= map->end) /* behind the kernel's text, and not the kernel's either */
		place.map = NULL;
	return place;
}

enum reason resolver_reason(struct resolver *resolver, const struct dso *dso)
{
	const struct object *object = resolver_object(resolver, dso);

	if (object->is_retired)
		return object->reason;
	return resolver_load(resolver, dso)->names.reason;
}

enum reason resolver_gap_reason(struct resolver *resolver, const struct dso *dso)
{
	const struct object *object = resolver_object(resolver, dso);

	return object->is_retired ? REASON_NONE : resolver_load(resolver, dso)->names.gap_reason;
}

enum reason resolver_place_reason(struct resolver *resolver, const struct place *place)
{
	const struct dso *dso = place->map ? place->map->dso : NULL;
	enum reason reason;

	if (!dso || place->function)
		return REASON_NONE;
	reason = resolver_reason(resolver, dso);
	if (reason == REASON_NONE)
		reason = resolver_gap_reason(resolver, dso);
	return reason;
}
