/*
 * data-accesses.h - which data an instruction reads or writes: the type that a variable, a field or
 * what a pointer points at has in the source, and where in that it is.
 *
 *	mov 0x18(%rdi), %rax	rdi has "struct node *n": struct node, 24
 *
 * Where variables are, debug information tells. What compilers keep in registers besides (fields
 * that were loaded, addresses that were computed) is followed through the function: each of its
 * instructions is looked at once for each time that what reaches it changes. What may be one of two
 * things is none.
 *
 * Functions are looked at when they are first asked for, and kept. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct cfi;
struct data_accesses;
struct data_type;
struct debuginfo;
struct elf_file;
struct str;

enum data_access_kind {
	DATA_ACCESS_UNKNOWN,
	DATA_ACCESS_STACK,  /* it pushes or pops; calls and returns do, too */
	DATA_ACCESS_CANARY, /* what compilers compare with, to see that the stack is whole */
	DATA_ACCESS_TYPE,
};

struct data_access {
	enum data_access_kind kind;
	const struct data_type *type; /* of DATA_ACCESS_TYPE; lives as long as the accesses */
	uint64_t offset;              /* in it; of arrays, in the element where that is known */
};

/* NULL: such code is not known. @code has it; @debuginfo and @cfi may be NULL. All is borrowed. */
struct data_accesses *data_accesses_new(const struct elf_file *code, struct debuginfo *debuginfo,
					const struct cfi *cfi);
void data_accesses_free(struct data_accesses *accesses);
CLEANUP(data_accesses_free, struct data_accesses)

/* Of the instruction at an address. */
struct data_access data_accesses_find(struct data_accesses *accesses, uint64_t vaddr);

/* Adds the way to the field, "at.x"; nothing where the type has none there. */
void data_accesses_add_field(struct data_accesses *accesses, const struct data_access *access,
			     struct str *out);
