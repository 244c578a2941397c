#include "event/unknown-event.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "event/event-request.h"
#include "event/eventlist.h"
#include "event/generic.h"
#include "event/pmus.h"
#include "event/tool-event.h"
#include "event/tracepoint-event.h"
#include "event/vendor.h"
#include "kernel/pmu.h"

/* Names that sysfs shows, or that are known of such a CPU. */
static void try_pmu(struct suggest *suggest, const struct pmu *pmu)
{
	for (size_t i = 0; i < pmu->event_count; i++)
		suggest_try(suggest, pmu->events[i].name);
	for (size_t i = 0; pmu->vendor && i < pmu->vendor->event_count; i++)
		suggest_try(suggest, pmu->vendor->events[i].name);
}

static void try_all(struct suggest *suggest, struct eventlist *list)
{
	struct pmus *pmus = eventlist_pmus(list);
	const char *known;

	for (size_t i = 0; (known = generic_name(i)); i++)
		suggest_try(suggest, known);
	for (unsigned i = TOOL_NONE + 1; list->counts && i < TOOL_COUNT; i++)
		suggest_try(suggest, tool_event_name((enum tool_event)i));
	for (size_t i = 0; i < pmus_count(pmus); i++) {
		const struct pmu *pmu = pmus_at(pmus, i);

		if (pmu)
			try_pmu(suggest, pmu);
	}
}

static bool shows_no_cpu(struct eventlist *list)
{
	_cleanup_(pmus_picks_done) struct pmus_picks cores = { 0 };

	pmus_core(eventlist_pmus(list), &cores);
	return cores.count == 0;
}

/* An event that CPUs of @vendor have. */
static int elsewhere(struct eventlist *list, const char *name, const struct vendor *vendor,
		     struct strobe_err *err)
{
	if (shows_no_cpu(list)) {
		err_set(err, -EINVAL, "event '%s' needs a PMU, and this machine shows none", name);
		return err_hint(err, -EINVAL, "a virtual machine may be given one, or not");
	}
	err_set(err, -EINVAL, "this machine's CPUs have no event '%s'", name);
	return err_hint(err, -EINVAL, "it is one of %s", vendor->name);
}

int unknown_event(struct eventlist *list, const struct event_request *request,
		  struct strobe_err *err)
{
	const char *name = request->head;
	const struct vendor *vendor = vendor_with_event(name);
	_cleanup_(freep) char *tracepoint = NULL;
	struct suggest suggest = { .typed = name };

	if (vendor)
		return err_where(err, elsewhere(list, name, vendor, err), request->text, 0);
	tracepoint = tracepoint_event_find(list, name);
	if (!tracepoint)
		try_all(&suggest, list);
	err_set(err, -EINVAL, "unknown event '%s'", name);
	err_where(err, -EINVAL, request->text, 0);
	if (tracepoint || suggest.name)
		return err_hint(err, -EINVAL, "did you mean '%s'?",
				tracepoint ? tracepoint : suggest.name);
	return err_hint(err, -EINVAL, "'strobe list' shows which there are");
}
