/* sections.c - see sections.h. */
#include "data/sections.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

void sections_keep(struct sections *sections, unsigned feature, const void *bytes, size_t size)
{
	struct sections_body *body = &sections->items[feature];

	free(body->bytes);
	*body = (struct sections_body){ .bytes = xcalloc(1, size ? size : 1), .size = size };
	if (size)
		memcpy(body->bytes, bytes, size);
}

uint64_t sections_place(struct sections *sections, uint64_t offset)
{
	for (size_t i = 0; i < SECTIONS_MOST; i++) {
		struct sections_body *body = &sections->items[i];

		if (!body->bytes || body->offset)
			continue;
		body->offset = offset;
		offset += bytes_round_up(body->size);
	}
	return offset;
}

void sections_displace(struct sections *sections, uint64_t offset)
{
	for (size_t i = 0; i < SECTIONS_MOST; i++)
		if (sections->items[i].offset > offset)
			sections->items[i].offset = 0;
}

size_t sections_table_size(const struct sections *sections)
{
	size_t count = 0;

	for (size_t i = 0; i < SECTIONS_MOST; i++)
		count += sections->items[i].bytes != NULL;
	return count * sizeof(struct fileheader_section);
}

size_t sections_table(const struct sections *sections,
		      struct fileheader_section ret_table[SECTIONS_MOST],
		      uint64_t ret_bits[SECTIONS_MOST / 64])
{
	size_t count = 0;

	memset(ret_bits, 0, SECTIONS_MOST / 8);
	for (size_t i = 0; i < SECTIONS_MOST; i++) {
		const struct sections_body *body = &sections->items[i];

		if (!body->offset)
			continue;
		ret_bits[i / 64] |= UINT64_C(1) << (i % 64);
		ret_table[count++] = (struct fileheader_section){ body->offset, body->size };
	}
	return count;
}

void sections_done(struct sections *sections)
{
	for (size_t i = 0; i < SECTIONS_MOST; i++)
		free(sections->items[i].bytes);
}
