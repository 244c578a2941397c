/* noploop.c - one function that does nothing: all samples are in noploop. */
#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "workload/loadargs.h"
#include "workload/loads.h"

int noploop(const char *const *args, struct strobe_err *err)
{
	const volatile sig_atomic_t *is_over = loadargs_until(args, err);

	if (!is_over)
		return -EINVAL;
	(void)prctl(PR_SET_NAME, "perf-noploop");
	while (!*is_over)
		continue;
	return 0;
}
