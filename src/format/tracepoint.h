/*
 * tracepoint.h - what the raw bytes of a tracepoint sample mean: its fields, and its text.
 *
 * Formats come from a recording's TRACING_DATA section. Once made, a set does not change: any
 * number of threads may print.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct tracepoint_set;
struct tracepoint;
struct tracepoint_field;
struct str;
struct strobe_err;

/*
 * @bytes are the section. What is damaged in it is left out; -EBADMSG only if nothing of it can
 * be used. *ret_set is the caller's, to tracepoint_set_free().
 */
int tracepoint_set_new(const void *bytes, size_t size, struct tracepoint_set **ret_set,
		       struct strobe_err *err);
void tracepoint_set_free(struct tracepoint_set *set);
CLEANUP(tracepoint_set_free, struct tracepoint_set)

/* The tracepoint with the id that an attr has as its config, or NULL. Borrowed from @set. */
const struct tracepoint *tracepoint_set_find(const struct tracepoint_set *set, uint64_t id);

/* "sched", "sched_switch". */
const char *tracepoint_system(const struct tracepoint *tracepoint);
const char *tracepoint_name(const struct tracepoint *tracepoint);

/* Adds the text that the kernel's print format makes of the fields: "comm=xz pid=7 prio=120". */
void tracepoint_print(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
		      struct str *text);

/* Adds the fields as they are, in the order of the format: " prev_comm=xz prev_pid=7". */
void tracepoint_print_raw(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
			  struct str *text);

/*
 * The fields, in the order of the format and without the common ones; NULL past the end. Find
 * knows the common ones too ("common_pid").
 */
const struct tracepoint_field *tracepoint_field_at(const struct tracepoint *tracepoint, size_t i);
const struct tracepoint_field *tracepoint_field_find(const struct tracepoint *tracepoint,
						     const char *name);
const char *tracepoint_field_name(const struct tracepoint_field *field);
/* Text, an array of bytes, or a number (then signed or not). */
bool tracepoint_field_is_text(const struct tracepoint_field *field);
bool tracepoint_field_is_signed(const struct tracepoint_field *field);

/*
 * Where the field's bytes lie in @raw, with dynamic arrays (__data_loc, __rel_loc) followed:
 * false if they lie outside of it.
 */
bool tracepoint_field_bytes(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    const void **ret_bytes, size_t *ret_size);

/*
 * The value of a number field, of a signed one with its sign in all 64 bits; false if it lies
 * outside @raw or is no number.
 */
bool tracepoint_field_number(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			     uint64_t *ret_value);

/* The @i-th element of an array of numbers; false past the end, and where it is no such array. */
bool tracepoint_field_element(const struct tracepoint_field *field, const void *raw,
			      size_t raw_size, size_t i, uint64_t *ret_value);

/* Adds the field: a text as it is, a number, an array's bytes in hexadecimal. */
void tracepoint_field_print(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    struct str *text);
