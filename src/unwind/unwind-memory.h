/*
 * unwind-memory.h - the memory of the thread that is unwound: the copy of its stack, and what the
 * caller can read of the rest.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Reads @size bytes (at most 8) at an address that is not in the copy. False if it cannot. */
typedef bool unwind_read(void *context, uint64_t addr, void *bytes, size_t size);

struct unwind_memory {
	uint64_t stack_addr; /* of the copy's first byte */
	const uint8_t *stack;
	size_t stack_size;
	unwind_read *read; /* or NULL */
	void *context;
	uint64_t missing; /* the address that could not be read last */
};

/* A number of 1 to 8 bytes, little-endian. */
static inline bool unwind_memory_get(struct unwind_memory *memory, uint64_t addr, size_t size,
				     uint64_t *ret_value)
{
	uint64_t value = 0, inside = addr - memory->stack_addr;

	if (memory->stack_size >= size && inside <= memory->stack_size - size) {
		memcpy(&value, memory->stack + inside, size);
	} else if (!memory->read || !memory->read(memory->context, addr, &value, size)) {
		memory->missing = addr;
		return false;
	}
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	*ret_value = value;
	return true;
}
