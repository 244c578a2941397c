/*
 * callitems.h - the two records of a system call, taken apart: numbers, and what was copied of the
 * program's memory (base/callcopy.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/callcopy.h"

/* One record; bytes are borrowed from it. */
struct callitems {
	uint64_t number;              /* of the call; UINT64_MAX: none */
	uint64_t args[CALLCOPY_ARGS]; /* of an entry */
	int64_t result;               /* of an exit */
	bool has_mark;                /* else nothing was copied, and it is not known whether */
	bool is_32;                   /* it is by the ABI of 32 bits */
	bool is_full;                 /* something found no room */
	const uint8_t *items;
	size_t size;
};

/*
 * Raw bytes of raw_syscalls:sys_enter or sys_exit, which a kernel of this machine's kind (@foreign:
 * of the other byte order; then nothing but numbers is taken) wrote. -EBADMSG: too short for one.
 */
int callitems_enter(const void *raw, size_t size, bool foreign, struct callitems *ret_items);
int callitems_exit(const void *raw, size_t size, bool foreign, struct callitems *ret_items);

/* An item, and its bytes. */
struct callitem {
	struct callcopy_item head;
	const uint8_t *bytes;
};

/* Item by item: *at starts as 0. False at the end, or where one would lie outside. */
bool callitems_next(const struct callitems *items, size_t *at, struct callitem *ret_item);
/* The first of a kind that an argument has; false if there is none. */
bool callitems_find(const struct callitems *items, unsigned arg, enum callcopy_what what,
		    struct callitem *ret_item);
/* The part with a number of an argument's memory. */
bool callitems_part(const struct callitems *items, unsigned arg, uint32_t number,
		    struct callitem *ret_item);
