/* rate.c - see rate.h. */
#include "collect/rate.h"

#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "collect/notes.h"
#include "kernel/sysctl.h"

int rate_limit(uint64_t hz, bool strict, uint64_t *ret_hz, struct notes *notes,
	       struct strobe_err *err)
{
	int64_t limit;

	/* A kernel that does not say has no limit; the event's opening tells. */
	if (sysctl_read(NULL, SYSCTL_MAX_RATE, &limit) < 0 || limit <= 0)
		limit = hz == RATE_MAX ? 100000 : INT64_MAX;
	if (hz <= (uint64_t)limit) {
		*ret_hz = hz;
		return 0;
	}
	if (hz == RATE_MAX) {
		notes_add(notes, "sampling as often as allowed: %" PRId64 " Hz", limit);
	} else if (strict) {
		err_set(err, -EINVAL, "%" PRIu64 " Hz is more than the kernel allows: %" PRId64, hz,
			limit);
		return err_hint(err, -EINVAL,
				"use a lower -F, or raise sysctl "
				"kernel.perf_event_max_sample_rate");
	} else {
		notes_add(notes,
			  "%" PRIu64 " Hz is more than the kernel allows: sampling at %" PRId64
			  " Hz (sysctl kernel.perf_event_max_sample_rate)",
			  hz, limit);
	}
	*ret_hz = (uint64_t)limit;
	return 0;
}
