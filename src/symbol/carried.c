/* carried.c - see carried.h. */
#include "symbol/carried.h"

#include <string.h>

#include "base/hash.h"
#include "base/strings.h"
#include "model/dso.h"
#include "object/elf-file.h"
#include "object/symtab.h"
#include "symbol/names.h"

struct carried_object {
	enum carried_space space;
	uint64_t vaddr, offset;
	struct symtab_builder *builder; /* until carried_finish() */
	struct symtab *table;           /* after it */
};

struct carried {
	struct strings names;
	struct hash objects; /* by the number of the name */
};

struct carried *carried_new(void)
{
	return xnew(struct carried);
}

void carried_free(struct carried *carried)
{
	if (!carried)
		return;
	for (struct hash_entry *e = hash_next(&carried->objects, NULL); e;
	     e = hash_next(&carried->objects, e)) {
		struct carried_object *object = e->pointer;

		symtab_builder_free(object->builder);
		symtab_free(object->table);
		free(object);
	}
	hash_done(&carried->objects);
	strings_done(&carried->names);
	free(carried);
}

struct carried_object *carried_add(struct carried *carried, const char *name, size_t name_size,
				   enum carried_space space, uint64_t vaddr, uint64_t offset)
{
	uint32_t id = strings_intern_bytes(&carried->names, name, name_size);
	struct hash_entry *entry;
	struct carried_object *object;
	bool is_new;

	entry = hash_add(&carried->objects, id, &is_new);
	if (!is_new)
		return entry->pointer;
	object = xnew(struct carried_object);
	*object = (struct carried_object){
		.space = space, .vaddr = vaddr, .offset = offset, .builder = symtab_builder_new()
	};
	entry->pointer = object;
	return object;
}

void carried_add_symbol(struct carried_object *object, uint64_t addr, uint64_t size,
			const char *name, size_t name_size)
{
	_cleanup_(freep) char *text = xstrndup(name, name_size);
	struct symbol symbol = { .start = addr, .end = addr + size, .name = text };

	if (symbol.end < addr)
		symbol.end = UINT64_MAX;
	if (text[0])
		symtab_builder_add(object->builder, &symbol, SYMTAB_NO_LIMIT);
}

void carried_finish(struct carried *carried)
{
	for (struct hash_entry *e = hash_next(&carried->objects, NULL); e;
	     e = hash_next(&carried->objects, e)) {
		struct carried_object *object = e->pointer;

		if (object->builder)
			object->table = symtab_build(object->builder, SYMTAB_INNERMOST);
		object->builder = NULL;
	}
}

static const struct carried_object *find(const struct carried *carried, const struct dso *dso)
{
	const struct hash_entry *entry;
	uint32_t id;

	if (!strings_find(&carried->names, dso->name, &id))
		return NULL;
	entry = hash_find(&carried->objects, id);
	return entry ? entry->pointer : NULL;
}

/* One stretch of the file, from what is known of it to its end. */
static void set_segment(const struct carried_object *object, struct names *names)
{
	names->segment_count = 1;
	names->segments = xnew(struct elf_file_segment);
	*names->segments = (struct elf_file_segment){
		.offset = object->offset,
		.file_size = UINT64_MAX - object->offset,
		.vaddr = object->vaddr,
		.mem_size = UINT64_MAX - object->vaddr,
		.executable = true,
	};
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
		set_segment(object, &names);
		break;
	case CARRIED_MODULE:
		names.kind = NAMES_MODULE;
		names.text_offset = object->vaddr - object->offset;
		names.text_size = UINT64_MAX;
		break;
	case CARRIED_MEMORY:
		names.kind = NAMES_IDENTITY;
		break;
	}
	*ret_names = names;
	return true;
}
