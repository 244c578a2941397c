/* json.c - see json.h. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/*
 * The size of the character that @bytes begin with, 0 if they are not UTF-8: by table 3-7 of the
 * Unicode standard, so neither overlong forms nor surrogates nor what lies above U+10FFFF.
 */
static size_t character_size(const unsigned char *bytes, size_t size)
{
	unsigned char lead = bytes[0], low = 0x80, high = 0xbf;
	size_t wanted;

	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	wanted = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	if (lead == 0xe0)
		low = 0xa0;
	else if (lead == 0xf0)
		low = 0x90;
	else if (lead == 0xed)
		high = 0x9f;
	else if (lead == 0xf4)
		high = 0x8f;
	if (size < wanted || bytes[1] < low || bytes[1] > high)
		return 0;
	for (size_t i = 2; i < wanted; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	}
	return wanted;
}

/* Control characters and the two that JSON wants to be escaped; DEL for terminals' sake. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void add_escaped(struct str *out, unsigned char c)
{
	static const char letters[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *letter = c ? strchr(letters, c) : NULL;

	if (letter)
		str_addf(out, "\\%c", names[letter - letters]);
	else
		str_addf(out, "\\u%04x", c);
}

/* With its quotes. False if something of it had to be replaced. */
static bool add_quoted(struct str *out, const void *text, size_t size)
{
	const unsigned char *bytes = text;
	bool whole = true;
	size_t i = 0;

	str_add_char(out, '"');
	while (i < size) {
		size_t run = 0;

		while (i + run < size && is_plain(bytes[i + run]))
			run++;
		str_add_bytes(out, bytes + i, run);
		i += run;
		if (i == size)
			break;
		run = character_size(bytes + i, size - i);
		if (run == 1)
			add_escaped(out, bytes[i]);
		else if (run > 1)
			str_add_bytes(out, bytes + i, run);
		else
			str_add(out, replacement);
		whole &= run > 0;
		i += run ? run : 1;
	}
	str_add_char(out, '"');
	return whole;
}

/* What stands before a value. */
static void begin_value(struct json *json, const char *name)
{
	if (json->follows)
		str_add_char(json->out, ',');
	json->follows = true;
	if (!name)
		return;
	(void)add_quoted(json->out, name, strlen(name));
	str_add_char(json->out, ':');
}

static void begin_hex(struct json *json, const char *name)
{
	struct str twin = { 0 };

	str_addf(&twin, "%s_hex", name);
	begin_value(json, str_text(&twin));
	str_done(&twin);
}

static void open_container(struct json *json, const char *name, char bracket)
{
	begin_value(json, name);
	str_add_char(json->out, bracket);
	json->follows = false;
}

static void close_container(struct json *json, char bracket)
{
	str_add_char(json->out, bracket);
	json->follows = true;
}

void json_begin(struct json *json, const char *name)
{
	open_container(json, name, '{');
}

void json_end(struct json *json)
{
	close_container(json, '}');
}

void json_begin_list(struct json *json, const char *name)
{
	open_container(json, name, '[');
}

void json_end_list(struct json *json)
{
	close_container(json, ']');
}

void json_bytes(struct json *json, const char *name, const void *bytes, size_t size)
{
	begin_value(json, name);
	if (add_quoted(json->out, bytes, size) || !name)
		return;
	begin_hex(json, name);
	str_add_char(json->out, '"');
	str_add_hex(json->out, bytes, size);
	str_add_char(json->out, '"');
}

void json_text(struct json *json, const char *name, const char *text)
{
	if (text)
		json_bytes(json, name, text, strlen(text));
	else
		json_null(json, name);
}

void json_texts(struct json *json, const char *name, const char *const *texts, size_t count)
{
	bool whole = true;

	json_begin_list(json, name);
	for (size_t i = 0; i < count; i++) {
		begin_value(json, NULL);
		whole &= add_quoted(json->out, texts[i], strlen(texts[i]));
	}
	json_end_list(json);
	if (whole)
		return;
	begin_hex(json, name);
	str_add_char(json->out, '[');
	for (size_t i = 0; i < count; i++) {
		str_add(json->out, i ? ",\"" : "\"");
		str_add_hex(json->out, texts[i], strlen(texts[i]));
		str_add_char(json->out, '"');
	}
	str_add_char(json->out, ']');
}

void json_hex(struct json *json, const char *name, const void *bytes, size_t size)
{
	if (size == 0) {
		json_null(json, name);
		return;
	}
	begin_value(json, name);
	str_add_char(json->out, '"');
	str_add_hex(json->out, bytes, size);
	str_add_char(json->out, '"');
}

void json_u64(struct json *json, const char *name, uint64_t value)
{
	begin_value(json, name);
	str_add_decimal(json->out, value, 0, ' ');
}

void json_i64(struct json *json, const char *name, int64_t value)
{
	begin_value(json, name);
	if (value < 0)
		str_add_char(json->out, '-');
	str_add_decimal(json->out, value < 0 ? -(uint64_t)value : (uint64_t)value, 0, ' ');
}

void json_addr(struct json *json, const char *name, uint64_t value)
{
	begin_value(json, name);
	str_add(json->out, "\"0x");
	str_add_hexadecimal(json->out, value, 0, ' ');
	str_add_char(json->out, '"');
}

void json_double(struct json *json, const char *name, double value)
{
	enum { FEWEST = 15, ALL = 17 }; /* digits: that every double keeps; that every one needs */
	size_t begin;

	if (!isfinite(value)) {
		json_null(json, name);
		return;
	}
	begin_value(json, name);
	begin = json->out->size;
	for (int digits = FEWEST; digits <= ALL; digits++) {
		str_cut(json->out, begin);
		str_addf(json->out, "%.*g", digits, value);
		if (strtod(json->out->text + begin, NULL) == value)
			return;
	}
}

void json_bool(struct json *json, const char *name, bool value)
{
	begin_value(json, name);
	str_add(json->out, value ? "true" : "false");
}

void json_null(struct json *json, const char *name)
{
	begin_value(json, name);
	str_add(json->out, "null");
}
