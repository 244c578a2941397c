/*
 * brstack.c - branches of all kinds: brstack calls brstack_bench, which calls brstack_bar, and
 * brstack_foo directly and through a pointer; brstack_foo calls brstack_bar.
 */
#include <stdint.h>

#include "workload/loadargs.h"
#include "workload/loads.h"

enum { LOOPS = 999999 };

static void brstack_bar(void)
{
}

static void brstack_foo(void)
{
	brstack_bar();
}

static void brstack_bench(uint64_t round)
{
	void (*volatile indirect)(void) = brstack_foo;

	/* A branch that is taken now and then. */
	if (round % 3 != 0)
		brstack_foo();
	brstack_bar();
	indirect();
}

int brstack(const char *const *args, struct strobe_err *err)
{
	uint64_t count;
	int r = loadargs_number(&args, "loops", LOOPS, &count, err);

	for (uint64_t i = 0; r == 0 && i < count; i++)
		brstack_bench(i);
	return r;
}
