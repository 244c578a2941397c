/* inlineloop.c - functions within a function: parent has middle inlined, and that leaf. */
#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "workload/loadargs.h"
#include "workload/loads.h"

#define INLINED static inline __attribute__((always_inline))

INLINED void leaf(const volatile sig_atomic_t *is_over)
{
	volatile unsigned count = 0;

	while (!*is_over)
		count = count + 1;
}

INLINED void middle(const volatile sig_atomic_t *is_over)
{
	leaf(is_over);
}

static void parent(const volatile sig_atomic_t *is_over)
{
	middle(is_over);
}

int inlineloop(const char *const *args, struct strobe_err *err)
{
	const volatile sig_atomic_t *is_over = loadargs_until(args, err);

	if (!is_over)
		return -EINVAL;
	(void)prctl(PR_SET_NAME, "perf-inlineloop");
	parent(is_over);
	return 0;
}
