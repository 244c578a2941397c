/*
 * callcopier.h - takes the steps of a plan (base/callcopy.h) from outside of the kernel, where no
 * BPF program may.
 *
 * Those of a call's entry alone, and none for descriptors: when one is looked for, it may be
 * another file's already.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/callcopy.h"

struct str;

struct callcopier {
	/* Bytes of the program's memory, up to @size: how many there are from the first on. */
	size_t (*read)(void *context, uint64_t addr, void *bytes, size_t size);
	void *context;
	size_t word; /* bytes of a pointer of the program's */
};

/*
 * Adds to @out the items of a call that begins with @args. False: something found no room. What is
 * not there has no item; of what is there in part, the beginning has one.
 */
bool callcopier_enter(const struct callcopier *copier, const struct callcopy_plan *plan,
		      const uint64_t args[CALLCOPY_ARGS], struct str *out);
