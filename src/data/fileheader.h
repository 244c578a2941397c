/*
 * fileheader.h - the first bytes of a perf.data file: where its sections lie.
 *
 *   PERFILE2: magic, size of this header (104), size of an attr entry, three sections (attrs,
 *   data, event types), 256 feature bits. A pipe has magic and size (16) only. The magic of
 *   the other byte order reads "2ELIFREP"; PERFFILE (version 1) has the same layout, and its
 *   byte order shows in the size. Without the feature bits (72 bytes) it is still a header.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strobe_err;

struct fileheader_section {
	uint64_t offset, size;
};

struct fileheader {
	bool pipe, foreign;
	uint32_t version;   /* 1 or 2 */
	uint64_t size;      /* of this header: 16, 72 or 104 */
	uint64_t attr_size; /* of an entry of attrs: attr and the section of its ids */
	struct fileheader_section attrs, data, types;
	uint64_t features[4]; /* bit N: there is a section of feature N */
};

/* Nothing but the header's form is checked: sections may lie anywhere. -EINVAL if it is none. */
int fileheader_parse(const void *bytes, size_t size, const char *path,
		     struct fileheader *ret_header, struct strobe_err *err);

static inline bool fileheader_has(const struct fileheader *header, unsigned feature)
{
	return header->features[feature / 64] >> (feature % 64) & 1;
}

/* True if the section lies within @file_size bytes. */
static inline bool fileheader_section_fits(struct fileheader_section section, uint64_t file_size)
{
	return section.offset <= file_size && section.size <= file_size - section.offset;
}
