/*
 * debuginfo-row.h - an object and what was found of it, to be printed as text or JSON.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct findings;

struct debuginfo_row {
	const char *name; /* as it was asked for, or mapped */
	const struct findings *findings;
	/* Of what has no file (the kernel, JIT code): NULL findings, and why it has no names, or
	 * NULL */
	const char *reason;
	size_t kept_count;         /* names that the recording has itself */
	const char *const *advice; /* what helps, a sentence each */
	size_t advice_count;
};
