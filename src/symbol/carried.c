/* carried.c - see carried.h. */
#include "symbol/carried.h"

#include <string.h>

#include "base/hash.h"
#include "base/strings.h"
#include "model/dso.h"
#include "object/elf-file.h"
#include "object/symtab.h"
#include "symbol/names.h"

enum { BUILD_ID = 20 }; /* bytes; of shorter ones the rest is 0, as dso.h has it */

struct carried_object {
	enum carried_space space;
	uint32_t name; /* its number */
	uint64_t ino;
	uint8_t build_id[BUILD_ID];
	size_t build_id_size;
	struct {
		struct elf_file_segment *items;
		size_t count, capacity;
	} segments;
	bool has_segments;              /* all of them: symbols have come */
	struct symtab_builder *builder; /* until carried_finish() */
	struct symtab *table;           /* after it */
};

struct carried {
	struct strings names;
	struct hash objects; /* by each of identity_*() that tells something of them */
	struct carried_object **items;
	size_t count, capacity;
};

struct carried *carried_new(void)
{
	return xnew(struct carried);
}

void carried_free(struct carried *carried)
{
	if (!carried)
		return;
	for (size_t i = 0; i < carried->count; i++) {
		struct carried_object *object = carried->items[i];

		symtab_builder_free(object->builder);
		symtab_free(object->table);
		free(object->segments.items);
		free(object);
	}
	free(carried->items);
	hash_done(&carried->objects);
	strings_done(&carried->names);
	free(carried);
}

/* A name by itself, with a build-id, with an inode. */
static uint64_t identity_name(uint32_t name)
{
	return hash_u64(name);
}

static uint64_t identity_build_id(uint32_t name, const uint8_t build_id[BUILD_ID])
{
	return hash_u64(identity_name(name) ^ hash_bytes(build_id, BUILD_ID));
}

static uint64_t identity_inode(uint32_t name, uint64_t ino)
{
	return hash_u64(~identity_name(name) ^ hash_u64(ino));
}

static struct carried_object *look_up(const struct carried *carried, uint64_t identity)
{
	const struct hash_entry *entry = hash_find(&carried->objects, identity);

	return entry ? entry->pointer : NULL;
}

/* The first one of an identity holds. */
static void put(struct carried *carried, uint64_t identity, struct carried_object *object)
{
	bool is_new;
	struct hash_entry *entry = hash_add(&carried->objects, identity, &is_new);

	if (is_new)
		entry->pointer = object;
}

static struct carried_object *add_object(struct carried *carried,
					 const struct carried_object *wanted)
{
	struct carried_object *object = xnew(struct carried_object);

	*object = *wanted;
	object->builder = symtab_builder_new();
	if (carried->count == carried->capacity)
		carried->items = xgrow(carried->items, &carried->capacity, sizeof(*carried->items));
	carried->items[carried->count++] = object;
	if (object->build_id_size)
		put(carried, identity_build_id(object->name, object->build_id), object);
	if (object->ino)
		put(carried, identity_inode(object->name, object->ino), object);
	if (!object->build_id_size && !object->ino)
		put(carried, identity_name(object->name), object);
	return object;
}

static struct carried_object *find_like(const struct carried *carried,
					const struct carried_object *wanted)
{
	if (wanted->build_id_size)
		return look_up(carried, identity_build_id(wanted->name, wanted->build_id));
	return look_up(carried, wanted->ino ? identity_inode(wanted->name, wanted->ino)
					    : identity_name(wanted->name));
}

struct carried_object *carried_add(struct carried *carried, const struct carried_key *key,
				   enum carried_space space)
{
	struct carried_object wanted = { .space = space, .ino = key->ino }, *object;

	wanted.name = strings_intern_bytes(&carried->names, key->name, key->name_size);
	wanted.build_id_size = key->build_id_size < BUILD_ID ? key->build_id_size : BUILD_ID;
	if (wanted.build_id_size)
		memcpy(wanted.build_id, key->build_id, wanted.build_id_size);
	object = find_like(carried, &wanted);
	return object ? object : add_object(carried, &wanted);
}

void carried_add_segment(struct carried_object *object, uint64_t offset, uint64_t size,
			 uint64_t vaddr)
{
	if (object->has_segments)
		return;
	grow(&object->segments);
	object->segments.items[object->segments.count++] = (struct elf_file_segment){
		.offset = offset,
		.file_size = size,
		.vaddr = vaddr,
		.mem_size = size,
		.executable = true,
	};
}

void carried_add_symbol(struct carried_object *object, uint64_t addr, uint64_t size, bool is_guess,
			const char *name, size_t name_size)
{
	_cleanup_(freep) char *text = xstrndup(name, name_size);
	uint64_t end = size > UINT64_MAX - addr ? UINT64_MAX : addr + size;
	struct symbol symbol = { .start = addr, .end = is_guess ? addr : end, .name = text };

	object->has_segments = true;
	if (text[0])
		symtab_builder_add(object->builder, &symbol, is_guess ? end : SYMTAB_NO_LIMIT);
}

void carried_finish(struct carried *carried)
{
	for (size_t i = 0; i < carried->count; i++) {
		struct carried_object *object = carried->items[i];

		object->table = symtab_build(object->builder, object->space == CARRIED_JIT
								      ? SYMTAB_LATEST
								      : SYMTAB_INNERMOST);
		object->builder = NULL;
	}
}

static const struct carried_object *find(const struct carried *carried, const struct dso *dso)
{
	const struct carried_object *object = NULL;
	uint32_t name;

	if (!strings_find(&carried->names, dso->name, &name))
		return NULL;
	if (dso->build_id_size)
		object = look_up(carried, identity_build_id(name, dso->build_id));
	/* Of a file that took the number of one that is gone, both build-ids tell. */
	if (!object && dso->ino)
		object = look_up(carried, identity_inode(name, dso->ino));
	if (object && object->build_id_size && dso->build_id_size &&
	    !dso_has_build_id(dso, object->build_id, object->build_id_size))
		object = NULL;
	return object ? object : look_up(carried, identity_name(name));
}

size_t carried_count(const struct carried *carried, const struct dso *dso)
{
	const struct carried_object *object = find(carried, dso);

	return object ? symtab_count(object->table) : 0;
}

static void set_segments(const struct carried_object *object, struct names *names)
{
	size_t count = object->segments.count;

	names->segment_count = count;
	names->segments = xcalloc(count + 1, sizeof(*names->segments));
	if (count)
		memcpy(names->segments, object->segments.items, count * sizeof(*names->segments));
}

bool carried_load(const struct carried *carried, const struct dso *dso, struct names *ret_names)
{
	const struct carried_object *object = find(carried, dso);
	struct names names = { .mangled = true };

	if (!object || symtab_count(object->table) == 0)
		return false;
	names.table = object->table;
	switch (object->space) {
	case CARRIED_FILE:
		names.kind = NAMES_FILE;
		set_segments(object, &names);
		break;
	case CARRIED_MODULE:
		names.kind = NAMES_MODULE;
		if (object->segments.count)
			names.text_offset =
				object->segments.items[0].vaddr - object->segments.items[0].offset;
		names.text_size = UINT64_MAX;
		break;
	case CARRIED_MEMORY:
	case CARRIED_JIT:
		names.kind = NAMES_IDENTITY;
		break;
	}
	*ret_names = names;
	return true;
}
