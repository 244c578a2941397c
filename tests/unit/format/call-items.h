/* call-items.h - records of system calls, put together for tests: see base/callcopy.h. */
#pragma once

#include <string.h>

#include "base/callcopy.h"
#include "base/str.h"

/* The entry of a call; a test goes on with items. */
static inline void begin_enter(struct str *raw, uint64_t number, const uint64_t args[CALLCOPY_ARGS])
{
	uint32_t mark = CALLCOPY_MARK;

	str_clear(raw);
	str_add_repeat(raw, 0, 8);
	str_add_bytes(raw, &number, sizeof(number));
	str_add_bytes(raw, args, CALLCOPY_ARGS * sizeof(*args));
	str_add_bytes(raw, &mark, sizeof(mark));
}

static inline void begin_exit(struct str *raw, uint64_t number, int64_t result)
{
	uint32_t mark = CALLCOPY_MARK;

	str_clear(raw);
	str_add_repeat(raw, 0, 8);
	str_add_bytes(raw, &number, sizeof(number));
	str_add_bytes(raw, &result, sizeof(result));
	str_add_bytes(raw, &mark, sizeof(mark));
}

static inline void add_item(struct str *raw, unsigned arg, enum callcopy_what what, uint32_t more,
			    const void *bytes, size_t size)
{
	struct callcopy_item head = {
		.size = (uint16_t)size, .arg = (uint8_t)arg, .what = (uint8_t)what, .more = more
	};

	str_add_bytes(raw, &head, sizeof(head));
	str_add_bytes(raw, bytes, size);
	str_add_repeat(raw, 0, (8 - size % 8) % 8);
}
