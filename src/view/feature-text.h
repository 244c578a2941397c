/* feature-text.h - one section of a recording's header as lines of text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;
struct datafile;
struct header_text_options;

/*
 * Prints nothing if the file has not the feature, or nothing is to be said of it.
 */
void feature_text_print(const struct datafile *file, unsigned feature,
			const struct header_text_options *options, FILE *out);

/* A section being printed, for feature-machine.h and feature-recording.h. */
struct feature_text_section {
	const struct datafile *file;
	const struct header_text_options *options;
	const void *bytes;
	size_t size;
	bool foreign;
	struct arena *arena;
	FILE *out;
};

/* 0, or -EBADMSG where the section is damaged. */
typedef int feature_text_printer(const struct feature_text_section *section);
