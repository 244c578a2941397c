/*
 * header-text.h - the header of a recording as text: report --header, --header-only, -I.
 *
 * Each line begins with "# ". Sections that are there but damaged are said to be so.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct datafile;

struct header_text_options {
	bool full; /* -I: topology, caches, memory too, not only that they are there */
	/*
	 * The "system:name" of a tracepoint's id, or NULL if it is not known: @name is what the
	 * file calls the event. May be NULL.
	 */
	const char *(*tracepoint)(void *context, uint64_t id, const char *name);
	void *context;
};

void header_text_print(const struct datafile *file, const struct header_text_options *options,
		       FILE *out);
