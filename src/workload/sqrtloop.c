/* sqrtloop.c - a child process that calls functions of libraries: sqrtloop calls __sqrtloop, and
 * that sqrt and rand. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "workload/loadargs.h"
#include "workload/loads.h"

/* perf's name for what runs in the child. A timer is not inherited: it is the child's own. */
static int __sqrtloop(const char *const *args, struct strobe_err *err) // NOLINT
{
	const volatile sig_atomic_t *is_over = loadargs_until(args, err);
	volatile double root;

	if (!is_over)
		return -EINVAL;
	while (!*is_over)
		root = sqrt(rand()); // NOLINT: any number will do
	(void)root;
	return 0;
}

int sqrtloop(const char *const *args, struct strobe_err *err)
{
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		return err_errno(err, "cannot begin a process");
	if (child == 0)
		return __sqrtloop(args, err);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
