/*
 * compare-text.h - two commands side by side, as a table ("stat compare") and as JSON
 * ("strobe.stat.compare/1").
 */
#pragma once

#include <stddef.h>

struct compare_row;
struct str;

struct compare_text {
	const char *const *a; /* the commands, each ending in NULL */
	const char *const *b;
	unsigned run_count, warmup_count; /* of each */
	const struct compare_row *rows;
	size_t row_count;
};

void compare_text_add(struct str *out, const struct compare_text *text);
void compare_text_add_json(struct str *out, const struct compare_text *text);
