/* stat-source.c - see stat-source.h. */
#include "cmd/stat-source.h"

#include <string.h>

#include "base/machine.h"
#include "cmd/remark.h"
#include "cmd/stat-options.h"
#include "collect/eventset.h"
#include "collect/meter.h"
#include "collect/target.h"
#include "event/eventlist.h"
#include "event/metric.h"
#include "event/vendor.h"
#include "format/metric-formula.h"
#include "kernel/host-topology.h"
#include "kernel/host.h"

/* What was opened goes with its run; this is for all runs. */
static const char *copy(struct stat_source *source, const char *text)
{
	return text ? arena_strdup(&source->arena, text) : NULL;
}

static bool is_time(enum tool_event tool)
{
	return tool == TOOL_DURATION_TIME || tool == TOOL_USER_TIME || tool == TOOL_SYSTEM_TIME;
}

static bool is_merged(const struct stat_config *c, const struct event_spec *spec)
{
	return !c->no_merge && c->by != STAT_BY_CPU && (!spec->is_core_part || c->hybrid_merge);
}

static void set_event(struct stat_source *source, struct stat_event *event,
		      const struct stat_config *c, const struct eventlist *list, size_t index,
		      const struct eventset *set)
{
	const struct event_spec *spec = &list->items[index];

	*event = (struct stat_event){
		.name = copy(source, spec->name),
		.attr = spec->attr,
		.cgroup = copy(source, spec->cgroup),
		.first_alike = is_merged(c, spec) ? spec->first_alike : index,
		.leader = spec->leader,
		.unit = copy(source, spec->unit),
		.scale = spec->scale,
		.per_package = spec->per_package,
		.percore = spec->percore,
		.is_tool = spec->tool != TOOL_NONE,
	};
	if (set->refusals && set->refusals[index].code) {
		event->refused = set->refusals[index].code;
		event->reason = copy(source, set->refusals[index].why.text);
		event->hint = copy(source, set->refusals[index].why.hint);
	}
}

static void set_threads(struct stat_source *source, const struct target *target)
{
	size_t count = target->tids.count;
	struct stat_thread *threads = arena_alloc(&source->arena, (count + 1) * sizeof(*threads));

	for (size_t i = 0; i < count; i++) {
		struct proc_task task = { 0 };

		if (source->setup.by == STAT_BY_THREAD)
			(void)proc_task(NULL, target->tids.items[i], &task);
		threads[i] = (struct stat_thread){ target->tids.items[i],
						   arena_strdup(&source->arena, task.comm) };
	}
	source->setup.threads = threads;
	source->setup.thread_count = count;
}

static bool any_wants_places(const struct eventlist *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].per_package || list->items[i].percore)
			return true;
	return false;
}

/* What the machine says of it is read only where it matters. */
static void set_places(struct stat_source *source, const struct stat_config *c,
		       const struct eventlist *list)
{
	struct machine_topology topology = { 0 };
	struct machine_caches caches = { 0 };
	struct machine_numa numa = { 0 };
	size_t cpu_count = host_cpus_available(NULL);
	int *clusters = NULL;

	if ((c->by == STAT_BY_ALL || c->by == STAT_BY_CPU || c->by == STAT_BY_THREAD) &&
	    !any_wants_places(list))
		return;
	host_topology_cpus(NULL, cpu_count, &source->arena, &topology);
	if (c->by == STAT_BY_NODE)
		host_topology_numa(NULL, &source->arena, &numa);
	if (c->by == STAT_BY_CACHE)
		host_topology_caches(NULL, cpu_count, &source->arena, &caches);
	if (c->by == STAT_BY_CLUSTER)
		clusters = host_topology_clusters(NULL, cpu_count, &source->arena);
	cpu_places_init(&source->places, &topology, &numa, &caches, c->cache_level, clusters);
}

static void set_formulas(struct stat_source *source, const struct metric_list *metrics)
{
	struct stat_formula *formulas =
		arena_alloc(&source->arena, (metrics->count + 1) * sizeof(*formulas));

	for (size_t i = 0; i < metrics->count; i++) {
		const struct metric *metric = &metrics->items[i];

		formulas[i] = (struct stat_formula){
			.name = metric->definition->name,
			.unit = metric->definition->unit,
			.formula = metric->formula,
			.events = metric->events,
			.event_count = metric_formula_count(metric->formula),
		};
	}
	source->setup.formulas = formulas;
	source->setup.formula_count = metrics->count;
}

static const int *copy_cpus(struct stat_source *source, const struct cpus *cpus)
{
	int *items = arena_alloc(&source->arena, (cpus->count + 1) * sizeof(*items));

	memcpy(items, cpus->items, cpus->count * sizeof(*items));
	return items;
}

void stat_source_init(struct stat_source *source, const struct stat_config *config,
		      const struct eventlist *list, const struct meter *meter)
{
	const struct target *target = meter_target(meter);
	struct stat_event *events;

	*source = (struct stat_source){ 0 };
	events = arena_alloc(&source->arena, (list->count + 1) * sizeof(*events));
	source->is_value = arena_alloc(&source->arena, list->count + 1);
	for (size_t i = 0; i < list->count; i++) {
		set_event(source, &events[i], config, list, i, meter_events(meter));
		source->is_value[i] = list->items[i].is_snapshot ||
				      (list->items[i].tool && !is_time(list->items[i].tool));
	}
	source->setup = (struct stat_setup){
		.events = events,
		.event_count = list->count,
		.cpus = copy_cpus(source, &target->cpus),
		.cpu_count = target->cpus.count,
		.places = &source->places,
		.by = config->by,
		.no_scale = config->no_scale,
		.no_zero = config->target.all_threads,
	};
	set_formulas(source, &config->metrics);
	set_threads(source, target);
	set_places(source, config, list);
}

void stat_source_explain(const struct stat_source *source)
{
	const struct stat_setup *setup = &source->setup;

	for (size_t i = 0; i < setup->event_count; i++) {
		const struct stat_event *event = &setup->events[i];
		size_t alike = 0, before = 0;

		if (!event->refused)
			continue;
		for (size_t j = 0; j < setup->event_count; j++) {
			bool same = setup->events[j].refused == event->refused &&
				    strcmp(setup->events[j].hint, event->hint) == 0;

			alike += same && j > i;
			before += same && j < i;
		}
		if (before > 0)
			continue;
		if (alike > 0)
			remark("%s, nor %s %zu more %s", event->reason, alike > 1 ? "are" : "is",
			       alike, alike > 1 ? "events" : "event");
		else
			remark("%s", event->reason);
		if (*event->hint)
			remark_hint("%s", event->hint);
	}
}

void stat_source_done(struct stat_source *source)
{
	cpu_places_done(&source->places);
	arena_done(&source->arena);
	*source = (struct stat_source){ 0 };
}
