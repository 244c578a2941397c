/* resolver-objects.c - the list of a resolver's objects, by their dso's id, and how they go. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/data-accesses.h"
#include "object/elf-file.h"
#include "symbol/resolver-state.h"

enum { IDLE_MOST = 4 };

/* Ids go on counting while others are asked for, so what is there must not move. */
static _Atomic(struct object *) *slot_of(struct resolver *resolver, uint32_t id)
{
	uint64_t place = (uint64_t)id + RESOLVER_FIRST_SEGMENT;
	unsigned segment = 63U - (unsigned)__builtin_clzll(place) - 5U;
	size_t size = (size_t)RESOLVER_FIRST_SEGMENT << segment;
	_Atomic(struct object *) *slots =
		atomic_load_explicit(&resolver->segments[segment], memory_order_acquire);

	if (!slots) {
		pthread_mutex_lock(&resolver->lock);
		slots = resolver->segments[segment];
		if (!slots) {
			slots = xcalloc(size, sizeof(*slots));
			resolver->segments[segment] = slots;
		}
		pthread_mutex_unlock(&resolver->lock);
	}
	return &slots[place - size];
}

struct object *resolver_object(struct resolver *resolver, const struct dso *dso)
{
	_Atomic(struct object *) *slot = slot_of(resolver, dso->id);
	struct object *object = atomic_load_explicit(slot, memory_order_acquire);

	if (object)
		return object;
	pthread_mutex_lock(&resolver->lock);
	object = *slot;
	if (!object) {
		object = xnew(struct object);
		pthread_mutex_init(&object->lock, NULL);
		*slot = object;
	}
	pthread_mutex_unlock(&resolver->lock);
	return object;
}

static void object_free(struct object *object)
{
	if (!object)
		return;
	data_accesses_free(object->data);
	names_done(&object->names);
	free(object->cache);
	free(object->functions);
	hash_done(&object->selves);
	hash_done(&object->outlived);
	inlined_functions_done(&object->inlined);
	cfi_free(object->cfi);
	binary_done(&object->binary);
	elf_file_free(object->vmlinux);
	arena_done(&object->arena);
	pthread_mutex_destroy(&object->lock);
	free(object);
}

struct object *resolver_next_object(const struct resolver *resolver, uint32_t *id)
{
	for (uint64_t place = (uint64_t)*id + RESOLVER_FIRST_SEGMENT; place <= UINT32_MAX;) {
		unsigned segment = 63U - (unsigned)__builtin_clzll(place) - 5U;
		uint64_t begin = (uint64_t)RESOLVER_FIRST_SEGMENT << segment, end = 2 * begin;
		_Atomic(struct object *) *slots = resolver->segments[segment];

		for (; slots && place < end; place++) {
			if (slots[place - begin]) {
				*id = (uint32_t)(place - RESOLVER_FIRST_SEGMENT);
				return slots[place - begin];
			}
		}
		place = end;
	}
	return NULL;
}

void resolver_free_objects(struct resolver *resolver)
{
	struct object *object;

	for (uint32_t id = 0; (object = resolver_next_object(resolver, &id)); id++)
		object_free(object);
	for (size_t i = 0; i < RESOLVER_SEGMENTS; i++)
		free(resolver->segments[i]);
}

/* Functions that were asked for outlive the table that has their names, and are the same in the
 * next one that has them. */
static void keep_functions(struct object *object)
{
	size_t count = object->functions ? symtab_count(object->names.table) : 0;

	for (size_t i = 0; i < count; i++) {
		struct function *function = object->functions[i];

		if (!function)
			continue;
		if (function->name == symtab_at(object->names.table, i)->name)
			function->name = arena_strdup(&object->arena, function->name);
		hash_add(&object->outlived, function->start, NULL)->pointer = function;
	}
}

void resolver_drop_names(struct object *object)
{
	keep_functions(object);
	data_accesses_free(take(object->data));
	object->data_searched = false;
	names_done(&object->names);
	object->names = (struct names){ 0 };
	free(take(object->cache));
	free(take(object->functions));
	inlined_functions_forget(&object->inlined);
	cfi_free(take(object->cfi));
	binary_done(&object->binary);
	elf_file_free(take(object->vmlinux));
	object->vmlinux_searched = false;
	object->cfi_searched = false;
	object->without_debuginfo = false;
	object->loaded = false;
}

/* Nobody has had it mapped for a while. */
static void retire(struct object *object)
{
	object->reason = object->names.reason;
	object->is_retired = true;
	resolver_drop_names(object);
}

static void age(struct object *object, bool is_mapped)
{
	object->idle_count = is_mapped ? 0 : object->idle_count + 1;
	if (object->idle_count >= IDLE_MOST && object->loaded)
		retire(object);
}

void resolver_carry(struct resolver *resolver, const struct carried *carried)
{
	struct object *object;

	resolver->options.carried = carried;
	resolver->rename_count++;
	for (uint32_t id = 0; (object = resolver_next_object(resolver, &id)); id++) {
		if (object->loaded && object->names.own_table)
			continue;
		if (object->loaded)
			resolver_drop_names(object);
		object->is_retired = false;
	}
}

void resolver_forget(struct resolver *resolver, const struct hash *dsos)
{
	struct object *object;

	for (uint32_t id = 0; (object = resolver_next_object(resolver, &id)); id++) {
		const struct hash_entry *used = hash_find(dsos, id);

		if (timeline_dso(resolver->timeline, id)) {
			age(object, used && used->number == DSO_MAPPED);
			continue;
		}
		object_free(object);
		*slot_of(resolver, id) = NULL;
	}
}
