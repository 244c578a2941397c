/*
 * variables.h - where the variables of a function are while it runs, and which variables lie at
 * fixed addresses, as debug information has it.
 *
 * What is read of a compilation unit and of a function is kept. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct data_type;
struct data_types;
struct debuginfo;
struct variables;

enum variable_kind {
	VARIABLE_IN_REGISTER, /* @reg has it */
	VARIABLE_OF_REGISTER, /* it is what @reg has, and @offset more: no memory has it */
	VARIABLE_AT_REGISTER, /* in memory, @offset from where @reg points */
	VARIABLE_IN_FRAME,    /* in memory, @offset from the frame's address (CFA) */
};

struct variable {
	uint64_t begin, end; /* of the code where that holds: [begin, end) */
	enum variable_kind kind;
	int reg; /* DWARF's number */
	int64_t offset;
	const struct data_type *type;
};

/* A function and its variables; those of what was put into it are its own. */
struct variables_function {
	uint64_t begin, end;
	const struct variable *items; /* by begin */
	size_t count;
	const struct data_type *result; /* what it returns; NULL: nothing that is known */
};

/* Both are borrowed. */
struct variables *variables_new(struct debuginfo *debuginfo, struct data_types *types);
void variables_free(struct variables *variables);
CLEANUP(variables_free, struct variables)

/* The function that has the code at an address; NULL: none is known. Lives as long as the
 * variables. */
const struct variables_function *variables_of(struct variables *variables, uint64_t vaddr);

/* What a function at an address returns, without reading what else is in it. */
const struct data_type *variables_result(struct variables *variables, uint64_t vaddr);

/* The variable that is always at an address, with the place in it; NULL: none. @near: code that
 * uses it, since its unit is looked at first. */
const struct data_type *variables_static(struct variables *variables, uint64_t near, uint64_t vaddr,
					 uint64_t *ret_offset);
