/* deterministic.c - the same instructions each time, and no system call: counts of runs are equal.
 */
#include <stdint.h>

#include "workload/loads.h"

enum { ROUNDS = 1000 };

int deterministic(const char *const *args, struct strobe_err *err)
{
	volatile uint32_t sum = 0;

	for (uint32_t i = 0; i < ROUNDS; i++)
		sum = sum * 31 + i;
	return 0;
}
