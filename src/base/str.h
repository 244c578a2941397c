/*
 * str.h - text: a string that grows, and reading words, numbers and sizes out of text.
 *
 * A struct str starts as { 0 } and needs no init. While @text is not NULL it ends in a NUL that
 * @size does not count; bytes before it may be anything, NULs too. Free it with str_done, by scope
 * `_cleanup_(str_done) struct str line = { 0 };`, or give the text away with str_take.
 *
 * The readers below take const text, copy nothing, and never look past the NUL.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	char *text;
	size_t size, capacity;
};

void str_add(struct str *str, const char *text);
void str_add_bytes(struct str *str, const void *bytes, size_t size);
static inline void str_add_char(struct str *str, char c)
{
	if (str->capacity - str->size < 2) {
		str_add_bytes(str, &c, 1);
		return;
	}
	str->text[str->size++] = c;
	str->text[str->size] = '\0';
}
/* Two digits for each byte. */
void str_add_hex(struct str *str, const void *bytes, size_t size);
void str_add_repeat(struct str *str, char c, size_t count);
void str_addf(struct str *str, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *str, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Right-aligned in @width columns, as "%*s". */
void str_add_right(struct str *str, const char *text, size_t width);
/* Shortens to @size bytes; the memory stays, for the next line. */
void str_cut(struct str *str, size_t size);
static inline void str_clear(struct str *str)
{
	str_cut(str, 0);
}

/*
 * Names are any bytes, but a line that holds one stays one line: newlines from byte @begin on
 * become "\\x0a".
 */
void str_one_line(struct str *str, size_t begin);
/* How long a text is then. */
size_t str_line_size(const char *text);

/* The text, "" when nothing was added yet. Borrowed until the next str_ call on it. */
const char *str_text(const struct str *str);

/* The text as the caller's own, to free(); never NULL. @str is empty afterwards. */
char *str_take(struct str *str);
void str_done(struct str *str);

/* A stretch of someone else's text; not NUL-terminated. */
struct str_part {
	const char *text;
	size_t size;
};

/*
 * The parts of a list: `while (str_split(&rest, ',', &part))`. @rest begins as the whole text and
 * ends as NULL. Every separator separates: "a,,b" has an empty part in the middle, "" has one.
 */
bool str_split(const char **rest, char separator, struct str_part *ret_part);
bool str_part_is(struct str_part part, const char *text);

/* @text without the blanks at its ends. */
struct str_part str_trim(const char *text);

/* What follows @prefix in @text, NULL if it does not begin with it. */
const char *str_after(const char *text, const char *prefix);

/* What is behind the last '/' of a path; all of it, if it has none. */
const char *str_base_name(const char *path);

/* A whole text that is one number: decimal, or hex after 0x; no sign, no blanks. False if not. */
bool str_to_u64(const char *text, uint64_t *ret_value);
/* A whole string that is a finite number, not below 0: "0.5", "1e3". */
bool str_to_double(const char *text, double *ret_value);
/* "true", "yes", "on" and any number but 0, or "false", "no", "off" and "0"; in any case. */
bool str_to_bool(const char *text, bool *ret_value);
/* As str_to_u64, with B, K, M or G (powers of 1024, either case) allowed behind it. */
bool str_to_size(const char *text, uint64_t *ret_bytes);

/*
 * Numbers, as printf writes them but much faster: right-aligned in @width columns ("%*PRIu64",
 * "%*PRIx64"), filled up with @fill.
 */
void str_add_decimal(struct str *str, uint64_t value, size_t width, char fill);
void str_add_hexadecimal(struct str *str, uint64_t value, size_t width, char fill);
/* "%*.2f", rounded as printf rounds. */
void str_add_hundredths(struct str *str, double value, size_t width);
