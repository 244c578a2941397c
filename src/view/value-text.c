/* value-text.c - see value-text.h. */
#include "view/value-text.h"

#include <inttypes.h>

#include "base/str.h"
#include "data/sample.h"
#include "format/data-src.h"
#include "format/registers.h"

void value_text_registers(const char *arch, const struct sample_regs *regs, struct str *out)
{
	size_t i = 0;

	str_addf(out, " ABI:%" PRIu64 " ", regs->abi);
	for (unsigned bit = 0; bit < REGISTERS_MAX && i < regs->count; bit++) {
		const char *name = registers_name(arch, bit);

		if (regs->mask >> bit & 1)
			str_addf(out, "%5s:0x%" PRIx64 " ", name ? name : "unknown",
				 regs->values[i++]);
	}
}

void value_text_page_size(uint64_t size, struct str *out)
{
	static const char units[] = "BKMGTPE";
	size_t unit = 0;

	if (size == 0) {
		str_add(out, " N/A");
		return;
	}
	for (; size >= 1024 && unit + 2 < sizeof(units); size /= 1024)
		unit++;
	str_addf(out, " %" PRIu64 "%c", size, units[unit]);
}

void value_text_bytes(const void *raw, size_t size, struct str *out)
{
	const unsigned char *bytes = raw;
	enum { PER_LINE = 16 };

	str_add_char(out, '\n');
	for (size_t line = 0; line < size; line += PER_LINE) {
		size_t count = size - line < PER_LINE ? size - line : PER_LINE;

		str_addf(out, "%s %04zx:", line == 0 ? "      BPF output:" : "                 ",
			 line);
		for (size_t i = 0; i < PER_LINE; i++) {
			if (i < count)
				str_addf(out, " %02x", bytes[line + i]);
			else
				str_add(out, "   ");
		}
		str_add(out, "  ");
		for (size_t i = 0; i < count; i++) {
			unsigned char c = bytes[line + i];

			str_add_char(out, c >= ' ' && c < 0x7f ? (char)c : '.');
		}
		str_add_char(out, '\n');
	}
}

void value_text_data_src(uint64_t data_src, size_t *width, struct str *out)
{
	size_t begin;

	str_add_hexadecimal(out, data_src, 16, ' ');
	begin = out->size;
	str_add(out, " |OP ");
	data_src_add_operation(out, data_src);
	str_add(out, "|LVL ");
	data_src_add_level(out, data_src);
	str_add(out, "|SNP ");
	data_src_add_snoop(out, data_src);
	str_add(out, "|TLB ");
	data_src_add_tlb(out, data_src);
	str_add(out, "|LCK ");
	data_src_add_lock(out, data_src);
	str_add(out, "|BLK ");
	data_src_add_blocked(out, data_src);
	if (out->size - begin > *width)
		*width = out->size - begin;
	str_add_repeat(out, ' ', *width - (out->size - begin));
}
