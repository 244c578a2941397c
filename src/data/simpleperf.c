/* simpleperf.c - see simpleperf.h. */
#include "data/simpleperf.h"

#include <string.h>

#include "data/body.h"

/* A text that ends in a NUL. */
static const char *take_text(struct body_in *in, size_t *ret_size)
{
	const uint8_t *text = in->at;
	const uint8_t *nul = in->left ? memchr(text, '\0', in->left) : NULL;

	*ret_size = 0;
	if (in->bad || !nul) {
		in->bad = true;
		return "";
	}
	*ret_size = (size_t)(nul - text);
	(void)body_bytes(in, *ret_size + 1);
	return (const char *)text;
}

/* A number of a protobuf message: 7 bits a byte, the low ones first. */
static uint64_t take_varint(struct body_in *in)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		const uint8_t *byte = body_bytes(in, 1);

		if (!byte)
			return 0;
		value |= (uint64_t)(*byte & 0x7f) << shift;
		if (!(*byte & 0x80))
			return value;
	}
	in->bad = true;
	return 0;
}

/* A field of a protobuf message: a number, or bytes, which may be a message. */
struct proto_field {
	uint64_t number;
	uint64_t value;
	struct body_in bytes;
};

static bool take_field(struct body_in *in, struct proto_field *ret_field)
{
	enum { VARINT = 0, FIXED_64 = 1, BYTES = 2, FIXED_32 = 5 };
	uint64_t key, size;
	const uint8_t *bytes;

	if (in->bad || in->left == 0)
		return false;
	key = take_varint(in);
	*ret_field = (struct proto_field){ .number = key >> 3 };
	switch (key & 7) {
	case VARINT:
		ret_field->value = take_varint(in);
		break;
	case FIXED_64:
		(void)body_bytes(in, 8);
		break;
	case BYTES:
		size = take_varint(in);
		bytes = body_bytes(in, size);
		if (bytes)
			ret_field->bytes = body_begin(bytes, size, false);
		break;
	case FIXED_32:
		(void)body_bytes(in, 4);
		break;
	default:
		in->bad = true;
		break;
	}
	return !in->bad;
}

/* The first field of a message within a message. */
static void take_offset(const struct proto_field *message, struct simpleperf_file *file)
{
	struct body_in in = message->bytes;
	struct proto_field field;

	if (!in.at)
		return;
	file->has_offset = true; /* a protobuf leaves a 0 out */
	while (take_field(&in, &field)) {
		if (field.number == 1)
			file->offset = field.value;
	}
}

static void parse_second(struct body_in in, struct simpleperf_file *file)
{
	enum { PATH = 1, TYPE, MIN_VADDR, ELF = 6, MODULE };
	struct proto_field field;

	while (take_field(&in, &field)) {
		if (field.number == PATH && field.bytes.at) {
			file->path = (const char *)field.bytes.at;
			file->path_size = field.bytes.left;
		} else if (field.number == TYPE) {
			file->type = field.value;
		} else if (field.number == MIN_VADDR) {
			file->min_vaddr = field.value;
		} else if (field.number == ELF || field.number == MODULE) {
			take_offset(&field, file);
		}
	}
}

/* The symbols of an entry of FILE, to find what is behind them. */
static void skip_symbols(struct body_in *in, uint64_t count)
{
	size_t size;

	for (; count > 0 && !in->bad; count--) {
		(void)body_bytes(in, 12);
		(void)take_text(in, &size);
	}
}

static bool parse_first(struct simpleperf_walk *walk, struct body_in in,
			struct simpleperf_file *file)
{
	file->path = take_text(&in, &file->path_size);
	file->type = body_u32(&in);
	file->min_vaddr = body_u64(&in);
	walk->symbol_count = body_u32(&in);
	walk->symbols = in.at;
	walk->symbols_end = in.at + in.left;
	skip_symbols(&in, walk->symbol_count);
	if (in.bad)
		return false;
	if (file->type == SIMPLEPERF_DEX)
		(void)body_bytes(&in, (size_t)body_u32(&in) * sizeof(uint64_t));
	file->has_offset = (file->type == SIMPLEPERF_ELF || file->type == SIMPLEPERF_MODULE) &&
			   in.left >= sizeof(uint64_t);
	if (file->has_offset)
		file->offset = body_u64(&in);
	return true;
}

struct simpleperf_walk simpleperf_begin(const void *bytes, size_t size, bool foreign, bool second)
{
	return (struct simpleperf_walk){
		.at = bytes,
		.end = (const uint8_t *)bytes + size,
		.foreign = foreign,
		.second = second,
	};
}

bool simpleperf_next(struct simpleperf_walk *walk, struct simpleperf_file *ret_file)
{
	struct body_in in = body_begin(walk->at, (size_t)(walk->end - walk->at), walk->foreign);
	uint32_t size = body_u32(&in);
	const uint8_t *bytes = body_bytes(&in, size);

	walk->symbol_count = 0;
	walk->symbols = walk->symbols_end = NULL;
	if (!bytes)
		return false;
	*ret_file = (struct simpleperf_file){ .path = "" };
	walk->at = in.at;
	in = body_begin(bytes, size, walk->foreign);
	if (!walk->second)
		return parse_first(walk, in, ret_file);
	walk->symbols = bytes;
	walk->symbols_end = bytes + size;
	parse_second(in, ret_file);
	return true;
}

static bool next_of_second(struct simpleperf_walk *walk, struct body_in *in,
			   struct simpleperf_symbol *symbol)
{
	enum { SYMBOL = 4, VADDR = 1, SIZE, NAME };
	struct proto_field entry, field;

	while (take_field(in, &entry)) {
		walk->symbols = in->at;
		if (entry.number != SYMBOL || !entry.bytes.at)
			continue;
		while (take_field(&entry.bytes, &field)) {
			if (field.number == VADDR)
				symbol->vaddr = field.value;
			else if (field.number == SIZE)
				symbol->size = field.value;
			else if (field.number == NAME && field.bytes.at) {
				symbol->name = (const char *)field.bytes.at;
				symbol->name_size = field.bytes.left;
			}
		}
		return true;
	}
	return false;
}

bool simpleperf_next_symbol(struct simpleperf_walk *walk, struct simpleperf_symbol *ret_symbol)
{
	struct body_in in = body_begin(walk->symbols, (size_t)(walk->symbols_end - walk->symbols),
				       walk->foreign);

	*ret_symbol = (struct simpleperf_symbol){ .name = "" };
	if (walk->second)
		return next_of_second(walk, &in, ret_symbol);
	if (walk->symbol_count == 0)
		return false;
	walk->symbol_count--;
	ret_symbol->vaddr = body_u64(&in);
	ret_symbol->size = body_u32(&in);
	ret_symbol->name = take_text(&in, &ret_symbol->name_size);
	walk->symbols = in.at;
	return !in.bad;
}
