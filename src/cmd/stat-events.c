/* stat-events.c - see stat-events.h. */
#include "cmd/stat-events.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/stat-options.h"
#include "event/count-attr.h"
#include "event/eventlist.h"
#include "event/metric.h"
#include "event/transactions.h"
#include "kernel/cgroup-match.h"
#include "kernel/pmu.h"

/* perf 6.1's. What stalls is told by few CPUs. */
static void add_usual(const struct stat_config *c, struct str *list)
{
	const struct target_request *target = &c->target;
	bool by_cpu = (target->all_cpus || target->cpus) && !target_wants_threads(target);

	str_addf(list, "%s,context-switches,cpu-migrations,page-faults,cycles",
		 by_cpu ? "cpu-clock" : "task-clock");
	if (pmu_names_event(NULL, "cpu", "stalled-cycles-frontend"))
		str_add(list, ",stalled-cycles-frontend");
	if (pmu_names_event(NULL, "cpu", "stalled-cycles-backend"))
		str_add(list, ",stalled-cycles-backend");
	str_add(list, ",instructions,branches,branch-misses");
}

static int add_default(struct stat_config *c, struct strobe_err *err)
{
	static const char *const more[] = {
		",L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		(",L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,"
		 "iTLB-loads,iTLB-load-misses"),
		",L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	_cleanup_(str_done) struct str list = { 0 };

	add_usual(c, &list);
	for (unsigned i = 0; i < c->detail && i < sizeof(more) / sizeof(*more); i++)
		str_add(&list, more[i]);
	return eventlist_parse(&c->events, str_text(&list), err);
}

static int add_named(struct stat_config *c, struct strobe_err *err)
{
	int r = 0;

	if (c->event_text_count == 0)
		return add_default(c, err);
	for (size_t i = 0; r == 0 && i < c->event_text_count; i++)
		r = eventlist_parse(&c->events, c->event_texts[i], err);
	return r;
}

/* All that was asked for, again and again. */
static int add_for_each_cgroup(struct stat_config *c, struct strobe_err *err)
{
	_cleanup_(arena_done) struct arena arena = { 0 };
	const char **names = NULL;
	int r = cgroup_match(NULL, c->each_cgroup, &arena, &names, err);

	eventlist_done(&c->events);
	c->events = (struct eventlist){ .counts = true };
	for (; r == 0 && *names; names++) {
		size_t first = c->events.count;

		r = add_named(c, err);
		for (size_t i = first; i < c->events.count; i++) {
			free(c->events.items[i].cgroup);
			c->events.items[i].cgroup = xstrdup(*names);
		}
	}
	return r;
}

/* "core" is cpu_core. */
static bool is_of_type(const char *pmu, const char *type)
{
	const char *rest = str_after(pmu, "cpu_");

	return strcmp(pmu, type) == 0 || (rest && strcmp(rest, type) == 0);
}

static bool is_filtered(const struct stat_config *c, const struct event_spec *spec, bool has_twins)
{
	if (!spec->pmu)
		return false;
	if (c->cpu_type && spec->is_core_part && !is_of_type(spec->pmu, c->cpu_type))
		return true;
	return c->pmu_filter && has_twins && strcmp(spec->pmu, c->pmu_filter) != 0;
}

static bool has_twins(const struct eventlist *list, size_t event)
{
	size_t alike = 0;

	for (size_t i = 0; i < list->count; i++)
		alike += list->items[i].first_alike == list->items[event].first_alike;
	return alike > 1;
}

/* --cputype and --pmu-filter. */
static int filter_pmus(struct stat_config *c, struct strobe_err *err)
{
	struct eventlist *list = &c->events;
	_cleanup_(freep) bool *twins = xcalloc(list->count + 1, sizeof(*twins));

	if (!c->cpu_type && !c->pmu_filter)
		return 0;
	if (c->metrics.count > 0)
		return err_set(err, -EINVAL,
			       "-M needs its events where they are: it goes without "
			       "--cputype and --pmu-filter");
	for (size_t i = 0; i < list->count; i++)
		twins[i] = has_twins(list, i);
	for (size_t i = list->count; i-- > 0;)
		if (is_filtered(c, &list->items[i], twins[i]))
			eventlist_remove(list, i);
	if (list->count == 0)
		return err_set(err, -EINVAL, "no event is left: '%s' is no PMU of any of them",
			       c->cpu_type ? c->cpu_type : c->pmu_filter);
	return 0;
}

/* What the language has, and counting by the kernel's own means has not. */
static int refuse_bpf(const struct stat_config *c, struct strobe_err *err)
{
	for (size_t i = 0; i < c->events.count; i++)
		if (c->events.items[i].bpf) {
			err_set(err, -EINVAL, "'%s': strobe does not count by BPF (b)",
				c->events.items[i].name);
			return err_hint(err, -EINVAL, "without b the kernel counts it");
		}
	return 0;
}

/* What nobody said, and what does not go together. */
static int settle_target(struct stat_config *c, struct strobe_err *err)
{
	struct target_request *target = &c->target;
	bool threads = target_wants_threads(target);
	bool cgroups = eventlist_has_cgroups(&c->events);

	if (cgroups && threads)
		return err_set(err, -EINVAL,
			       "a control group's processes are those that run in it: "
			       "-G goes without -p and -t");
	if (cgroups && !target->cpus)
		target->all_cpus = true;
	if (c->by == STAT_BY_THREAD && target->all_cpus && !threads) {
		target->all_cpus = false;
		target->all_threads = true;
	}
	return 0;
}

/* What the slots of the pipeline are used for, where the CPU counts that. */
static int add_topdown(struct stat_config *c, struct strobe_err *err)
{
	static const char *const cores[] = { "cpu", "cpu_core" };

	for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++) {
		_cleanup_(str_done) struct str list = { 0 };

		if (!pmu_names_event(NULL, cores[i], "slots") ||
		    !pmu_names_event(NULL, cores[i], "topdown-retiring"))
			continue;
		str_add(&list, "{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,"
			       "topdown-be-bound");
		if (c->td_level != 1 && pmu_names_event(NULL, cores[i], "topdown-heavy-ops"))
			str_add(&list, ",topdown-heavy-ops,topdown-br-mispredict,"
				       "topdown-fetch-lat,topdown-mem-bound");
		str_add(&list, "}");
		return eventlist_parse(&c->events, str_text(&list), err);
	}
	err_set(err, -ENODEV, "this machine has no top-down events");
	return err_hint(err, -ENODEV,
			"Intel CPUs since Ice Lake have them ('strobe list topdown'), if the PMU "
			"is not hidden as in most virtual machines");
}

static int add_transactions(struct stat_config *c, struct strobe_err *err)
{
	_cleanup_(str_done) struct str list = { 0 };
	int r = transactions_add_events(NULL, &list, err);

	return r < 0 ? r : eventlist_parse(&c->events, str_text(&list), err);
}

/* -M, --topdown and -T; events that were named stand before theirs. */
static int add_wanted(struct stat_config *c, struct strobe_err *err)
{
	int r = 0;

	if (c->each_cgroup)
		return err_set(err, -EINVAL,
			       "-M, --topdown and -T do not go with --for-each-cgroup");
	if (c->metric_names)
		r = metric_add(&c->events, c->metric_names, &c->metrics, err);
	for (size_t i = 0; r == 0 && c->metric_no_group && i < c->events.count; i++)
		if (c->events.items[i].weak && c->events.items[i].leader == i)
			eventlist_ungroup(&c->events, i);
	if (r == 0 && c->topdown)
		r = add_topdown(c, err);
	if (r == 0 && c->transactions)
		r = add_transactions(c, err);
	return r;
}

int stat_events_prepare(struct stat_config *c, struct strobe_err *err)
{
	struct count_attr_options options = {
		.no_inherit = c->no_inherit,
		.all_user = c->all_user,
		.all_kernel = c->all_kernel,
		.is_recorded = c->is_recorded,
	};
	int r = 0;

	if (c->metric_names || c->topdown || c->transactions)
		r = add_wanted(c, err);
	if (r < 0)
		return cmd_usage(r);
	if (c->null_run) {
		eventlist_done(&c->events);
		c->events = (struct eventlist){ .counts = true };
	} else if (c->each_cgroup) {
		r = add_for_each_cgroup(c, err);
	} else if (c->event_text_count == 0 && c->events.count == 0) {
		r = add_default(c, err);
	} else {
		r = eventlist_check(&c->events, err);
	}
	if (r == 0)
		r = filter_pmus(c, err);
	if (r == 0)
		r = refuse_bpf(c, err);
	if (r == 0)
		r = settle_target(c, err);
	if (r < 0)
		return cmd_usage(r);
	options.starts_at_exec =
		!target_wants_any(&c->target) && !schedule_is_delayed(&c->schedule);
	count_attr_build(&c->events, &options);
	return 0;
}
