/*
 * sections.h - the feature sections of a file that is being written: what they hold, where they
 * lie, and the table that says so. It writes nothing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "data/fileheader.h"

enum { SECTIONS_MOST = 256 };

struct sections_body {
	void *bytes;     /* NULL: there is none */
	size_t size;     /* in bytes */
	uint64_t offset; /* in the file; 0: it has no place yet */
};

/* Starts as { 0 }. */
struct sections {
	struct sections_body items[SECTIONS_MOST]; /* by feature */
};

/* A copy of @bytes, in place of what the feature had before. */
void sections_keep(struct sections *sections, unsigned feature, const void *bytes, size_t size);

/* Those that have no place yet get one, each at 8 bytes, from @offset on; returns where they end.
 */
uint64_t sections_place(struct sections *sections, uint64_t offset);
/* Those behind @offset have no place any more. */
void sections_displace(struct sections *sections, uint64_t offset);

/* Of all that there are, whether they have a place or not. */
size_t sections_table_size(const struct sections *sections);
/* Those that have a place, in the order of their bits, which are set in @ret_bits (the others are
 * not); returns how many. */
size_t sections_table(const struct sections *sections,
		      struct fileheader_section ret_table[SECTIONS_MOST],
		      uint64_t ret_bits[SECTIONS_MOST / 64]);

void sections_done(struct sections *sections);
