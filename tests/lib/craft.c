/* craft.c - see craft.h. */
#include "craft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 104, FIRST_ID = 100, HEADER_ATTR = 64 };

static void fail(const char *what)
{
	perror(what);
	abort();
}

void craft_bytes(struct craft *craft, const void *bytes, size_t size)
{
	if (craft->capacity - craft->size < size) {
		craft->capacity = (craft->capacity + size) * 2;
		craft->bytes = realloc(craft->bytes, craft->capacity);
		if (!craft->bytes)
			fail("realloc");
	}
	if (size)
		memcpy(craft->bytes + craft->size, bytes, size);
	craft->size += size;
}

void craft_u8(struct craft *craft, uint8_t value)
{
	craft_bytes(craft, &value, sizeof(value));
}

void craft_u16(struct craft *craft, uint16_t value)
{
	value = craft->foreign ? __builtin_bswap16(value) : value;
	craft_bytes(craft, &value, sizeof(value));
}

void craft_u32(struct craft *craft, uint32_t value)
{
	value = craft->foreign ? __builtin_bswap32(value) : value;
	craft_bytes(craft, &value, sizeof(value));
}

void craft_u64(struct craft *craft, uint64_t value)
{
	value = craft->foreign ? __builtin_bswap64(value) : value;
	craft_bytes(craft, &value, sizeof(value));
}

void craft_string(struct craft *craft, const char *text)
{
	craft_bytes(craft, text, strlen(text) + 1);
	while (craft->size % 8)
		craft_u8(craft, 0);
}

void craft_set_u64(struct craft *craft, size_t offset, uint64_t value)
{
	value = craft->foreign ? __builtin_bswap64(value) : value;
	memcpy(craft->bytes + offset, &value, sizeof(value));
}

/* The other order counts bit fields from the top; a test uses fields of one bit only, but for
 * precise_ip, of which it uses the lower bit: the second from the top there. */
static uint64_t foreign_flags(uint64_t flags)
{
	uint64_t mirrored = 0;

	for (unsigned i = 0; i < 64; i++)
		mirrored |= (flags >> i & 1) << (63 - i);
	if (flags & CRAFT_PRECISE_1) {
		mirrored &= ~(UINT64_C(1) << (63 - 15));
		mirrored |= UINT64_C(1) << (63 - 16);
	}
	return mirrored;
}

void craft_attr(struct craft *craft, const struct craft_attr *attr)
{
	size_t begin = craft->size;

	craft_u32(craft, attr->type);
	craft_u32(craft, attr->size);
	craft_u64(craft, attr->config);
	craft_u64(craft, attr->sample_period);
	craft_u64(craft, attr->sample_type);
	craft_u64(craft, attr->read_format);
	craft_u64(craft, craft->foreign ? foreign_flags(attr->flag_bits) : attr->flag_bits);
	craft_u64(craft, 0); /* wakeup_events, bp_type */
	craft_u64(craft, 0); /* config1 */
	craft_u64(craft, 0); /* config2 */
	craft_u64(craft, attr->branch_sample_type);
	craft_u64(craft, attr->regs_user);
	craft_u32(craft, attr->stack_user);
	craft_u32(craft, 0); /* clockid */
	craft_u64(craft, attr->regs_intr);
	while (craft->size - begin < attr->size)
		craft_u64(craft, 0);
	craft->size = begin + attr->size;
}

static void craft_magic(struct craft *craft, uint64_t header_size)
{
	craft_bytes(craft, craft->foreign ? "2ELIFREP" : "PERFILE2", 8);
	craft_u64(craft, header_size);
}

void craft_begin(struct craft *craft, const struct craft_attr *attrs, size_t count)
{
	size_t entry_size = attrs[0].size + 16;

	craft_magic(craft, HEADER_SIZE);
	craft_u64(craft, entry_size);
	craft_u64(craft, HEADER_SIZE + 8 * count);
	craft_u64(craft, entry_size * count);
	craft_u64(craft, HEADER_SIZE + (8 + entry_size) * count);
	while (craft->size < HEADER_SIZE)
		craft_u64(craft, 0);
	for (size_t i = 0; i < count; i++)
		craft_u64(craft, FIRST_ID + i);
	for (size_t i = 0; i < count; i++) {
		craft_attr(craft, &attrs[i]);
		craft_u64(craft, HEADER_SIZE + 8 * i);
		craft_u64(craft, 8);
	}
	craft->data = craft->size;
}

void craft_begin_pipe(struct craft *craft, const struct craft_attr *attrs, size_t count)
{
	craft_magic(craft, 16);
	craft->data = craft->size;
	for (size_t i = 0; i < count; i++) {
		craft_record(craft, HEADER_ATTR, 0);
		craft_attr(craft, &attrs[i]);
		craft_u64(craft, FIRST_ID + i);
		craft_end_record(craft);
	}
}

void craft_record(struct craft *craft, uint32_t type, uint16_t misc)
{
	craft->record = craft->size;
	craft_u32(craft, type);
	craft_u16(craft, misc);
	craft_u16(craft, 0);
}

void craft_end_record(struct craft *craft)
{
	uint16_t size = (uint16_t)(craft->size - craft->record);

	size = craft->foreign ? __builtin_bswap16(size) : size;
	memcpy(craft->bytes + craft->record + 6, &size, sizeof(size));
}

void craft_end_data(struct craft *craft)
{
	craft_set_u64(craft, 48, craft->size - craft->data);
}

void craft_features(struct craft *craft, const unsigned *numbers, const struct craft *bodies,
		    size_t count)
{
	uint64_t offset = craft->size + 16 * count;
	uint64_t words[4] = { 0 };

	for (size_t i = 0; i < count; i++) {
		words[numbers[i] / 64] |= UINT64_C(1) << (numbers[i] % 64);
		craft_u64(craft, offset);
		craft_u64(craft, bodies[i].size);
		offset += bodies[i].size;
	}
	for (size_t i = 0; i < 4; i++)
		craft_set_u64(craft, 72 + 8 * i, words[i]);
	for (size_t i = 0; i < count; i++)
		craft_bytes(craft, bodies[i].bytes, bodies[i].size);
}

void craft_save(const struct craft *craft, const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		fail(path);
	if (craft->size && fwrite(craft->bytes, 1, craft->size, file) != craft->size)
		fail(path);
	if (fclose(file) != 0)
		fail(path);
}

void craft_done(struct craft *craft)
{
	free(craft->bytes);
	*craft = (struct craft){ 0 };
}
