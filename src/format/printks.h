/*
 * printks.h - texts of the kernel that records have the addresses of: what %s prints of a pointer.
 *
 *   0xffffffff81234567 : "rcu_sched\n"
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Starts as { 0 }. */
struct printks {
	struct printk {
		uint64_t addr;
		char *text; /* without quotes, and without the "\n" at its end */
	} * items;          /* by address */
	size_t count, capacity;
};

/* Lines of another form are left out. */
void printks_parse(const char *text, size_t size, struct printks *ret_printks);
void printks_done(struct printks *printks);

/* NULL if there is none. */
const char *printks_find(const struct printks *printks, uint64_t addr);
