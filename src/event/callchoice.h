/*
 * callchoice.h - which system calls: the words of -e that are calls ("open*", "file", "!read").
 *
 * Starts as { 0 }: nothing was said, and all are wanted.
 */
#pragma once

#include <stdbool.h>

#include "base/callcopy.h"

struct callchoice {
	bool is_named;   /* some call was */
	bool is_inverse; /* they were those that are not wanted */
	/* By number, of the ABI of 64 bits and that of 32. */
	bool named[2][CALLCOPY_CALLS];
};

/*
 * A call's name, a pattern of names, or a group's name, perhaps with a '%' before it. False: it is
 * none of that for the machine (as uname -m has it).
 */
bool callchoice_add(struct callchoice *choice, const char *machine, const char *word);

bool callchoice_wants(const struct callchoice *choice, bool is_32, unsigned number);
