#include "event/pmu-event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "event/event-request.h"
#include "event/eventlist.h"
#include "event/pmus.h"
#include "event/probe-term.h"
#include "event/tool-event.h"
#include "event/tracepoint-event.h"
#include "kernel/pmu.h"

enum { HYBRID_SHIFT = 32 };

/* PMUs that a kernel may be built without, or that only some machines have. */
static const struct {
	const char *pattern, *needs;
} wants[] = {
	{ "intel_pt", "an Intel CPU with Processor Trace, and no virtual machine" },
	{ "intel_bts", "an Intel CPU with branch trace, and no virtual machine" },
	{ "ibs_*", "an AMD CPU, and no virtual machine" },
	{ "amd_*", "an AMD CPU, and no virtual machine" },
	{ "arm_spe*", "an Arm CPU with the profiling extension" },
	{ "cs_etm*", "an Arm CPU with CoreSight" },
	{ "armv[78]_*", "an Arm CPU whose PMU the kernel shows" },
	{ "cpu_atom", "an Intel CPU of several kinds of cores" },
	{ "cpu_core", "an Intel CPU of several kinds of cores" },
	{ "uncore_*", "a machine whose uncore PMUs the kernel shows: no virtual machine does" },
	{ "power", "a machine whose energy counters the kernel shows: no virtual machine does" },
	{ "kprobe", "Linux 4.17 or newer, with CONFIG_KPROBE_EVENTS" },
	{ "uprobe", "Linux 4.17 or newer, with CONFIG_UPROBE_EVENTS" },
};

/* @event is one of several, the first of them at @first, that one word means. */
static void set_pmu(struct event_spec *event, const struct pmu *pmu, size_t first)
{
	event->is_hardware = pmu->is_core;
	event->cpus = pmu->cpus ? xstrdup(pmu->cpus) : NULL;
	event->pmu = xstrdup(pmu->name);
	event->first_alike = first;
	event->is_core_part = pmu->is_hybrid;
}

/* "cpu_core/cycles,period=4/u": on which of the kinds of CPUs it is. */
static void name_core(struct event_spec *event, const struct event_request *request,
		      const struct pmu *pmu)
{
	struct str name = { 0 };

	str_addf(&name, "%s/%s%s%s/%s", pmu->name, request->head, request->term_text ? "," : "",
		 request->term_text ? request->term_text : "", str_text(&request->suffix));
	free(event->name);
	event->name = str_take(&name);
}

static int add_on_core(struct eventlist *list, const struct event_request *request,
		       const struct pmu *pmu, uint32_t type, uint64_t config, size_t first,
		       struct strobe_err *err)
{
	struct event_spec *event = event_request_add(list, request, request->head, type, config);

	name_core(event, request, pmu);
	set_pmu(event, pmu, first);
	if (type == PERF_TYPE_RAW)
		event->attr.type = pmu->type;
	else
		event->attr.config |= (uint64_t)pmu->type << HYBRID_SHIFT;
	return event_request_apply(request, pmu, event, err);
}

int pmu_event_parse_generic(struct eventlist *list, const struct event_request *request,
			    uint32_t type, uint64_t config, struct strobe_err *err)
{
	_cleanup_(pmus_picks_done) struct pmus_picks cores = { 0 };
	size_t first = list->count;
	struct event_spec *event;

	pmus_core(eventlist_pmus(list), &cores);
	for (size_t i = 0; cores.count > 1 && i < cores.count; i++) {
		int r = add_on_core(list, request, cores.items[i], type, config, first, err);

		if (r < 0)
			return r;
	}
	if (cores.count > 1)
		return 0;
	event = event_request_add(list, request, request->head, type, config);
	event->is_hardware = true;
	return event_request_apply(request, cores.count ? cores.items[0] : NULL, event, err);
}

static int add_of_pmu(struct eventlist *list, const struct event_request *request,
		      const struct pmu *pmu, size_t first, struct strobe_err *err)
{
	struct event_spec *event = event_request_add(list, request, request->head, pmu->type, 0);
	int r;

	set_pmu(event, pmu, first);
	/* Every hit of a probe is a sample, as with tracepoints. */
	event->is_probe = probe_term_is_pmu(pmu);
	event->attr.sample_period = event->is_probe;
	r = event_request_apply(request, pmu, event, err);
	if (r == 0 && pmu->type == PERF_TYPE_TRACEPOINT)
		tracepoint_event_identify(list, event);
	if (r == 0 && pmu->type == TOOL_EVENT_TYPE) {
		event->tool = (enum tool_event)event->attr.config;
		if (!tool_event_name(event->tool))
			r = err_set(err, -EINVAL, "no tool event in '%s'", request->text);
	}
	return r;
}

/* PMUs that are there whether or not sysfs shows them. */
static bool find_builtin(const char *name, struct pmu *pmu)
{
	static const struct {
		const char *name;
		uint32_t type;
		bool is_core;
	} builtins[] = {
		{ "cpu", PERF_TYPE_RAW, true },
		{ "software", PERF_TYPE_SOFTWARE, false },
		{ "tracepoint", PERF_TYPE_TRACEPOINT, false },
		{ "breakpoint", PERF_TYPE_BREAKPOINT, false },
		{ TOOL_EVENT_PMU, TOOL_EVENT_TYPE, false },
	};

	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (!strcmp(builtins[i].name, name)) {
			*pmu = (struct pmu){ .name = (char *)builtins[i].name,
					     .type = builtins[i].type,
					     .is_core = builtins[i].is_core };
			return true;
		}
	return false;
}

static int unknown_pmu(struct eventlist *list, const struct event_request *request,
		       struct strobe_err *err)
{
	const struct pmus *pmus = eventlist_pmus(list);
	struct suggest suggest = { .typed = request->head };

	for (size_t i = 0; i < pmus_count(pmus); i++)
		suggest_try(&suggest, pmus_name(pmus, i));
	err_set(err, -EINVAL, "no PMU '%s' here", request->head);
	err_where(err, -EINVAL, request->text, 0);
	if (suggest.name)
		return err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	for (size_t i = 0; i < sizeof(wants) / sizeof(*wants); i++)
		if (glob_match(wants[i].pattern, request->head))
			return err_hint(err, -EINVAL, "it needs %s", wants[i].needs);
	return err_hint(err, -EINVAL, "'strobe list pmu' shows which there are");
}

/* Of several PMUs that one pattern means, those that lack a term are left out. */
static int add_of_each(struct eventlist *list, const struct event_request *request,
		       const struct pmus_picks *picks, struct strobe_err *err)
{
	size_t first = list->count;
	int r = 0;

	for (size_t i = 0; i < picks->count; i++) {
		int result = add_of_pmu(list, request, picks->items[i], first, err);

		if (result < 0) {
			eventlist_cut(list, list->count - 1);
			r = result;
		}
	}
	return list->count > first ? 0 : r;
}

int pmu_event_parse(struct eventlist *list, const struct event_request *request,
		    struct strobe_err *err)
{
	_cleanup_(pmus_picks_done) struct pmus_picks picks = { 0 };
	struct pmu builtin;

	pmus_match(eventlist_pmus(list), request->head, &picks);
	if (picks.count)
		return add_of_each(list, request, &picks, err);
	if (find_builtin(request->head, &builtin))
		return add_of_pmu(list, request, &builtin, list->count, err);
	return unknown_pmu(list, request, err);
}

int pmu_event_parse_name(struct eventlist *list, const struct event_request *request,
			 struct strobe_err *err)
{
	_cleanup_(pmus_picks_done) struct pmus_picks picks = { 0 };
	const struct term named = { .name = request->head };
	size_t first = list->count;

	pmus_with_event(eventlist_pmus(list), request->head, &picks);
	for (size_t i = 0; i < picks.count; i++) {
		const struct pmu *pmu = picks.items[i];
		struct event_spec *event =
			event_request_add(list, request, request->head, pmu->type, 0);
		int r;

		set_pmu(event, pmu, first);
		if (pmu->is_hybrid && picks.count > 1)
			name_core(event, request, pmu);
		r = term_apply(&named, pmu, event, err);
		if (r < 0)
			return err_where(err, r, request->text, 0);
		r = event_request_apply(request, pmu, event, err);
		if (r < 0)
			return r;
	}
	return picks.count > 0;
}

bool pmu_event_is_named(struct eventlist *list, const char *name)
{
	_cleanup_(pmus_picks_done) struct pmus_picks picks = { 0 };

	pmus_with_event(eventlist_pmus(list), name, &picks);
	return picks.count > 0;
}
