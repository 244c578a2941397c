#include "event/clockname.h"

#include <errno.h>
#include <stddef.h>
#include <strings.h>
#include <time.h>

#include "base/err.h"
#include "base/str.h"
#include "base/suggest.h"

enum { PREFIX_SIZE = sizeof("CLOCK_") - 1 };

static const struct {
	const char *name;
	int32_t clockid;
} clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC },
	{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
	{ "mono", CLOCK_MONOTONIC },
	{ "raw", CLOCK_MONOTONIC_RAW },
	{ "real", CLOCK_REALTIME },
	{ "boot", CLOCK_BOOTTIME },
};

int clockname_parse(const char *text, int32_t *ret_clockid, struct strobe_err *err)
{
	const char *name = strncasecmp(text, "CLOCK_", PREFIX_SIZE) ? text : text + PREFIX_SIZE;
	struct suggest suggest = { .typed = name };
	uint64_t number;

	if (str_to_u64(text, &number) && number <= INT32_MAX) {
		*ret_clockid = (int32_t)number;
		return 0;
	}
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		if (!strcasecmp(clocks[i].name, name)) {
			*ret_clockid = clocks[i].clockid;
			return 0;
		}
		suggest_try(&suggest, clocks[i].name);
	}
	err_set(err, -EINVAL, "unknown clock '%s'", text);
	if (suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	else
		err_hint(err, -EINVAL, "monotonic, monotonic_raw, realtime, boottime or tai");
	return -EINVAL;
}
