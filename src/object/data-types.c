/* data-types.c - see data-types.h. */
#include "object/data-types.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"

enum {
	STEPS_MAX = 64,    /* typedefs behind each other, structs within each other */
	FIELDS_MAX = 4096, /* of one struct, that are looked at */
};

struct data_types {
	struct hash by_entry; /* struct data_type, by where its entry is */
	struct arena arena;
};

struct data_types *data_types_new(void)
{
	return xnew(struct data_types);
}

void data_types_free(struct data_types *types)
{
	if (!types)
		return;
	hash_done(&types->by_entry);
	arena_done(&types->arena);
	free(types);
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *ret_type)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, ret_type);
}

static bool is_qualifier(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
		return true;
	default:
		return false;
	}
}

/* A type without qualifiers; false if nothing is left (const void). */
static bool without_qualifiers(Dwarf_Die *die)
{
	for (size_t i = 0; i < STEPS_MAX; i++) {
		if (!is_qualifier(dwarf_tag(die)))
			return true;
		if (!type_of(die, die))
			return false;
	}
	return false;
}

/* And without typedefs. *ret_name: that of the first. */
static bool without_typedefs(Dwarf_Die *die, const char **ret_name)
{
	*ret_name = NULL;
	for (size_t i = 0; i < STEPS_MAX; i++) {
		if (!without_qualifiers(die))
			return false;
		if (dwarf_tag(die) != DW_TAG_typedef)
			return true;
		if (!*ret_name)
			*ret_name = dwarf_diename(die);
		if (!type_of(die, die))
			return false;
	}
	return false;
}

static enum data_type_kind kind_of(int tag)
{
	switch (tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return DATA_TYPE_POINTER;
	case DW_TAG_array_type:
		return DATA_TYPE_ARRAY;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return DATA_TYPE_FIELDS;
	default:
		return DATA_TYPE_PLAIN;
	}
}

static const char *word_of(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_class_type:
		return "class ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

static const char *suffix_of(int tag)
{
	switch (tag) {
	case DW_TAG_pointer_type:
		return "*";
	case DW_TAG_array_type:
		return "[]";
	case DW_TAG_reference_type:
		return "&";
	case DW_TAG_rvalue_reference_type:
		return "&&";
	default:
		return NULL;
	}
}

/* "struct node", or by its typedef where it has no name of its own. */
static void add_own_name(Dwarf_Die *die, const char *typedef_name, struct str *out)
{
	const char *name = dwarf_diename(die);
	bool has_fields = kind_of(dwarf_tag(die)) == DATA_TYPE_FIELDS;

	if (typedef_name && (!has_fields || !name)) {
		str_add(out, typedef_name);
	} else if (dwarf_tag(die) == DW_TAG_subroutine_type) {
		str_add(out, "(function_type)");
	} else {
		str_add(out, word_of(dwarf_tag(die)));
		str_add(out, name ? name : "(anonymous)");
	}
}

/* What pointers and arrays are of comes first, then the innermost of them: "int*[]" is an array of
 * pointers. */
static void add_name(const Dwarf_Die *type, struct str *out)
{
	const char *suffixes[STEPS_MAX], *typedef_name = NULL;
	Dwarf_Die die = *type, inner = *type;
	size_t count = 0;
	bool known;

	for (;;) {
		const char *suffix;

		inner = die;
		known = without_typedefs(&inner, &typedef_name);
		suffix = known && !typedef_name ? suffix_of(dwarf_tag(&inner)) : NULL;
		if (!suffix || count == STEPS_MAX)
			break;
		suffixes[count++] = suffix;
		known = type_of(&inner, &die);
		if (!known)
			break;
	}
	if (known)
		add_own_name(&inner, typedef_name, out);
	else
		str_add(out, "void");
	while (count > 0)
		str_add(out, suffixes[--count]);
}

static const struct data_type *make(struct data_types *types, const Dwarf_Die *entry,
				    const Dwarf_Die *real)
{
	_cleanup_(str_done) struct str name = { 0 };
	struct data_type *type = arena_alloc(&types->arena, sizeof(*type));
	Dwarf_Die die = *real;
	Dwarf_Word size;

	add_name(entry, &name);
	*type = (struct data_type){
		.name = arena_strdup(&types->arena, str_text(&name)),
		.size = dwarf_aggregate_size(&die, &size) == 0 ? size : 0,
		.kind = kind_of(dwarf_tag(&die)),
		.die = die,
	};
	return type;
}

static const struct data_type *get(struct data_types *types, const Dwarf_Die *entry)
{
	struct hash_entry *known = hash_add(&types->by_entry, (uintptr_t)entry->addr, NULL);
	const char *typedef_name;
	Dwarf_Die real = *entry;

	if (known->pointer)
		return known->pointer;
	if (!without_typedefs(&real, &typedef_name))
		return NULL;
	known->pointer = (void *)make(types, entry, &real);
	return known->pointer;
}

const struct data_type *data_types_of(struct data_types *types, Dwarf_Die *die)
{
	Dwarf_Die type;

	return type_of(die, &type) ? get(types, &type) : NULL;
}

const struct data_type *data_types_target(struct data_types *types, const struct data_type *type)
{
	Dwarf_Die die = type->die;

	if (type->kind != DATA_TYPE_POINTER && type->kind != DATA_TYPE_ARRAY)
		return NULL;
	return data_types_of(types, &die);
}

bool data_types_same(const struct data_type *left, const struct data_type *right)
{
	if (!left || !right || left->die.addr == right->die.addr)
		return left == right || (left && right);
	return left->kind == right->kind && left->size == right->size &&
	       strcmp(left->name, right->name) == 0;
}

/* A field, in bits from the struct's beginning. */
struct type_field {
	Dwarf_Die die;
	uint64_t begin, size;
	bool is_bits, is_base;
};

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *ret_number)
{
	Dwarf_Attribute attribute;

	return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, ret_number) == 0;
}

/* Of a field with bits: where they begin. */
static uint64_t begin_of_bits(Dwarf_Die *die, uint64_t byte, uint64_t bits, uint64_t type_size)
{
	Dwarf_Word number, storage;

	if (number_of(die, DW_AT_data_bit_offset, &number))
		return number;
	/* Of DWARF 3: from the highest bit of the storage. */
	if (!number_of(die, DW_AT_bit_offset, &number))
		return byte * 8;
	if (!number_of(die, DW_AT_byte_size, &storage))
		storage = type_size;
	return byte * 8 + storage * 8 - number - bits;
}

static bool read_field(struct data_types *types, Dwarf_Die *die, struct type_field *ret_field)
{
	int tag = dwarf_tag(die);
	Dwarf_Word byte = 0, bits;
	const struct data_type *type;

	if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
		return false;
	/* What is shared by all (static) is no part of it. */
	if (dwarf_hasattr(die, DW_AT_external) || dwarf_hasattr(die, DW_AT_const_value))
		return false;
	type = data_types_of(types, die);
	if (!type)
		return false;
	(void)number_of(die, DW_AT_data_member_location, &byte);
	if (byte > UINT32_MAX || type->size > UINT32_MAX)
		return false;
	*ret_field = (struct type_field){ *die, byte * 8, type->size * 8, false,
					  tag == DW_TAG_inheritance };
	if (!number_of(die, DW_AT_bit_size, &bits))
		return true;
	ret_field->is_bits = true;
	ret_field->begin = begin_of_bits(die, byte, bits, type->size);
	ret_field->size = bits;
	return true;
}

/* The first one that has a byte. */
static bool find_field(struct data_types *types, const struct data_type *type, uint64_t offset,
		       struct type_field *ret_field)
{
	Dwarf_Die parent = type->die, die;
	int r = dwarf_child(&parent, &die);

	for (size_t i = 0; r == 0 && i < FIELDS_MAX; i++, r = dwarf_siblingof(&die, &die)) {
		if (read_field(types, &die, ret_field) && ret_field->begin / 8 <= offset &&
		    offset < (ret_field->begin + ret_field->size + 7) / 8)
			return true;
	}
	return false;
}

bool data_types_have(struct data_types *types, const struct data_type *outer, uint64_t offset,
		     const struct data_type *inner)
{
	for (size_t i = 0; outer && i < STEPS_MAX; i++) {
		struct type_field field;

		if (offset == 0 && data_types_same(outer, inner))
			return true;
		if (outer->kind != DATA_TYPE_FIELDS || !find_field(types, outer, offset, &field) ||
		    field.is_bits)
			return false;
		offset -= field.begin / 8;
		outer = data_types_of(types, &field.die);
	}
	return false;
}

bool data_types_has_array(struct data_types *types, const struct data_type *type, uint64_t offset)
{
	for (size_t i = 0; type && i < STEPS_MAX; i++) {
		struct type_field field;

		if (type->kind == DATA_TYPE_ARRAY)
			return true;
		if (type->kind != DATA_TYPE_FIELDS || !find_field(types, type, offset, &field))
			return false;
		offset -= field.begin / 8;
		type = data_types_of(types, &field.die);
	}
	return false;
}

const struct data_type *data_types_at(struct data_types *types, const struct data_type *type,
				      uint64_t offset, uint64_t *ret_offset)
{
	for (size_t i = 0; type && i < STEPS_MAX; i++) {
		struct type_field field;

		if (type->kind == DATA_TYPE_FIELDS) {
			if (!find_field(types, type, offset, &field) || field.is_bits)
				return NULL;
			offset -= field.begin / 8;
			type = data_types_of(types, &field.die);
		} else if (type->kind == DATA_TYPE_ARRAY) {
			type = data_types_target(types, type);
			if (type && type->size > 0)
				offset %= type->size;
		} else {
			*ret_offset = offset;
			return type;
		}
	}
	return NULL;
}

void data_types_add_field(struct data_types *types, const struct data_type *type, uint64_t offset,
			  struct str *out)
{
	size_t begin = out->size;

	for (size_t i = 0; type && type->kind == DATA_TYPE_FIELDS && i < STEPS_MAX; i++) {
		struct type_field field;
		const char *name;

		if (!find_field(types, type, offset, &field))
			return;
		name = dwarf_diename(&field.die);
		if (name && !field.is_base)
			str_addf(out, "%s%s", out->size > begin ? "." : "", name);
		if (name && field.is_bits)
			str_addf(out, ":%u", (unsigned)field.size);
		if (field.is_bits)
			return;
		offset -= field.begin / 8;
		type = data_types_of(types, &field.die);
	}
}
