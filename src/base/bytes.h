/*
 * bytes.h - numbers as they lie in files: in the byte order of the machine that wrote them, and in
 * words of 8 bytes.
 *
 * @foreign: whether that order is not ours.
 */
#pragma once

#include <byteswap.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint16_t bytes_u16(uint16_t value, bool foreign)
{
	return foreign ? bswap_16(value) : value;
}

static inline uint32_t bytes_u32(uint32_t value, bool foreign)
{
	return foreign ? bswap_32(value) : value;
}

static inline uint64_t bytes_u64(uint64_t value, bool foreign)
{
	return foreign ? bswap_64(value) : value;
}

/* The next multiple of 8; @size is at most UINT64_MAX - 7. */
static inline uint64_t bytes_round_up(uint64_t size)
{
	return (size + 7) & ~UINT64_C(7);
}
