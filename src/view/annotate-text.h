/*
 * annotate-text.h - functions' code with what samples hit, as text: as perf annotate --stdio has
 * it.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "analyze/function-hits.h"

struct listing;
struct report_event;

enum annotate_numbers {
	ANNOTATE_PERCENTS,
	ANNOTATE_SAMPLES,
	ANNOTATE_PERIODS,
};

struct annotate_text {
	struct function_share share;
	enum annotate_numbers numbers; /* the columns, one for each event that stands there */
	bool bytes;                    /* instructions' bytes before their texts */
	bool lines;      /* -l: lines behind instructions, and sums of them before the code */
	bool full_paths; /* of source files */
	bool color;      /* of high percentages */
	bool quiet;      /* without titles */
};

/* @listing is empty where there is no code: then @no_code, a sentence, says why. */
void annotate_text_print(const struct annotate_text *text, const struct report_event *event,
			 const struct function_hits *function, const struct listing *listing,
			 const char *no_code, FILE *out);
