/* printfmt.c - see printfmt.h. */
#include "format/printfmt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/printexpr.h"
#include "format/printpointer.h"
#include "format/printvalue.h"

enum {
	WIDTH_MAX = 1000,        /* wider columns are no text for people */
	WALK_MOST = 1024 * 1024, /* bytes of arrays for a text; a record has 64 KiB at most */
};

/* A stretch of text, and the conversion behind it. */
struct piece {
	const char *text;
	char conversion;     /* d u x X o c s p; 0: none, the format ends */
	const char *letters; /* of p: what follows it */
	bool left, zero, plus, space, alternate;
	bool has_precision;
	size_t width, precision;
	unsigned size;                  /* of a number: bytes that are printed */
	const struct printexpr *length; /* of '*', or NULL */
	bool length_is_width;
	const struct printexpr *arg;
};

struct printfmt {
	struct arena arena;
	const struct tracefields *fields;
	struct {
		struct piece *items;
		size_t count, capacity;
	} pieces;
};

struct reader {
	const char *at;
	struct printexpr_list args;
	size_t next_arg;
	struct arena *arena;
};

/* The text up to the next conversion; "%%" is text. */
static const char *take_literal(struct reader *reader)
{
	_cleanup_(str_done) struct str text = { 0 };

	for (; *reader->at; reader->at++) {
		if (reader->at[0] == '%' && reader->at[1] != '%')
			break;
		reader->at += reader->at[0] == '%';
		str_add_char(&text, *reader->at);
	}
	return arena_strdup(reader->arena, str_text(&text));
}

static void take_flags(struct reader *reader, struct piece *piece)
{
	for (;; reader->at++) {
		if (*reader->at == '-')
			piece->left = true;
		else if (*reader->at == '0')
			piece->zero = true;
		else if (*reader->at == '+')
			piece->plus = true;
		else if (*reader->at == ' ')
			piece->space = true;
		else if (*reader->at == '#')
			piece->alternate = true;
		else
			return;
	}
}

static const struct printexpr *take_arg(struct reader *reader)
{
	return reader->next_arg < reader->args.count ? reader->args.items[reader->next_arg++]
						     : NULL;
}

/* A number, or '*' for an argument; one argument is all that there may be. */
static bool take_size(struct reader *reader, struct piece *piece, bool is_width, size_t *ret_size)
{
	*ret_size = 0;
	if (*reader->at == '*') {
		reader->at++;
		if (piece->length)
			return false;
		piece->length = take_arg(reader);
		piece->length_is_width = is_width;
		return piece->length && !printexpr_is_text(piece->length);
	}
	for (; isdigit((unsigned char)*reader->at) && *ret_size < WIDTH_MAX; reader->at++)
		*ret_size = *ret_size * 10 + (size_t)(*reader->at - '0');
	return *ret_size < WIDTH_MAX;
}

/* hh, h, l, ll, L, z: bytes of the number. */
static unsigned take_number_size(struct reader *reader, const struct tracefields *fields)
{
	size_t count = strspn(reader->at, "hlLzZ");
	const char *at = reader->at;

	reader->at += count;
	if (count == 0)
		return sizeof(int);
	if (at[0] == 'h')
		return count == 2 ? sizeof(char) : sizeof(short);
	if (count == 2 || at[0] == 'L')
		return sizeof(long long);
	return fields->long_size == sizeof(int) ? sizeof(int) : sizeof(long long);
}

static bool take_conversion(struct reader *reader, struct piece *piece,
			    const struct tracefields *fields)
{
	size_t letters;

	reader->at++;
	take_flags(reader, piece);
	if (!take_size(reader, piece, true, &piece->width))
		return false;
	if (*reader->at == '.') {
		reader->at++;
		piece->has_precision = true;
		if (!take_size(reader, piece, false, &piece->precision))
			return false;
	}
	piece->size = take_number_size(reader, fields);
	if (!*reader->at || !strchr("diuxXocsp", *reader->at))
		return false;
	piece->conversion = *reader->at++;
	if (piece->conversion == 'p') {
		letters = printpointer_letters(reader->at);
		piece->letters = arena_strndup(reader->arena, reader->at, letters);
		reader->at += letters;
	}
	piece->arg = take_arg(reader);
	return piece->arg;
}

static bool read_pieces(struct printfmt *format, struct reader *reader,
			const struct tracefields *fields)
{
	while (*reader->at) {
		struct piece *piece;

		grow(&format->pieces);
		piece = &format->pieces.items[format->pieces.count++];
		*piece = (struct piece){ .text = take_literal(reader) };
		if (*reader->at && !take_conversion(reader, piece, fields))
			return false;
	}
	return true;
}

struct printfmt *printfmt_new(const char *text, size_t size, const struct tracefields *fields)
{
	struct printfmt *format = xnew(struct printfmt);
	struct reader reader = { .arena = &format->arena };
	bool good;

	format->fields = fields;
	good = printexpr_parse(text, size, fields, &format->arena, &reader.args);
	if (good) {
		reader.at = reader.args.format;
		good = read_pieces(format, &reader, fields);
	}
	printexpr_list_done(&reader.args);
	if (good)
		return format;
	printfmt_free(format);
	return NULL;
}

void printfmt_free(struct printfmt *format)
{
	if (!format)
		return;
	free(format->pieces.items);
	arena_done(&format->arena);
	free(format);
}

static void add_column(const struct piece *piece, size_t width, const char *bytes, size_t size,
		       struct str *text)
{
	if (!piece->left && width > size)
		str_add_repeat(text, ' ', width - size);
	str_add_bytes(text, bytes, size);
	if (piece->left && width > size)
		str_add_repeat(text, ' ', width - size);
}

/* As many bits as the conversion has, with their sign or without. */
static uint64_t cut_number(const struct piece *piece, uint64_t value, bool is_signed)
{
	unsigned shift = 64 - 8 * piece->size;

	if (is_signed)
		return (uint64_t)((int64_t)(value << shift) >> shift);
	return value << shift >> shift;
}

static void add_digits(const struct piece *piece, uint64_t value, struct str *digits)
{
	switch (piece->conversion) {
	case 'x':
		str_addf(digits, "%llx", (unsigned long long)value);
		break;
	case 'X':
		str_addf(digits, "%llX", (unsigned long long)value);
		break;
	case 'o':
		str_addf(digits, "%llo", (unsigned long long)value);
		break;
	default:
		str_addf(digits, "%llu", (unsigned long long)value);
		break;
	}
}

/* What stands before the digits. */
static const char *number_prefix(const struct piece *piece, uint64_t value, bool negative)
{
	if (negative)
		return "-";
	if (piece->alternate && value && piece->conversion == 'x')
		return "0x";
	if (piece->alternate && value && piece->conversion == 'X')
		return "0X";
	if (piece->alternate && value && piece->conversion == 'o')
		return "0";
	if (!strchr("di", piece->conversion))
		return "";
	return piece->plus ? "+" : piece->space ? " " : "";
}

static void add_number(const struct piece *piece, size_t width, size_t precision, uint64_t value,
		       struct str *text)
{
	_cleanup_(str_done) struct str digits = { 0 }, number = { 0 };
	bool is_signed = strchr("di", piece->conversion), negative;

	value = cut_number(piece, value, is_signed);
	negative = is_signed && (int64_t)value < 0;
	add_digits(piece, negative ? -value : value, &digits);
	str_add(&number, number_prefix(piece, value, negative));
	if (piece->zero && !piece->left && !piece->has_precision &&
	    width > number.size + digits.size)
		precision = width - number.size;
	if (precision > digits.size)
		str_add_repeat(&number, '0', precision - digits.size);
	str_add_bytes(&number, digits.text, digits.size);
	add_column(piece, width, number.text, number.size, text);
}

static void add_string(const struct piece *piece, size_t width, size_t precision,
		       const struct printvalue_record *record, struct str *text)
{
	_cleanup_(str_done) struct str whole = { 0 };
	size_t size;

	printvalue_text(piece->arg, record, &whole);
	size = whole.size;
	if (piece->has_precision && precision < size)
		size = precision;
	add_column(piece, width, str_text(&whole), size, text);
}

static void add_pointer(const struct piece *piece, size_t width, size_t length,
			const struct printvalue_record *record, struct str *text)
{
	_cleanup_(str_done) struct str whole = { 0 };

	if (piece->arg->kind == PRINTEXPR_TEXT)
		str_add(&whole, piece->arg->text);
	else
		printpointer_add(piece->letters, piece->arg, length, record, &whole);
	add_column(piece, width, str_text(&whole), whole.size, text);
}

static void add_piece(const struct piece *piece, const struct printvalue_record *record,
		      struct str *text)
{
	size_t width = piece->width, precision = piece->precision, length = SIZE_MAX;
	char letter;

	if (piece->length) {
		length = (size_t)printvalue_number(piece->length, record);
		if (piece->length_is_width)
			width = length < WIDTH_MAX && piece->conversion != 'p' ? length : 0;
		else
			precision = piece->conversion == 's' || length < WIDTH_MAX ? length : 0;
	}
	switch (piece->conversion) {
	case 's':
		add_string(piece, width, precision, record, text);
		break;
	case 'p':
		add_pointer(piece, width, length, record, text);
		break;
	case 'c':
		letter = (char)printvalue_number(piece->arg, record);
		add_column(piece, width, &letter, letter != '\0', text);
		break;
	default:
		add_number(piece, width, precision, printvalue_number(piece->arg, record), text);
		break;
	}
}

void printfmt_print(const struct printfmt *format, const struct tracefields_record *record,
		    const struct printks *printks, struct str *text)
{
	size_t begin = text->size, walked = 0;
	const struct printvalue_record whole = { *record, format->fields, printks, &walked };

	for (size_t i = 0; i < format->pieces.count; i++) {
		const struct piece *piece = &format->pieces.items[i];

		if (walked > WALK_MOST) {
			str_add(text, "...");
			return;
		}
		str_add(text, piece->text);
		if (piece->conversion)
			add_piece(piece, &whole, text);
		if (tracefields_cut(text, begin, record))
			return;
	}
}
