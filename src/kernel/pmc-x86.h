/* pmc-x86.h - see pmc.h. RDPMC and RDTSC: Intel SDM volume 2. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PMC_ASK_CONFIG1 0

/* One less is the instruction's own number: bit 30 and others tell fixed counters apart. */
static inline bool pmc_read(uint32_t index, uint64_t *ret_value)
{
	uint32_t low = 0, high = 0;

	if (index)
		__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
	*ret_value = (uint64_t)high << 32 | low;
	return true;
}

static inline uint64_t pmc_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static inline void pmc_settle(void)
{
	__asm__ volatile("lfence" : : : "memory");
}

/* The first word of the thread's block is its own address. */
static inline uintptr_t pmc_thread(void)
{
	uintptr_t thread;

	__asm__("mov %%fs:0, %0" : "=r"(thread));
	return thread;
}
