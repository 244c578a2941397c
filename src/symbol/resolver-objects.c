/* resolver-objects.c - the list of a resolver's objects, by their dso's id, and how they go. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/timeline.h"
#include "object/cfi.h"
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
	names_done(&object->names);
	free(object->cache);
	free(object->functions);
	hash_done(&object->selves);
	cfi_free(object->cfi);
	binary_done(&object->binary);
	elf_file_free(object->vmlinux);
	arena_done(&object->arena);
	pthread_mutex_destroy(&object->lock);
	free(object);
}

void resolver_free_objects(struct resolver *resolver)
{
	for (size_t i = 0; i < RESOLVER_SEGMENTS; i++) {
		_Atomic(struct object *) *segment = resolver->segments[i];

		for (size_t k = 0; segment && k < (size_t)RESOLVER_FIRST_SEGMENT << i; k++)
			object_free(segment[k]);
		free(segment);
	}
}

/* Functions that were asked for outlive the table that has their names. */
static void keep_functions(struct object *object)
{
	size_t count = object->functions ? symtab_count(object->names.table) : 0;

	for (size_t i = 0; i < count; i++) {
		struct function *function = object->functions[i];

		if (function && function->name == symtab_at(object->names.table, i)->name)
			function->name = arena_strdup(&object->arena, function->name);
	}
}

static void retire(struct object *object)
{
	keep_functions(object);
	object->reason = object->names.reason;
	object->is_retired = true;
	names_done(&object->names);
	object->names = (struct names){ 0 };
	free(take(object->cache));
	free(take(object->functions));
	cfi_free(take(object->cfi));
	binary_done(&object->binary);
	elf_file_free(take(object->vmlinux));
	object->vmlinux_searched = false;
	object->cfi_searched = false;
	object->loaded = false;
}

static void age(struct object *object, bool is_mapped)
{
	object->idle_count = is_mapped ? 0 : object->idle_count + 1;
	if (object->idle_count >= IDLE_MOST && object->loaded)
		retire(object);
}

void resolver_carry(struct resolver *resolver, const struct carried *carried)
{
	resolver->options.carried = carried;
	for (size_t i = 0; i < RESOLVER_SEGMENTS; i++) {
		_Atomic(struct object *) *segment = resolver->segments[i];

		for (size_t k = 0; segment && k < (size_t)RESOLVER_FIRST_SEGMENT << i; k++) {
			struct object *object = segment[k];

			if (!object || (object->loaded && object->names.own_table))
				continue;
			if (object->loaded)
				retire(object);
			object->is_retired = false;
		}
	}
}

void resolver_forget(struct resolver *resolver, const struct hash *dsos)
{
	for (size_t i = 0; i < RESOLVER_SEGMENTS; i++) {
		_Atomic(struct object *) *segment = resolver->segments[i];
		size_t size = (size_t)RESOLVER_FIRST_SEGMENT << i;

		for (size_t k = 0; segment && k < size; k++) {
			uint32_t id = (uint32_t)(size + k - RESOLVER_FIRST_SEGMENT);
			const struct hash_entry *used;

			if (!segment[k])
				continue;
			if (timeline_dso(resolver->timeline, id)) {
				used = hash_find(dsos, id);
				age(segment[k], used && used->number == DSO_MAPPED);
				continue;
			}
			object_free(segment[k]);
			segment[k] = NULL;
		}
	}
}
