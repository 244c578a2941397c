/* leafloop.c - all samples are in a function that calls none: leafloop, parent, leaf. */
#include <errno.h>
#include <stddef.h>

#include "workload/loadargs.h"
#include "workload/loads.h"

static void leaf(const volatile sig_atomic_t *is_over)
{
	volatile unsigned count = 0;

	while (!*is_over)
		count += count;
}

static void parent(const volatile sig_atomic_t *is_over)
{
	leaf(is_over);
}

int leafloop(const char *const *args, struct strobe_err *err)
{
	const volatile sig_atomic_t *is_over = loadargs_until(args, err);

	if (!is_over)
		return -EINVAL;
	parent(is_over);
	return 0;
}
