/*
 * resolver.c - see resolve.h.
 *
 * An object is what is known of a dso. It is filled once, under its lock; after that its table is
 * only read, by any number of threads. What comes later, functions that someone asked for, is
 * reached through atomic pointers: they are made under the lock and never change.
 */
#include "symbol/resolve.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/timeline.h"
#include "object/cfi.h"
#include "object/demangle.h"
#include "object/elf-file.h"
#include "object/insn.h"
#include "object/lines.h"
#include "symbol/buildid-cache.h"
#include "symbol/carried.h"
#include "symbol/file-names.h"
#include "symbol/kernel-names.h"
#include "symbol/names.h"

enum {
	SEGMENTS = 27, /* of the list of objects: 32, 64, 128, ... up to all that an id can count */
	FIRST_SEGMENT = 32,
	CACHE_MAX = 1 << 14,
	IDLE_MOST = 4,
};

/*
 * A recent address and the number of its symbol, in one word so that it needs no lock: 39 bits of
 * address above the table's first, 25 bits of number + 1.
 */
enum { CACHE_INDEX_BITS = 25 };

struct object {
	pthread_mutex_t lock;
	atomic_bool loaded;
	struct names names;
	uint64_t first_addr;
	size_t cache_mask;
	_Atomic uint64_t *cache;               /* NULL: a table so small that it is not worth it */
	_Atomic(struct function *) *functions; /* by the symbol's number in the table */
	struct hash selves;                    /* NAMES_SELF: by start */
	struct lines *lines;                   /* NULL: none, or nobody has asked yet */
	bool lines_searched;
	struct elf_file *code; /* the same */
	bool code_searched;
	struct cfi *cfi; /* the same; once searched it does not change */
	atomic_bool cfi_searched;
	struct arena arena;  /* functions and their names */
	unsigned idle_count; /* times in a row that something was forgotten and nobody mapped it */
	bool is_retired;     /* it was loaded, and is not any more */
	const char *reason;  /* why there were no names then */
};

struct resolver {
	struct resolver_options options;
	const struct timeline *timeline;
	struct str folder;    /* of the build-id cache */
	pthread_mutex_t lock; /* of what is below */
	_Atomic(_Atomic(struct object *) *) segments[SEGMENTS];
	bool kernel_searched;
	struct kernel_names kernel;
};

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

static void object_free(struct object *object)
{
	if (!object)
		return;
	names_done(&object->names);
	free(object->cache);
	free(object->functions);
	hash_done(&object->selves);
	lines_free(object->lines);
	elf_file_free(object->code);
	cfi_free(object->cfi);
	arena_done(&object->arena);
	pthread_mutex_destroy(&object->lock);
	free(object);
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	for (size_t i = 0; i < SEGMENTS; i++) {
		_Atomic(struct object *) *segment = resolver->segments[i];

		for (size_t k = 0; segment && k < (size_t)FIRST_SEGMENT << i; k++)
			object_free(segment[k]);
		free(segment);
	}
	kernel_names_done(&resolver->kernel);
	str_done(&resolver->folder);
	pthread_mutex_destroy(&resolver->lock);
	free(resolver);
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
	lines_free(take(object->lines));
	elf_file_free(take(object->code));
	cfi_free(take(object->cfi));
	object->lines_searched = false;
	object->code_searched = false;
	object->cfi_searched = false;
	object->loaded = false;
}

static void age(struct object *object, bool is_mapped)
{
	object->idle_count = is_mapped ? 0 : object->idle_count + 1;
	if (object->idle_count >= IDLE_MOST && object->loaded)
		retire(object);
}

void resolver_forget(struct resolver *resolver, const struct hash *dsos)
{
	for (size_t i = 0; i < SEGMENTS; i++) {
		_Atomic(struct object *) *segment = resolver->segments[i];
		size_t size = (size_t)FIRST_SEGMENT << i;

		for (size_t k = 0; segment && k < size; k++) {
			uint32_t id = (uint32_t)(size + k - FIRST_SEGMENT);
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

/* Ids go on counting while others are asked for, so what is there must not move. */
static _Atomic(struct object *) *slot_of(struct resolver *resolver, uint32_t id)
{
	uint64_t place = (uint64_t)id + FIRST_SEGMENT;
	unsigned segment = 63U - (unsigned)__builtin_clzll(place) - 5U;
	size_t size = (size_t)FIRST_SEGMENT << segment;
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

static struct object *object_of(struct resolver *resolver, const struct dso *dso)
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

static const struct kernel_names *kernel_of(struct resolver *resolver)
{
	pthread_mutex_lock(&resolver->lock);
	if (!resolver->kernel_searched)
		kernel_names_find(&resolver->options, str_text(&resolver->folder),
				  timeline_kernel_dso(resolver->timeline), &resolver->kernel);
	resolver->kernel_searched = true;
	pthread_mutex_unlock(&resolver->lock);
	return &resolver->kernel;
}

/*
 * Whether the running kernel's vdso is that of the recording. Recordings of user space alone may
 * tell nothing of the kernel that mapped it there: then what was written since the boot is its.
 */
static bool has_our_vdso(struct resolver *resolver)
{
	return kernel_of(resolver)->same_kernel ||
	       (resolver->options.same_boot && !timeline_kernel_dso(resolver->timeline));
}

static void find_names(struct resolver *resolver, const struct dso *dso, struct names *names)
{
	const struct resolver_options *options = &resolver->options;
	const char *folder = str_text(&resolver->folder);

	switch (dso->kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
		names->kind = NAMES_KERNEL;
		if (dso->guest)
			names->reason = "of a guest's kernel";
		else if (dso->kind == DSO_KERNEL)
			kernel_names_load(kernel_of(resolver), names);
		else
			kernel_names_load_module(options, kernel_of(resolver), dso, names);
		names->mangled = names->mangled || options->demangle_kernel;
		break;
	case DSO_VDSO:
		file_names_load_vdso(options, folder, dso, has_our_vdso(resolver), names);
		break;
	case DSO_ANON:
		file_names_load_jit(options, dso, names);
		break;
	case DSO_BPF:
	case DSO_OOL:
		names->kind = NAMES_SELF;
		break;
	case DSO_USER:
	case DSO_UNKNOWN:
		file_names_load(options, folder, dso, names);
		break;
	}
}

/* See carried.h for the order. */
static void find_names_or_carried(struct resolver *resolver, const struct dso *dso,
				  struct names *names)
{
	const struct carried *carried = resolver->options.carried;
	bool only_by_name = dso->kind == DSO_USER && dso->build_id_size == 0;

	if (carried && only_by_name && carried_load(carried, dso, names))
		return;
	find_names(resolver, dso, names);
	if (carried && names->kind != NAMES_SELF &&
	    (!names->table || symtab_count(names->table) == 0)) {
		struct names kept;

		if (carried_load(carried, dso, &kept)) {
			names_done(names);
			*names = kept;
		}
	}
}

static void prepare(struct object *object)
{
	size_t count = object->names.table ? symtab_count(object->names.table) : 0;
	size_t cache = 256;

	if (count == 0)
		return;
	object->first_addr = symtab_at(object->names.table, 0)->start + object->names.moved_by;
	object->functions = xcalloc(count, sizeof(*object->functions));
	while (cache < count / 4 && cache < CACHE_MAX)
		cache *= 2;
	object->cache_mask = cache - 1;
	if (count > 64)
		object->cache = xcalloc(cache, sizeof(*object->cache));
}

static struct object *loaded_object(struct resolver *resolver, const struct dso *dso)
{
	struct object *object = object_of(resolver, dso);

	if (atomic_load_explicit(&object->loaded, memory_order_acquire))
		return object;
	pthread_mutex_lock(&object->lock);
	if (!object->loaded) {
		find_names_or_carried(resolver, dso, &object->names);
		prepare(object);
		object->is_retired = false;
		atomic_store_explicit(&object->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&object->lock);
	return object;
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

static struct function *new_function(struct object *object, const struct dso *dso,
				     const struct symbol *symbol, bool readable)
{
	_cleanup_(freep) char *name = readable ? demangle(symbol->name) : NULL;
	struct function *function = arena_alloc(&object->arena, sizeof(*function));

	*function = (struct function){
		.name = name ? arena_strdup(&object->arena, name) : symbol->name,
		.dso = dso,
		.start = symbol->start + object->names.moved_by,
		.end = symbol->end + object->names.moved_by,
		.is_object = symbol->type == SYMBOL_OBJECT,
	};
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

/* BPF programs and trampolines: each loading of one is a function. */
static const struct function *self_of(struct object *object, const struct map *map)
{
	struct function *function;

	pthread_mutex_lock(&object->lock);
	struct hash_entry *entry = hash_add(&object->selves, map->start, NULL);

	function = entry->pointer;
	if (!function) {
		function = arena_alloc(&object->arena, sizeof(*function));
		*function = (struct function){
			.name = arena_strdup(&object->arena, map->dso->name),
			.dso = map->dso,
			.start = map->start,
			.end = map->end,
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
	object = loaded_object(resolver, map->dso);
	place.object_addr = names_address(&object->names, map, addr);
	if (object->names.kind == NAMES_SELF) {
		place.function = self_of(object, map);
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

const char *resolver_reason(struct resolver *resolver, const struct dso *dso)
{
	const struct object *object = object_of(resolver, dso);

	if (object->is_retired)
		return object->reason;
	return loaded_object(resolver, dso)->names.reason;
}

/* Under the object's lock. */
static struct lines *lines_of(struct resolver *resolver, struct object *object,
			      const struct dso *dso)
{
	if (!object->lines_searched && object->names.kind == NAMES_FILE)
		object->lines =
			file_names_load_lines(&resolver->options, str_text(&resolver->folder), dso);
	object->lines_searched = true;
	return object->lines;
}

bool resolver_line(struct resolver *resolver, const struct place *place,
		   struct source_line *ret_line)
{
	struct object *object;
	struct lines *lines;
	bool found;

	if (!place->map)
		return false;
	object = loaded_object(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	lines = lines_of(resolver, object, place->map->dso);
	found = lines && lines_find(lines, place->object_addr, ret_line);
	pthread_mutex_unlock(&object->lock);
	return found;
}

static struct elf_file *open_code(struct resolver *resolver, const struct dso *dso)
{
	const struct resolver_options *options = &resolver->options;
	const char *folder = str_text(&resolver->folder);
	struct elf_file *file = NULL;

	switch (dso->kind) {
	case DSO_USER:
	case DSO_UNKNOWN:
		return file_names_open(options, folder, dso);
	case DSO_VDSO:
		return file_names_open_vdso(options, folder, dso, has_our_vdso(resolver));
	case DSO_KERNEL:
		if (options->vmlinux && !dso->guest)
			(void)elf_file_open(options->vmlinux, &file, NULL);
		return file;
	default:
		return NULL;
	}
}

size_t resolver_code(struct resolver *resolver, const struct place *place, void *buffer,
		     size_t size, struct code_kind *ret_kind)
{
	struct object *object;
	size_t read = 0;

	if (!place->map)
		return 0;
	object = loaded_object(resolver, place->map->dso);
	pthread_mutex_lock(&object->lock);
	if (!object->code_searched)
		object->code = open_code(resolver, place->map->dso);
	object->code_searched = true;
	if (object->code) {
		read = elf_file_read(object->code, place->object_addr - object->names.moved_by,
				     buffer, size);
		ret_kind->machine = elf_file_machine(object->code);
		ret_kind->is_64bit = elf_file_is_64bit(object->code);
	}
	pthread_mutex_unlock(&object->lock);
	return read;
}

static struct cfi *load_cfi(struct resolver *resolver, const struct dso *dso)
{
	struct elf_file *file;

	if (dso->kind == DSO_USER || dso->kind == DSO_UNKNOWN)
		return file_names_load_cfi(&resolver->options, str_text(&resolver->folder), dso);
	file = dso->kind == DSO_VDSO ? open_code(resolver, dso) : NULL;
	return file ? cfi_new(file, NULL) : NULL;
}

static const struct cfi *cfi_of(struct resolver *resolver, const struct dso *dso)
{
	struct object *object = object_of(resolver, dso);

	if (atomic_load_explicit(&object->cfi_searched, memory_order_acquire))
		return object->cfi;
	pthread_mutex_lock(&object->lock);
	if (!object->cfi_searched) {
		object->cfi = load_cfi(resolver, dso);
		atomic_store_explicit(&object->cfi_searched, true, memory_order_release);
	}
	pthread_mutex_unlock(&object->lock);
	return object->cfi;
}

const struct cfi *resolver_cfi(struct resolver *resolver, const struct map *map, uint64_t addr,
			       uint64_t *ret_vaddr)
{
	const struct cfi *cfi = cfi_of(resolver, map->dso);

	if (!cfi ||
	    !elf_file_offset_to_vaddr(cfi_file(cfi), addr - map->start + map->pgoff, ret_vaddr))
		return NULL;
	return cfi;
}
