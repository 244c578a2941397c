/*
 * buildid-lines.h - a list of objects and their build-ids, as text and as JSON
 * ("strobe.buildid-list/1").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BUILDID_LINES_ID_MAX = 64 };

struct buildid_line {
	char *name; /* NULL: of what was asked for */
	size_t id_size;
	uint8_t id[BUILDID_LINES_ID_MAX];
	bool has_range;
	uint64_t start, end; /* where its code is */
};

/* Starts as { 0 }. */
struct buildid_lines {
	struct buildid_line *items;
	size_t count, capacity;
};
void buildid_lines_done(struct buildid_lines *lines);

/* All is copied. The line lives until the next one is added. */
struct buildid_line *buildid_lines_add(struct buildid_lines *lines, const char *name,
				       const uint8_t *id, size_t id_size);

void buildid_lines_text(const struct buildid_lines *lines, FILE *out);
void buildid_lines_json(const struct buildid_lines *lines, FILE *out);
