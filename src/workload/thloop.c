/* thloop.c - two threads in the same function: thloop calls test_loop, and so does thfunc. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "base/err.h"
#include "workload/loadargs.h"
#include "workload/loads.h"

static void test_loop(const volatile sig_atomic_t *is_over)
{
	while (!*is_over)
		continue;
}

static void *thfunc(void *is_over)
{
	test_loop(is_over);
	return NULL;
}

int thloop(const char *const *args, struct strobe_err *err)
{
	const volatile sig_atomic_t *is_over = loadargs_until(args, err);
	pthread_t thread;

	if (!is_over)
		return -EINVAL;
	errno = pthread_create(&thread, NULL, thfunc, (void *)is_over);
	if (errno)
		return err_errno(err, "cannot begin a thread");
	test_loop(is_over);
	(void)pthread_join(thread, NULL);
	return 0;
}
