/* script-times.c - see script-times.h. */
#include "analyze/script-times.h"

uint64_t script_times_next(struct script_times *times, uint64_t time_ns)
{
	uint64_t shown = time_ns;

	if (times->mode == SCRIPT_TIMES_ABSOLUTE)
		return time_ns;
	/* What a recorder made up has no time, and is not what the rest counts from. */
	if (time_ns == 0)
		return 0;
	shown = times->begun ? time_ns - times->base_ns : 0;
	if (!times->begun || times->mode == SCRIPT_TIMES_SINCE_LAST)
		times->base_ns = time_ns;
	times->begun = true;
	return shown;
}
