/*
 * data-types.h - types of data as debug information has them: what they are called, how large they
 * are, and which of their fields is where.
 *
 *	struct node	a struct has its own name, whatever typedef leads to it
 *	size_t		of what has no fields, the typedef's
 *	char*  long[]
 *
 * Types are read when they are asked for, and kept. One thread at a time, as with the debug
 * information.
 */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct data_types;
struct str;

enum data_type_kind {
	DATA_TYPE_PLAIN,   /* a number, or what else has nothing in it */
	DATA_TYPE_POINTER, /* references are, too */
	DATA_TYPE_ARRAY,
	DATA_TYPE_FIELDS, /* struct, class, union */
};

/* Lives as long as the types. There is one for each entry of the debug information. */
struct data_type {
	const char *name;
	uint64_t size; /* bytes; 0: not known, as of void */
	enum data_type_kind kind;
	Dwarf_Die die; /* of what it is, behind all typedefs */
};

struct data_types *data_types_new(void);
void data_types_free(struct data_types *types);
CLEANUP(data_types_free, struct data_types)

/* The type that an entry (of a variable, a field, ...) has by DW_AT_type; NULL: none. */
const struct data_type *data_types_of(struct data_types *types, Dwarf_Die *die);
/* Whether two are one, though they may be written down in several places. */
bool data_types_same(const struct data_type *left, const struct data_type *right);
/* Whether the @inner type is at @offset in the @outer one, or is it. */
bool data_types_have(struct data_types *types, const struct data_type *outer, uint64_t offset,
		     const struct data_type *inner);
/* What a pointer points at, or an array is of; NULL: nothing that is known. */
const struct data_type *data_types_target(struct data_types *types, const struct data_type *type);

/*
 * The type of what is at @offset in @type: the innermost field that begins there, or the element of
 * an array. *ret_offset: where in that it is. NULL: nothing is there.
 */
const struct data_type *data_types_at(struct data_types *types, const struct data_type *type,
				      uint64_t offset, uint64_t *ret_offset);
/* Whether the field at @offset is an array, or in one. */
bool data_types_has_array(struct data_types *types, const struct data_type *type, uint64_t offset);
/* Adds the way to the field at @offset, "at.x", "flags:3"; nothing where there is none. */
void data_types_add_field(struct data_types *types, const struct data_type *type, uint64_t offset,
			  struct str *out);
