/* loadargs.c - see loadargs.h. */
#include "workload/loadargs.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

static volatile sig_atomic_t is_over;

static void end(int number)
{
	is_over = 1;
}

int loadargs_number(const char *const **args, const char *what, uint64_t missing,
		    uint64_t *ret_value, struct strobe_err *err)
{
	const char *text = **args;

	*ret_value = missing;
	if (!text)
		return 0;
	(*args)++;
	if (!str_to_u64(text, ret_value))
		return err_set(err, -EINVAL, "'%s' is no number of %s", text, what);
	return 0;
}

const volatile sig_atomic_t *loadargs_until(const char *const *args, struct strobe_err *err)
{
	struct sigaction action = { .sa_handler = end };
	uint64_t seconds;

	if (loadargs_number(&args, "seconds", 1, &seconds, err) < 0)
		return NULL;
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGALRM, &action, NULL);
	(void)alarm(seconds > UINT_MAX ? UINT_MAX : (unsigned)seconds);
	return &is_over;
}
