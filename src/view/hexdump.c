/* hexdump.c - see hexdump.h. */
#include "view/hexdump.h"

#include "base/str.h"

enum { BYTES_A_LINE = 16 };

static void add_line(struct str *out, const unsigned char *bytes, size_t begin, size_t size)
{
	str_add(out, ".  ");
	str_add_hexadecimal(out, begin, 4, '0');
	str_add_char(out, ':');
	str_add_char(out, ' ');
	for (size_t i = 0; i < BYTES_A_LINE; i++) {
		str_add_char(out, ' ');
		if (begin + i < size)
			str_add_hexadecimal(out, bytes[begin + i], 2, '0');
		else
			str_add(out, "  ");
	}
	str_add(out, "  ");
	for (size_t i = 0; i < BYTES_A_LINE; i++) {
		unsigned char c = begin + i < size ? bytes[begin + i] : ' ';

		str_add_char(out, c >= ' ' && c <= '~' ? (char)c : '.');
	}
	str_add_char(out, '\n');
}

void hexdump_add(struct str *out, const void *bytes, size_t size)
{
	for (size_t begin = 0; begin < size; begin += BYTES_A_LINE)
		add_line(out, bytes, begin, size);
}
