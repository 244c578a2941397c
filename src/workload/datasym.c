/* datasym.c - accesses to a variable that has a name: buf1, at its begin and at its offset 56. */
#include <errno.h>
#include <stddef.h>

#include "workload/loadargs.h"
#include "workload/loads.h"

/* As long as a cache line, so that both ends are in one. */
struct datasym_buf {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64)));

/* With a value that is not zero: it lies in the object's file, not in memory without one. */
static volatile struct datasym_buf buf1 = { .reserved[0] = 1 };

int datasym(const char *const *args, struct strobe_err *err)
{
	const volatile sig_atomic_t *is_over = loadargs_until(args, err);

	if (!is_over)
		return -EINVAL;
	while (!*is_over) {
		buf1.data1 = (char)(buf1.data1 + 1);
		/* The same address again and again is what some hardware samples badly. */
		if (buf1.data1 == 123)
			buf1.data1 = (char)(buf1.data1 + 1);
		buf1.data2 = (char)(buf1.data2 + buf1.data1);
	}
	return 0;
}
