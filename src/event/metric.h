/*
 * metric.h - metrics by name ("ipc"), and the events that they are made of.
 *
 * Metrics are those that the tables have for this machine's CPUs (vendor.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct eventlist;
struct metric_formula;
struct strobe_err;
struct vendor_metric;

struct metric {
	const struct vendor_metric *definition; /* static */
	const char *pmu; /* of CPUs of several kinds: whose it is; else NULL. Static */
	struct metric_formula *formula;
	size_t *events; /* index in the list, for each name of the formula in its order */
};

struct metric_list {
	struct metric *items;
	size_t count, capacity;
};

/*
 * Adds to @metrics what @names says, with commas: metrics, groups of them, or "all", in any case;
 * and to @list the events of each, as a weak group (W), with tool events beside it. The list must
 * be one that counts. Of a group those are left out that this machine lacks an event for. -EINVAL:
 * there is no such metric, or none whose events are there.
 */
int metric_add(struct eventlist *list, const char *names, struct metric_list *metrics,
	       struct strobe_err *err);
void metric_list_done(struct metric_list *metrics);
