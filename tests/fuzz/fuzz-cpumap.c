/* fuzz-cpumap.c - any bytes as a set of CPUs that a recorder wrote. */
#include <string.h>

#include "base/arena.h"
#include "data/cpumap.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct arena arena = { 0 };
	const char *text = cpumap_text(bytes, size, &arena);
	size_t length = text ? strlen(text) : 0;

	__asm__ volatile("" : : "r"(length));
	arena_done(&arena);
	return 0;
}
