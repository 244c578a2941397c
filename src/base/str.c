/* str.c - see str.h. */
#include "base/str.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Room for @more bytes and the NUL. */
static void reserve(struct str *str, size_t more)
{
	while (str->capacity - str->size <= more)
		str->text = xgrow(str->text, &str->capacity, 1);
}

void str_add_bytes(struct str *str, const void *bytes, size_t size)
{
	reserve(str, size);
	if (size)
		memcpy(str->text + str->size, bytes, size);
	str->size += size;
	str->text[str->size] = '\0';
}

void str_add(struct str *str, const char *text)
{
	str_add_bytes(str, text, strlen(text));
}

void str_add_hex(struct str *str, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		str_addf(str, "%02x", ((const unsigned char *)bytes)[i]);
}

void str_add_repeat(struct str *str, char c, size_t count)
{
	reserve(str, count);
	memset(str->text + str->size, c, count);
	str->size += count;
	str->text[str->size] = '\0';
}

void str_addv(struct str *str, const char *fmt, va_list ap)
{
	va_list again;
	int size;

	reserve(str, 64);
	va_copy(again, ap);
	size = vsnprintf(str->text + str->size, str->capacity - str->size, fmt, again);
	va_end(again);
	if (size < 0) { /* a format that libc refuses adds nothing */
		str->text[str->size] = '\0';
		return;
	}
	if ((size_t)size >= str->capacity - str->size) {
		reserve(str, (size_t)size);
		(void)vsnprintf(str->text + str->size, (size_t)size + 1, fmt, ap);
	}
	str->size += (size_t)size;
}

void str_add_right(struct str *str, const char *text, size_t width)
{
	size_t size = strlen(text);

	if (size < width)
		str_add_repeat(str, ' ', width - size);
	str_add_bytes(str, text, size);
}

void str_addf(struct str *str, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_addv(str, fmt, ap);
	va_end(ap);
}

void str_cut(struct str *str, size_t size)
{
	if (size >= str->size)
		return;
	str->size = size;
	str->text[size] = '\0';
}

#define NEWLINE "\\x0a"

size_t str_line_size(const char *text)
{
	size_t size = strlen(text), more = 0;

	for (const char *at = text; (at = strchr(at, '\n')); at++)
		more += strlen(NEWLINE) - 1;
	return size + more;
}

void str_one_line(struct str *str, size_t begin)
{
	const char *newline =
		str->size > begin ? memchr(str->text + begin, '\n', str->size - begin) : NULL;
	struct str rest = { 0 };

	if (!newline)
		return;
	str_add_bytes(&rest, newline, str->size - (size_t)(newline - str->text));
	str_cut(str, (size_t)(newline - str->text));
	for (size_t i = 0; i < rest.size; i++) {
		if (rest.text[i] == '\n')
			str_add(str, NEWLINE);
		else
			str_add_char(str, rest.text[i]);
	}
	str_done(&rest);
}

const char *str_text(const struct str *str)
{
	return str->text ? str->text : "";
}

char *str_take(struct str *str)
{
	char *text;

	str_add_bytes(str, "", 0);
	text = str->text;
	*str = (struct str){ 0 };
	return text;
}

void str_done(struct str *str)
{
	free(str->text);
	*str = (struct str){ 0 };
}

bool str_split(const char **rest, char separator, struct str_part *ret_part)
{
	const char *text = *rest, *end;

	if (!text)
		return false;
	end = strchrnul(text, separator);
	*ret_part = (struct str_part){ text, (size_t)(end - text) };
	*rest = *end ? end + 1 : NULL;
	return true;
}

bool str_part_is(struct str_part part, const char *text)
{
	return strlen(text) == part.size && memcmp(part.text, text, part.size) == 0;
}

struct str_part str_trim(const char *text)
{
	struct str_part part;

	part.text = text + strspn(text, " ");
	part.size = strlen(part.text);
	while (part.size > 0 && part.text[part.size - 1] == ' ')
		part.size--;
	return part;
}

const char *str_after(const char *text, const char *prefix)
{
	size_t size = strlen(prefix);

	return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

const char *str_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The value of a hex digit; 16 if @c is none. */
static unsigned digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* The number at the start of @text, and where it ends; NULL if there is none or it is too large. */
static const char *number(const char *text, uint64_t *ret_value)
{
	bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
	const char *first = hex ? text + 2 : text, *p;
	uint64_t value = 0, base = hex ? 16 : 10;

	for (p = first; digit(*p) < base; p++)
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit(*p), &value))
			return NULL;
	if (p == first)
		return NULL;
	*ret_value = value;
	return p;
}

bool str_to_u64(const char *text, uint64_t *ret_value)
{
	uint64_t value;
	const char *end = number(text, &value);

	if (!end || *end)
		return false;
	*ret_value = value;
	return true;
}

bool str_to_double(const char *text, double *ret_value)
{
	char *end;
	double value;

	/* strtod() also takes blanks, signs, "nan" and "infinity". */
	if (!isdigit((unsigned char)text[0]) && text[0] != '.')
		return false;
	value = strtod(text, &end);
	if (end == text || *end || !isfinite(value))
		return false;
	*ret_value = value;
	return true;
}

bool str_to_bool(const char *text, bool *ret_value)
{
	static const struct {
		const char *word;
		bool value;
	} words[] = { { "true", true },   { "yes", true }, { "on", true },
		      { "false", false }, { "no", false }, { "off", false } };
	uint64_t number;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i].word) == 0) {
			*ret_value = words[i].value;
			return true;
		}
	}
	if (!str_to_u64(text, &number))
		return false;
	*ret_value = number != 0;
	return true;
}

bool str_to_size(const char *text, uint64_t *ret_bytes)
{
	static const char units[] = "BKMG";
	uint64_t value;
	const char *end = number(text, &value), *unit;

	if (!end)
		return false;
	if (*end) {
		unit = strchr(units, toupper((unsigned char)*end));
		if (!unit || end[1] ||
		    __builtin_mul_overflow(value, UINT64_C(1) << (10 * (unit - units)), &value))
			return false;
	}
	*ret_bytes = value;
	return true;
}

enum { DIGITS_MAX = 20 };

static void add_number(struct str *str, const char *digits, size_t count, size_t width, char fill)
{
	size_t blanks = count < width ? width - count : 0;
	char *to;

	reserve(str, blanks + count);
	to = str->text + str->size;
	for (size_t i = 0; i < blanks; i++)
		*to++ = fill;
	for (size_t i = 0; i < count; i++)
		*to++ = digits[i];
	*to = '\0';
	str->size += blanks + count;
}

/* The digits of a number, up to the end of the buffer; returns where they begin. */
static char *put_decimal(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	return end;
}

void str_add_decimal(struct str *str, uint64_t value, size_t width, char fill)
{
	char digits[DIGITS_MAX];
	char *end = digits + sizeof(digits), *begin = put_decimal(end, value);

	add_number(str, begin, (size_t)(end - begin), width, fill);
}

void str_add_hexadecimal(struct str *str, uint64_t value, size_t width, char fill)
{
	char digits[DIGITS_MAX];
	char *end = digits + sizeof(digits), *begin = end;

	do {
		*--begin = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value > 0);
	add_number(str, begin, (size_t)(end - begin), width, fill);
}

/*
 * The number is mantissa * 2^-shift exactly, so hundredths are too: what is cut off decides, and
 * of two that are equally near, the even one.
 */
static uint64_t round_hundredths(double value)
{
	enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1023 };
	uint64_t bits, mantissa, rounded, rest, half;
	int shift;

	memcpy(&bits, &value, sizeof(bits));
	mantissa = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS;
	shift = MANTISSA_BITS + EXPONENT_BIAS - (int)(bits >> MANTISSA_BITS);
	if (shift >= 64) /* below 2^-11: nearer to 0 than to 0.005 where mantissa * 100 < 2^60 */
		return 0;
	mantissa *= 100;
	rounded = mantissa >> shift;
	rest = mantissa & ((UINT64_C(1) << shift) - 1);
	half = UINT64_C(1) << (shift - 1);
	return rounded + (rest > half || (rest == half && (rounded & 1)));
}

void str_add_hundredths(struct str *str, double value, size_t width)
{
	char digits[DIGITS_MAX + 4];
	char *end = digits + sizeof(digits), *begin = end;
	uint64_t hundredths;

	if (!(value >= 0 && value < 1e6)) {
		str_addf(str, "%*.2f", (int)width, value);
		return;
	}
	hundredths = round_hundredths(value);
	*--begin = (char)('0' + hundredths % 10);
	*--begin = (char)('0' + hundredths / 10 % 10);
	*--begin = '.';
	begin = put_decimal(begin, hundredths / 100);
	add_number(str, begin, (size_t)(end - begin), width, ' ');
}
