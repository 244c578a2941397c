/*
 * callplan.h - what is to be copied of a program's memory at a system call, by what its arguments
 * are: the instructions for the program in the kernel (base/callcopy.h).
 */
#pragma once

#include "base/callcopy.h"
#include "format/callspec.h"

struct callplan_options {
	size_t text_size; /* bytes of buffers and texts, but not of paths */
	bool no_files;    /* without the descriptors' files */
};

/* All of the plan but is_wanted. Steps that it has no room for are left out, the last ones first.
 */
void callplan_make(const struct callspec *spec, enum callabi abi,
		   const struct callplan_options *options, struct callcopy_plan *ret_plan);
