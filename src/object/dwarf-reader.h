/*
 * dwarf-reader.h - numbers as DWARF writes them, one after another, of little-endian files.
 *
 * Reading past the end gives 0 and sets failed, so that a row of reads is checked once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct dwarf_reader {
	const uint8_t *at, *end;
	bool failed;
};

static inline size_t dwarf_left(const struct dwarf_reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

/* Little-endian, 1 to 8 bytes. */
static inline uint64_t dwarf_number(struct dwarf_reader *reader, size_t size)
{
	uint64_t value = 0;

	if (dwarf_left(reader) < size) {
		reader->failed = true;
		reader->at = reader->end;
		return 0;
	}
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)reader->at[i] << (8 * i);
	reader->at += size;
	return value;
}

static inline int64_t dwarf_signed(struct dwarf_reader *reader, size_t size)
{
	const unsigned shift = 64U - 8U * (unsigned)size;

	return (int64_t)(dwarf_number(reader, size) << shift) >> shift;
}

static inline uint8_t dwarf_u8(struct dwarf_reader *reader)
{
	return (uint8_t)dwarf_number(reader, 1);
}

/* An unsigned number; *ret_bits: how many bits it was written with. Those beyond 64 are dropped. */
static inline uint64_t dwarf_leb(struct dwarf_reader *reader, unsigned *ret_bits)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = dwarf_u8(reader);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !reader->failed);
	*ret_bits = shift;
	return value;
}

static inline uint64_t dwarf_uleb(struct dwarf_reader *reader)
{
	unsigned bits;

	return dwarf_leb(reader, &bits);
}

static inline int64_t dwarf_sleb(struct dwarf_reader *reader)
{
	unsigned bits;
	uint64_t value = dwarf_leb(reader, &bits);

	if (bits < 64 && value >> (bits - 1) & 1)
		value |= ~UINT64_C(0) << bits;
	return (int64_t)value;
}

static inline void dwarf_skip(struct dwarf_reader *reader, uint64_t size)
{
	if (size > dwarf_left(reader)) {
		reader->failed = true;
		reader->at = reader->end;
		return;
	}
	reader->at += size;
}
