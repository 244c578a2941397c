/* filter-options.c - see filter-options.h. */
#include "cmd/filter-options.h"

int filter_options_names(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return filter_add_names(field, arg, err);
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
