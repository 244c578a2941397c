/*
 * traploop.c - a branch into the kernel and back, again and again: trap_bench, which traploop
 * calls. The instruction is one that arm64's kernel emulates; elsewhere there is none.
 */
#include <stdint.h>

#include "workload/loadargs.h"
#include "workload/loads.h"

enum { LOOPS = 10000 };

#ifdef __aarch64__
#define TRAP(value) __asm__ volatile("mrs %0, ID_AA64ISAR0_EL1" : "=r"(value))
#else
#define TRAP(value) ((void)(value))
#endif

static void trap_bench(void)
{
	volatile uint64_t features = 0;

	TRAP(features);
	features = features + 1;
}

int traploop(const char *const *args, struct strobe_err *err)
{
	uint64_t count;
	int r = loadargs_number(&args, "loops", LOOPS, &count, err);

	for (uint64_t i = 0; r == 0 && i < count; i++)
		trap_bench();
	return r;
}
