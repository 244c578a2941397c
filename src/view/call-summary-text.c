/* call-summary-text.c - see call-summary-text.h. */
#include "view/call-summary-text.h"

#include <inttypes.h>

#include "base/str.h"
#include "format/callnames.h"
#include "format/callspec.h"
#include "format/calltables.h"

static double ms(double ns)
{
	return ns / 1e6;
}

/* The columns behind perf's, where it is known when threads had a CPU. */
static void add_head(bool has_cpu, struct str *out)
{
	str_addf(out,
		 "   syscall            calls  errors  total       min       avg       max   "
		 "    stddev%s\n",
		 has_cpu ? "       cpu" : "");
	str_addf(out,
		 "                                     (msec)    (msec)    (msec)    (msec)  "
		 "      (%%)%s\n",
		 has_cpu ? "    (msec)" : "");
	str_addf(out,
		 "   --------------- --------  ------ -------- --------- --------- ---------  "
		 "   ------%s\n",
		 has_cpu ? " ---------" : "");
}

static void add_row(const struct call_summary_row *row, bool has_cpu, struct str *out)
{
	const struct moments *ns = &row->ns;

	str_addf(out, "   %-15s %8" PRIu64 " %6" PRIu64 " %9.3f %9.3f %9.3f %9.3f %9.2f%%",
		 row->spec->name, row->count, row->failed, ms((double)row->total_ns), ms(ns->min),
		 ms(ns->mean), ms(ns->max), moments_error_percent(ns));
	if (has_cpu)
		str_addf(out, " %9.3f", ms((double)(row->total_ns - row->off_ns)));
	str_add_char(out, '\n');
}

static void add_errors(const struct call_summary_row *row, struct str *out)
{
	for (size_t i = 0; i < row->error_count; i++) {
		const struct call_summary_error *error = &row->errors[i];
		const char *name = callnames_find(&calltables_errno, (uint64_t)error->error);

		if (name)
			str_addf(out, "\t\t\t\t%s: %" PRIu64 "\n", name, error->count);
		else
			str_addf(out, "\t\t\t\t%d: %" PRIu64 "\n", error->error, error->count);
	}
}

static void add_title(const struct call_summary_text *text, const struct call_summary *summary,
		      const struct call_summary_owner *owner, struct str *out)
{
	uint64_t all = call_summary_events(summary);
	size_t begin = out->size;

	if (text->mode == CALL_SUMMARY_TOTAL) {
		str_addf(out, " total, %" PRIu64 " events\n", owner->event_count);
		return;
	}
	str_addf(out, " %s (%" PRIu64 ")", owner->name, owner->key);
	str_one_line(out, begin);
	str_addf(out, ", %" PRIu64 " events, %.1f%%", owner->event_count,
		 all ? 100.0 * (double)owner->event_count / (double)all : 0.0);
	if (text->runtime)
		str_addf(out, ", %.3f msec", ms((double)owner->runtime_ns));
	str_add_char(out, '\n');
}

void call_summary_text(const struct call_summary_text *text, const struct call_summary *summary,
		       struct str *out)
{
	str_add(out, "\n Summary of events:\n\n");
	for (size_t i = 0; i < call_summary_count(summary); i++) {
		const struct call_summary_owner *owner = call_summary_at(summary, i);

		add_title(text, summary, owner, out);
		str_add_char(out, '\n');
		add_head(text->has_cpu, out);
		for (size_t at = 0; at < owner->row_count; at++) {
			if (text->most_rows && at == text->most_rows)
				break;
			add_row(&owner->rows[at], text->has_cpu, out);
			if (text->errors)
				add_errors(&owner->rows[at], out);
		}
		str_add(out, "\n\n");
	}
}
