/*
 * pmc-arm64.h - see pmc.h. PMEVCNTR<n>_EL0, PMCCNTR_EL0, CNTVCT_EL0: Arm ARM, D19; what the kernel
 * lets programs read: Documentation/arch/arm64/perf.rst, and the PMU's format "rdpmc".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Bit 1: counters that programs may read. Bit 0 would ask for 64 bits, which most CPUs have only in
 * the cycle counter, where one event at a time could be; with 32 an interrupt now and then keeps
 * the upper ones.
 */
#define PMC_ASK_CONFIG1 2

enum { PMC_CYCLES_INDEX = 32 }; /* event counters are 1 to 31 */

/* Where indirect branches may only go to marked places, each of the table is. */
#ifdef __ARM_FEATURE_BTI_DEFAULT
#define PMC_ENTRY(read) "bti j\n\t" read "\n\tb 2f\n\tnop\n\t"
#define PMC_ENTRY_SHIFT "4"
#else
#define PMC_ENTRY(read) read "\n\tb 2f\n\t"
#define PMC_ENTRY_SHIFT "3"
#endif

/*
 * Which counter it is is part of the instruction: a table of them, where a compiler's own takes
 * twice as long, in what is read between two instructions that matter.
 */
static inline bool pmc_read(uint32_t index, uint64_t *ret_value)
{
	uint64_t value;

	if (index > PMC_CYCLES_INDEX)
		return false;
	/* clang-format off */
	__asm__ volatile(
		"adr %0, 1f\n\t"
		"add %0, %0, %w1, uxtw " PMC_ENTRY_SHIFT "\n\t"
		"br %0\n"
		"1:\t" PMC_ENTRY("mov %0, xzr")
		".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,"
		"25,26,27,28,29,30\n\t"
		PMC_ENTRY("mrs %0, pmevcntr\\i\\()_el0")
		".endr\n\t"
		PMC_ENTRY("mrs %0, pmccntr_el0")
		"2:"
		: "=&r"(value)
		: "r"(index));
	/* clang-format on */
	*ret_value = value;
	return true;
}

static inline uint64_t pmc_ticks(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

static inline void pmc_settle(void)
{
	__asm__ volatile("isb" : : : "memory");
}

static inline uintptr_t pmc_thread(void)
{
	uintptr_t thread;

	__asm__("mrs %0, tpidr_el0" : "=r"(thread));
	return thread;
}
