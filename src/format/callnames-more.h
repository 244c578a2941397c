/*
 * callnames-more.h - names that the kernel has and the tables have not: of values that are younger
 * than the headers which the tables were made of.
 */
#pragma once

#include <stdint.h>

#include "base/mem.h"
#include "format/callnames.h"

struct callnames_more;

/* Where they come from. */
struct callnames_source {
	/* Hands out the enumerators of an enum of the kernel's, whose names live as long as the
	 * source. Asked once for each enum, when a name is missing. */
	void (*each)(void *context, const char *name,
		     void (*add)(void *add_context, const char *name, uint64_t value),
		     void *add_context);
	void *context;
};

/* @source is copied. */
struct callnames_more *callnames_more_new(const struct callnames_source *source);
void callnames_more_free(struct callnames_more *more);
CLEANUP(callnames_more_free, struct callnames_more)

/*
 * @names, or, if these have no name for the value and the kernel may have one, a table that has
 * those of the kernel's as well; it lives as long as @more. @more NULL: @names.
 */
const struct callnames *callnames_more_find(struct callnames_more *more,
					    const struct callnames *names, uint64_t value);
