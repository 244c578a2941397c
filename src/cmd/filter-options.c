/* filter-options.c - see filter-options.h. */
#include "cmd/filter-options.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "base/err.h"
#include "data/events.h"

int filter_options_check(const struct filter *filter, const struct events *events,
			 struct strobe_err *err)
{
	if (filter->cpus.count == 0)
		return 0;
	for (size_t i = 0; i < events_count(events); i++) {
		if (events_at(events, i)->attr.sample_type & PERF_SAMPLE_CPU)
			continue;
		err_set(err, -ENODATA, "this recording does not tell CPUs");
		return err_hint(err, -ENODATA, "record with --sample-cpu, or all CPUs with -a");
	}
	return 0;
}

int filter_options_names(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_names(field, arg, err);
}

int filter_options_symbols(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_symbols(field, arg, err);
}

int filter_options_pids(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_ids(field, arg, false, "process ids", err);
}

int filter_options_tids(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_ids(field, arg, false, "thread ids", err);
}

int filter_options_cpus(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_ids(field, arg, true, "CPUs", err);
}
