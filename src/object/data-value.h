/*
 * data-value.h - what is known of a register's value while a function is followed, and which
 * variable or field it leads to: for data-flow.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct data_type;
struct data_types;
struct variables;
struct variables_function;

enum data_value_kind {
	DATA_VALUE_UNKNOWN,
	DATA_VALUE_POINTER, /* at @offset in something of @type */
	DATA_VALUE_FRAME,   /* @offset from the frame's address (CFA) */
	DATA_VALUE_NUMBER,  /* @offset itself: an address, perhaps */
	DATA_VALUE_PLAIN,   /* something of @declared, which is no pointer */
};

struct data_value {
	enum data_value_kind kind;
	const struct data_type *type;
	int64_t offset;
	const struct data_type *declared; /* the type of the value itself; NULL: not known */
};

/* Where questions are asked. */
struct data_here {
	struct data_types *types;
	struct variables *variables;
	const struct variables_function *function;
	uint64_t vaddr;
};

/* What is one of two, as far as that is the same. */
struct data_value data_value_meet(const struct data_here *here, struct data_value left,
				  struct data_value right);
bool data_value_same(struct data_value left, struct data_value right);
struct data_value data_value_add(struct data_value value, int64_t number);
/* Some elements further on in an array, nobody knows how many. */
struct data_value data_value_index(const struct data_here *here, struct data_value value);

/* What lies where a value points: its type, and the place in it. False: that is not known. */
bool data_value_target(const struct data_here *here, struct data_value value,
		       const struct data_type **ret_type, uint64_t *ret_offset);
/* The value that is loaded from a place in a type. */
struct data_value data_value_load(const struct data_here *here, const struct data_type *type,
				  uint64_t offset);
/* What a variable or a function's result is that has such a type. */
struct data_value data_value_of(const struct data_here *here, const struct data_type *type);
