/* tracefields.c - see tracefields.h. */
#include "format/tracefields.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/str.h"

enum { TEXT_MOST = 64 * 1024 }; /* bytes that a text may have beyond what its record has */

unsigned tracefields_type_size(const struct tracefields *fields, const char *words)
{
	static const struct {
		const char *words;
		unsigned size;
	} types[] = {
		{ "char", 1 },      { "u8", 1 },         { "s8", 1 },          { "__u8", 1 },
		{ "uint8_t", 1 },   { "bool", 1 },       { "short", 2 },       { "u16", 2 },
		{ "s16", 2 },       { "__u16", 2 },      { "uint16_t", 2 },    { "__be16", 2 },
		{ "__le16", 2 },    { "int", 4 },        { "u32", 4 },         { "s32", 4 },
		{ "__u32", 4 },     { "uint", 4 },       { "uint32_t", 4 },    { "unsigned", 4 },
		{ "u64", 8 },       { "s64", 8 },        { "__u64", 8 },       { "uint64_t", 8 },
		{ "__le32", 4 },    { "__be32", 4 },     { "__le64", 8 },      { "__be64", 8 },
		{ "long long", 8 }, { "dma_addr_t", 8 }, { "phys_addr_t", 8 },
	};
	const char *after = str_after(words, "unsigned ");

	words = after ? after : words;
	after = str_after(words, "signed ");
	words = after ? after : words;
	if (strcmp(words, "long") == 0 || strcmp(words, "size_t") == 0)
		return fields->long_size;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(words, types[i].words) == 0)
			return types[i].size;
	}
	return 0;
}

static bool is_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* A declaration taken apart. */
struct declaration {
	struct str type; /* without what says where the array is, and without brackets */
	struct str_part name;
	bool has_brackets;
	unsigned long length; /* in them; 0 if there is none, or it is no number */
};

/* "char comm[16]", "u8[] bytes": brackets pair, and hold anything. Taken out of @text. */
static bool take_brackets(struct str *text, struct declaration *ret)
{
	char *open = memchr(text->text, '[', text->size), *close;
	size_t at, end;

	if (!open)
		return !memchr(text->text, ']', text->size);
	close = strchr(open, ']');
	if (!close || strchr(open + 1, '[') || strchr(close + 1, ']'))
		return false;
	ret->has_brackets = true;
	ret->length = strtoul(open + 1, NULL, 10);
	at = (size_t)(open - text->text);
	end = (size_t)(close + 1 - text->text);
	memmove(open, close + 1, text->size - end);
	str_cut(text, at + text->size - end);
	return true;
}

/* The name is the last word; before it are words and stars. */
static bool split(struct declaration *declaration)
{
	struct str *type = &declaration->type;
	size_t end = type->size, begin;

	while (end > 0 && type->text[end - 1] == ' ')
		end--;
	begin = end;
	while (begin > 0 && is_identifier(type->text[begin - 1]))
		begin--;
	if (begin == end || begin == 0)
		return false;
	for (size_t i = 0; i < begin; i++) {
		if (!is_identifier(type->text[i]) && !strchr(" *", type->text[i]))
			return false;
	}
	declaration->name = (struct str_part){ type->text + begin, end - begin };
	return true;
}

static void describe(struct tracefield *field, const struct tracefields *fields,
		     const struct declaration *declaration)
{
	const char *type = declaration->type.text;

	field->is_relative = str_after(type, "__rel_loc ");
	field->is_dynamic = field->is_relative || str_after(type, "__data_loc ");
	if (field->is_dynamic)
		type = strchr(type, ' ') + 1;
	field->is_array = declaration->has_brackets || field->is_dynamic;
	field->is_text = field->is_array &&
			 (strstr(type, "char") || strstr(type, "u8") || strstr(type, "s8"));
	field->is_pointer = strchr(type, '*');
	field->is_long = strstr(type, "long");
	if (!field->is_array)
		field->element = (unsigned)field->size;
	else if (declaration->length && !field->is_dynamic)
		field->element = (unsigned)(field->size / declaration->length);
	else
		field->element = field->is_text ? 1 : tracefields_type_size(fields, type);
}

bool tracefields_add(struct tracefields *fields, const char *declaration, size_t declaration_size,
		     size_t offset, size_t size, bool is_signed, struct arena *arena)
{
	struct declaration parts = { 0 };
	struct tracefield field = { .offset = offset, .size = size, .is_signed = is_signed };
	bool good;

	str_add_bytes(&parts.type, declaration, declaration_size);
	good = declaration_size && take_brackets(&parts.type, &parts) && split(&parts);
	if (good) {
		field.name = arena_strndup(arena, parts.name.text, parts.name.size);
		field.is_common = str_after(field.name, "common_");
		/* What is left of the text is the type. */
		str_cut(&parts.type, (size_t)(parts.name.text - parts.type.text));
		while (parts.type.size && parts.type.text[parts.type.size - 1] == ' ')
			str_cut(&parts.type, parts.type.size - 1);
		describe(&field, fields, &parts);
		grow(fields);
		fields->items[fields->count++] = field;
	}
	str_done(&parts.type);
	return good;
}

void tracefields_done(struct tracefields *fields)
{
	free(fields->items);
	*fields = (struct tracefields){ 0 };
}

const struct tracefield *tracefields_find(const struct tracefields *fields, const char *name)
{
	for (size_t i = 0; i < fields->count; i++) {
		if (strcmp(fields->items[i].name, name) == 0)
			return &fields->items[i];
	}
	return NULL;
}

uint64_t tracefields_number(const struct tracefields *fields, const uint8_t *bytes, size_t size)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (size) {
	case 1:
		return *bytes;
	case sizeof(two):
		memcpy(&two, bytes, sizeof(two));
		return bytes_u16(two, fields->foreign);
	case sizeof(four):
		memcpy(&four, bytes, sizeof(four));
		return bytes_u32(four, fields->foreign);
	case sizeof(eight):
		memcpy(&eight, bytes, sizeof(eight));
		return bytes_u64(eight, fields->foreign);
	default:
		return 0;
	}
}

bool tracefields_bytes(const struct tracefields *fields, const struct tracefield *field,
		       const struct tracefields_record *record, struct tracefields_bytes *ret_bytes)
{
	const uint8_t *raw = record->raw;
	size_t at = field->offset, size = field->size;

	if (at > record->size || size > record->size - at)
		return false;
	if (field->is_dynamic) {
		uint64_t place = tracefields_number(fields, raw + at, size);

		if (size != 4 && size != 8)
			return false;
		at = (place & 0xffff) + (field->is_relative ? at + size : 0);
		size = (place >> 16) & 0xffff;
		if (at > record->size || size > record->size - at)
			return false;
	} else if (size == 0) {
		size = record->size - at;
	}
	*ret_bytes = (struct tracefields_bytes){ raw + at, size };
	return true;
}

bool tracefields_cut(struct str *text, size_t begin, const struct tracefields_record *record)
{
	/* A byte is "0xff, " at most; the format adds its words. */
	size_t most = begin + TEXT_MOST + 8 * record->size;

	if (text->size <= most)
		return false;
	str_cut(text, most);
	str_add(text, "...");
	return true;
}

/* Up to a NUL. */
static bool is_printable(const struct tracefields_bytes *bytes)
{
	for (size_t i = 0; i < bytes->size && bytes->bytes[i]; i++) {
		if (!isprint(bytes->bytes[i]) && !isspace(bytes->bytes[i]))
			return false;
	}
	return true;
}

static void print_array(const struct tracefield *field, const struct tracefields_bytes *bytes,
			struct str *text)
{
	if (field->is_text && is_printable(bytes)) {
		str_add_bytes(text, bytes->bytes, strnlen((const char *)bytes->bytes, bytes->size));
		return;
	}
	str_add(text, "ARRAY[");
	for (size_t i = 0; i < bytes->size; i++) {
		str_add(text, i ? ", " : "");
		str_add_hex(text, bytes->bytes + i, 1);
	}
	str_add_char(text, ']');
}

static void print_signed(const struct tracefield *field, uint64_t value, struct str *text)
{
	switch (field->size) {
	case 1:
		str_addf(text, "%d", (int8_t)value);
		break;
	case 2:
		str_addf(text, "%2d", (int16_t)value);
		break;
	case 4:
		if (field->is_long)
			str_addf(text, "0x%" PRIx32, (uint32_t)value);
		else
			str_addf(text, "%d", (int32_t)value);
		break;
	default:
		str_addf(text, "%" PRId64, (int64_t)value);
		break;
	}
}

void tracefields_print(const struct tracefields *fields, const struct tracefield *field,
		       const struct tracefields_record *record, struct str *text)
{
	struct tracefields_bytes bytes;
	uint64_t value;

	if (!tracefields_bytes(fields, field, record, &bytes))
		return;
	if (field->is_array) {
		print_array(field, &bytes, text);
		return;
	}
	value = tracefields_number(fields, bytes.bytes, bytes.size);
	if (field->is_signed && !field->is_pointer)
		print_signed(field, value, text);
	else if (field->is_pointer || field->is_long)
		str_addf(text, "0x%" PRIx64, value);
	else
		str_addf(text, "%" PRIu64, value);
}
