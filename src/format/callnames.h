/*
 * callnames.h - numbers that have names: flags, and one of several.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/callcopy.h"

enum callnames_kind {
	CALLNAMES_ENUM,
	CALLNAMES_POINTER, /* an enum, too: others are addresses */
	CALLNAMES_FLAGS,   /* what has no name is shown in hexadecimal, */
	CALLNAMES_OCTAL,   /* or so */
};

struct callname {
	uint64_t value, mask; /* it holds where these bits are so */
	const char *name;
};

struct callnames {
	const char *name;
	const char *prefix; /* that all have, more or less, and text leaves out */
	enum callnames_kind kind;
	const struct callname *items; /* of flags those first that hold others */
	size_t count;
	const char *btf; /* an enum of the kernel's that knows more; or NULL */
};

/* The table as the ABI has it. */
const struct callnames *callnames_of(const struct callnames *names, enum callabi abi);

/*
 * The next name of a value, of which *rest is left: starts with *at of 0. NULL: none is, and *rest
 * is what has no name. Of an enum there is one at most.
 */
const struct callname *callnames_next(const struct callnames *names, uint64_t value, uint64_t *rest,
				      size_t *at);
/* The one name of a value in a table of one of several; NULL if it has none. */
const char *callnames_find(const struct callnames *names, uint64_t value);
/* @name without the table's prefix, if it has that. */
const char *callnames_short(const struct callnames *names, const char *name);
