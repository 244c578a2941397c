/* body.c - see body.h. */
#include "data/body.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

/* What recorders pad strings to; readers of old took the padding for granted. */
enum { STRING_ALIGN = 64 };

struct body_in body_begin(const void *bytes, size_t size, bool foreign)
{
	return (struct body_in){ .at = bytes, .left = size, .swap = foreign };
}

const void *body_bytes(struct body_in *in, size_t size)
{
	const uint8_t *bytes = in->at;

	if (in->bad || size > in->left) {
		in->bad = true;
		return NULL;
	}
	in->at += size;
	in->left -= size;
	return bytes;
}

uint32_t body_u32(struct body_in *in)
{
	const void *bytes = body_bytes(in, sizeof(uint32_t));
	uint32_t value = 0;

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return bytes_u32(value, in->swap);
}

uint64_t body_u64(struct body_in *in)
{
	const void *bytes = body_bytes(in, sizeof(uint64_t));
	uint64_t value = 0;

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return bytes_u64(value, in->swap);
}

const char *body_string(struct body_in *in)
{
	uint32_t size = body_u32(in);
	const char *text = body_bytes(in, size);

	if (!text)
		return "";
	if (!memchr(text, '\0', size)) {
		in->bad = true;
		return "";
	}
	return text;
}

bool body_has(struct body_in *in, uint64_t count, size_t size)
{
	if (count > in->left / size)
		in->bad = true;
	return !in->bad;
}

void body_put_bytes(struct body_out *out, const void *bytes, size_t size)
{
	if (size == 0)
		return;
	while (out->capacity - out->size < size)
		out->bytes = xgrow(out->bytes, &out->capacity, 1);
	memcpy(out->bytes + out->size, bytes, size);
	out->size += size;
}

void body_put_u32(struct body_out *out, uint32_t value)
{
	body_put_bytes(out, &value, sizeof(value));
}

void body_put_u64(struct body_out *out, uint64_t value)
{
	body_put_bytes(out, &value, sizeof(value));
}

void body_put_string(struct body_out *out, const char *text)
{
	static const char zeros[STRING_ALIGN];
	size_t size = strlen(text) + 1;
	size_t padding = (STRING_ALIGN - size % STRING_ALIGN) % STRING_ALIGN;

	body_put_u32(out, (uint32_t)(size + padding));
	body_put_bytes(out, text, size);
	body_put_bytes(out, zeros, padding);
}

void body_done(struct body_out *out)
{
	free(out->bytes);
	*out = (struct body_out){ 0 };
}
