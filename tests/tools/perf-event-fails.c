/*
 * perf-event-fails.c - a library for LD_PRELOAD that makes perf_event_open fail, as machines,
 * kernels and sandboxes do that are not at hand.
 *
 * PERF_EVENT_ERRNO is the number of the error; PERF_EVENT_TYPES, if set, the attr types that fail
 * ("0,3,4": what needs a PMU), all others are as ever.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool fails(const struct perf_event_attr *attr)
{
	const char *types = getenv("PERF_EVENT_TYPES");

	for (const char *c = types; c && *c; c += *c == ',') {
		char *end;

		if (strtoul(c, &end, 10) == attr->type)
			return true;
		if (end == c)
			return false;
		c = end;
	}
	return !types;
}

__attribute__((visibility("default"))) long syscall(long number, ...)
{
	const char *code = getenv("PERF_EVENT_ERRNO");
	long (*next)(long number, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && code && fails((const struct perf_event_attr *)a[0])) {
		errno = atoi(code);
		return -1;
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
