/* feature-text.h - one section of a recording's header as lines of text. */
#pragma once

#include <stdio.h>

struct datafile;
struct header_text_options;

/*
 * Prints nothing if the file has not the feature (below FEATURE_PERF_END), or nothing is to be said
 * of it.
 */
void feature_text_print(const struct datafile *file, unsigned feature,
			const struct header_text_options *options, FILE *out);
