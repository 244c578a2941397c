/*
 * pmc-riscv64.h - see pmc.h. The unprivileged counters are CSRs from 0xc00 on: cycle, time,
 * instret, hpmcounter3 to hpmcounter31 (RISC-V ISA, Zicntr and Zihpm).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PMC_ASK_CONFIG1 0

/* Which one it is is part of the instruction; 0xc01 is the clock. */
static inline bool pmc_read(uint32_t index, uint64_t *ret_value)
{
	uint64_t value;

#define PMC_CASE(n)                                                                                \
	case n + 1:                                                                                \
		__asm__ volatile("csrr %0, 0xc00 + " #n : "=r"(value));                            \
		break;
	switch (index) {
	case 0:
		value = 0;
		break;
		PMC_CASE(0)
		PMC_CASE(2)
		PMC_CASE(3)
		PMC_CASE(4)
		PMC_CASE(5)
		PMC_CASE(6)
		PMC_CASE(7)
		PMC_CASE(8)
		PMC_CASE(9)
		PMC_CASE(10)
		PMC_CASE(11)
		PMC_CASE(12)
		PMC_CASE(13)
		PMC_CASE(14)
		PMC_CASE(15)
		PMC_CASE(16)
		PMC_CASE(17)
		PMC_CASE(18)
		PMC_CASE(19)
		PMC_CASE(20)
		PMC_CASE(21)
		PMC_CASE(22)
		PMC_CASE(23)
		PMC_CASE(24)
		PMC_CASE(25)
		PMC_CASE(26)
		PMC_CASE(27)
		PMC_CASE(28)
		PMC_CASE(29)
		PMC_CASE(30)
		PMC_CASE(31)
	default:
		return false;
	}
#undef PMC_CASE
	*ret_value = value;
	return true;
}

static inline uint64_t pmc_ticks(void)
{
	uint64_t value;

	__asm__ volatile("rdtime %0" : "=r"(value));
	return value;
}

static inline void pmc_settle(void)
{
	__asm__ volatile("fence" : : : "memory");
}

static inline uintptr_t pmc_thread(void)
{
	uintptr_t thread;

	__asm__("mv %0, tp" : "=r"(thread));
	return thread;
}
