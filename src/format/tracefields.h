/*
 * tracefields.h - the fields of a tracepoint, and where they lie in a record.
 *
 *   field:char prev_comm[16];            its size is the array's
 *   field:__data_loc char[] name;        dynamic: what lies here is a number, whose low half says
 *                                        where the array lies and whose high half how long it is
 *   field:__rel_loc char[] name;         the same, counted from behind the number
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct str;

struct tracefield {
	const char *name;
	size_t offset, size; /* bytes; a size of 0: what is left of the record */
	unsigned element; /* bytes of an array's element; 0 if unknown; else those of the field */
	bool is_common;   /* of every tracepoint: common_pid */
	bool is_array;    /* a dynamic one too */
	bool is_text;     /* an array of char or u8 */
	bool is_dynamic, is_relative;
	bool is_signed, is_pointer;
	bool is_long; /* it may hold an address: printed in hexadecimal */
};

/* Starts as { 0 }. Names are in the arena that they were added with. */
struct tracefields {
	struct tracefield *items;
	size_t count, capacity;
	unsigned long_size; /* bytes of the recorder's long: 4 or 8 */
	bool foreign;       /* its byte order is not ours */
};

/* Bytes of a type by its words ("unsigned int"); 0 of those that are not known. */
unsigned tracefields_type_size(const struct tracefields *fields, const char *words);

/*
 * Adds a field by its declaration in C: type, name, perhaps an array's length in brackets. False if
 * it is none.
 */
bool tracefields_add(struct tracefields *fields, const char *declaration, size_t declaration_size,
		     size_t offset, size_t size, bool is_signed, struct arena *arena);
void tracefields_done(struct tracefields *fields);

/* NULL if there is none. */
const struct tracefield *tracefields_find(const struct tracefields *fields, const char *name);

/* The bytes of one record. */
struct tracefields_record {
	const void *raw;
	size_t size;
};

struct tracefields_bytes {
	const uint8_t *bytes; /* borrowed from the record */
	size_t size;
};

/* The field's bytes, with dynamic arrays followed; false if they would lie outside of the record.
 */
bool tracefields_bytes(const struct tracefields *fields, const struct tracefield *field,
		       const struct tracefields_record *record,
		       struct tracefields_bytes *ret_bytes);

/* A number of 1, 2, 4 or 8 bytes, without its sign; 0 of other sizes. */
uint64_t tracefields_number(const struct tracefields *fields, const uint8_t *bytes, size_t size);

/*
 * Whether the record's text, which begins at @begin, is longer than any kernel's format makes it:
 * a file's could make gigabytes of a few bytes. It is cut then, and ends in "...".
 */
bool tracefields_cut(struct str *text, size_t begin, const struct tracefields_record *record);

/* What the field is, without a print format: a text, a number, an array's bytes in hexadecimal. */
void tracefields_print(const struct tracefields *fields, const struct tracefield *field,
		       const struct tracefields_record *record, struct str *text);
