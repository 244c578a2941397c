/*
 * callchoice.h - which system calls: the words of -e that are calls ("open*", "file", "!read").
 *
 * Starts as { 0 }: nothing was said, and all are wanted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/callcopy.h"

struct callchoice {
	bool is_named;                             /* some call was */
	bool is_inverse;                           /* they were those that are not wanted */
	bool named[CALLABI_COUNT][CALLCOPY_CALLS]; /* by number */
};

/*
 * A call's name, a pattern of names, or a group's name, perhaps with a '%' before it, of all
 * machines. False: it is none of that.
 */
bool callchoice_add(struct callchoice *choice, const char *word);
/* The name of a call that may be meant by one that there is not; NULL: none is near. */
const char *callchoice_nearest(const char *word);

bool callchoice_wants(const struct callchoice *choice, enum callabi abi, uint64_t number);
