/*
 * fieldbytes.h - where a field of a tracepoint lies in a record.
 *
 * A dynamic array's own bytes are a number: the low half says where the array lies (from the
 * record's start, or with __rel_loc from behind the field), the high half how long it is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tep_format_field;

/* The bytes of one record. */
struct fieldbytes_record {
	const void *raw;
	size_t size;
};

struct fieldbytes {
	const uint8_t *bytes; /* borrowed from the record */
	size_t size;
};

/* False where they would lie outside of the record. A field of size 0 is what is left of it. */
bool fieldbytes_find(const struct tep_format_field *field, const struct fieldbytes_record *record,
		     struct fieldbytes *ret_bytes);

bool fieldbytes_is_dynamic(const struct tep_format_field *field);
