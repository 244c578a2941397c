/* top-text.c - see top-text.h. */
#include "view/top-text.h"

#include <inttypes.h>

#include "base/str.h"

static void add_busy(const struct top_text *top, struct str *out)
{
	for (size_t i = 0; i < top->busy_count; i++)
		str_addf(out, "%s%d: %d%%", i ? "  " : "busy: ", top->busy[i].cpu,
			 top->busy[i].percent);
	if (top->busy_count > 0)
		str_add_char(out, '\n');
}

void top_text_add(const struct top_text *top, struct str *out)
{
	double rate = top->seconds > 0 ? (double)top->sample_count / top->seconds : 0;
	double kernel = top->sample_count
				? 100.0 * (double)top->kernel_count / (double)top->sample_count
				: 0;

	str_addf(out,
		 "strobe top: %.0f samples/s, kernel %.1f%%, lost %" PRIu64 ", throttled %" PRIu64
		 " [%s] (%s)\n",
		 rate, kernel, top->lost_count, top->throttle_count, top->what, top->target);
	add_busy(top, out);
	str_add_char(out, '\n');
}
