#include "event/metric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "event/eventlist.h"
#include "event/pmus.h"
#include "event/vendor.h"
#include "format/event-rows.h"
#include "format/metric-formula.h"
#include "kernel/pmu.h"

/* Takes back the last ones. */
static void cut(struct metric_list *metrics, size_t count)
{
	while (metrics->count > count) {
		const struct metric *metric = &metrics->items[--metrics->count];

		metric_formula_free(metric->formula);
		free(metric->events);
	}
}

void metric_list_done(struct metric_list *metrics)
{
	cut(metrics, 0);
	free(metrics->items);
	*metrics = (struct metric_list){ 0 };
}

/* An event of the CPU, and not one that is counted without a counter. */
static bool is_of_pmu(const struct pmu *pmu, const char *name)
{
	return pmu_find_event(pmu, name) || vendor_find_event(pmu->vendor, name);
}

/* Parts of a group that the kernel counts together are led by the slots that they are parts of. */
static bool is_leader(const char *name)
{
	return !strcmp(name, "slots");
}

/* Adds one; it is called as the formula calls it, unless CPUs of several kinds have events of that
 * name. */
static int add_event(struct eventlist *list, const struct pmu *pmu, const char *name,
		     size_t *ret_index)
{
	_cleanup_(str_done) struct str text = { 0 };
	struct event_spec *event;
	int r;

	if (is_of_pmu(pmu, name))
		str_addf(&text, "%s/%s/", pmu->name, name);
	else
		str_add(&text, name);
	*ret_index = list->count;
	r = eventlist_parse(list, str_text(&text), NULL);
	if (r < 0)
		return r;
	event = &list->items[*ret_index];
	if (!pmu->vendor->pmu) {
		free(event->name);
		event->name = xstrdup(name);
	}
	free(event->metric_id);
	event->metric_id = xstrdup(name);
	return 0;
}

/* The events from @first on that need the PMU become one weak group; those without come last. */
static void make_group(struct eventlist *list, size_t first)
{
	for (size_t i = first; i < list->count; i++) {
		if (list->items[i].tool)
			continue;
		list->items[i].leader = first;
		list->items[i].weak = true;
	}
}

/* In the order in which a group wants them: who leads, the others, and what is in no group. */
static unsigned turn_of(const struct pmu *pmu, const char *name)
{
	if (!is_of_pmu(pmu, name))
		return 2;
	return !is_leader(name);
}

static int add_metric(struct eventlist *list, const struct pmu *pmu,
		      const struct vendor_metric *definition, struct metric_list *metrics,
		      struct strobe_err *err)
{
	size_t first = list->count, count;
	struct metric *metric;
	int r;

	grow(metrics);
	metric = &metrics->items[metrics->count];
	*metric = (struct metric){ .definition = definition, .pmu = pmu->vendor->pmu };
	r = metric_formula_parse(definition->formula, &metric->formula, err);
	if (r < 0)
		return r;
	metrics->count++;
	count = metric_formula_count(metric->formula);
	metric->events = xcalloc(count + 1, sizeof(*metric->events));
	for (unsigned turn = 0; turn <= 2; turn++)
		for (size_t i = 0; i < count; i++) {
			const char *name = metric_formula_name(metric->formula, i);

			if (turn_of(pmu, name) != turn)
				continue;
			r = add_event(list, pmu, name, &metric->events[i]);
			if (r < 0)
				return err_set(err, r,
					       "metric '%s' needs the event '%s', which this "
					       "machine does not have",
					       definition->name, name);
		}
	make_group(list, first);
	return 0;
}

/* As add_metric(), and leaves nothing behind where it fails. */
static int try_metric(struct eventlist *list, const struct pmu *pmu,
		      const struct vendor_metric *definition, struct metric_list *metrics,
		      struct strobe_err *err)
{
	size_t event_count = list->count, metric_count = metrics->count;
	int r = add_metric(list, pmu, definition, metrics, err);

	if (r == 0)
		return 0;
	eventlist_cut(list, event_count);
	cut(metrics, metric_count);
	return r;
}

static bool is_meant(const struct vendor_metric *metric, const char *name)
{
	return !strcasecmp(name, "all") || !strcasecmp(name, metric->name) ||
	       event_rows_in_group(metric->groups, name);
}

static int unknown_metric(const struct pmus_picks *cores, const char *name, struct strobe_err *err)
{
	struct suggest suggest = { .typed = name };
	bool has_any = false;

	for (size_t i = 0; i < cores->count; i++) {
		const struct vendor *vendor = cores->items[i]->vendor;

		has_any |= vendor != NULL;
		for (size_t k = 0; vendor && k < vendor->metric_count; k++)
			suggest_try(&suggest, vendor->metrics[k].name);
	}
	if (cores->count == 0) {
		err_set(err, -EINVAL, "no metric '%s': this machine shows no PMU for its CPUs",
			name);
		return err_hint(err, -EINVAL,
				"all metrics are of hardware events; in a virtual machine its host "
				"has to give it a vPMU ('strobe test' tries it)");
	}
	if (!has_any) {
		err_set(err, -EINVAL, "no metric '%s': none are known of this CPU", name);
		return err_hint(err, -EINVAL,
				"docs/adding-events.md says how a CPU gets metrics; then "
				"'strobe list metric' shows them");
	}
	err_set(err, -EINVAL, "unknown metric '%s'", name);
	if (suggest.name)
		return err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	return err_hint(err, -EINVAL, "'strobe list metric' shows which there are");
}

/* Of several metrics that one name means, those stay out that the machine has no events for. */
static int add_named(struct eventlist *list, const struct pmus_picks *cores, const char *name,
		     struct metric_list *metrics, struct strobe_err *err)
{
	size_t before = metrics->count;
	int failure = 0;

	for (size_t i = 0; i < cores->count; i++) {
		const struct vendor *vendor = cores->items[i]->vendor;

		for (size_t k = 0; vendor && k < vendor->metric_count; k++) {
			int r = is_meant(&vendor->metrics[k], name)
					? try_metric(list, cores->items[i], &vendor->metrics[k],
						     metrics, err)
					: 0;

			if (r < 0)
				failure = r;
		}
	}
	if (metrics->count > before)
		return 0;
	return failure ? failure : unknown_metric(cores, name, err);
}

int metric_add(struct eventlist *list, const char *names, struct metric_list *metrics,
	       struct strobe_err *err)
{
	_cleanup_(pmus_picks_done) struct pmus_picks cores = { 0 };
	struct str_part part;
	int r = 0;

	pmus_core(eventlist_pmus(list), &cores);
	while (r == 0 && str_split(&names, ',', &part)) {
		_cleanup_(freep) char *name = xstrndup(part.text, part.size);

		r = add_named(list, &cores, name, metrics, err);
	}
	return r;
}
