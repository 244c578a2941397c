#include "event/event-parse.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/breakpoint.h"
#include "event/event-request.h"
#include "event/eventlist.h"
#include "event/generic.h"
#include "event/modifier.h"
#include "event/pmu-event.h"
#include "event/tool-event.h"
#include "event/tracepoint-event.h"
#include "event/unknown-event.h"

enum {
	RAW_DIGITS_MAX = 16,
	EVENTS_MAX = 65536, /* far more than a kernel has tracepoints */
};

static bool is_raw(const char *head, uint64_t *ret_config)
{
	_cleanup_(str_done) struct str number = { 0 };
	const char *digits = str_after(head, "r");
	size_t size = digits ? strlen(digits) : 0;

	if (size == 0 || size > RAW_DIGITS_MAX || strspn(digits, "0123456789abcdefABCDEF") != size)
		return false;
	str_addf(&number, "0x%s", digits);
	return str_to_u64(str_text(&number), ret_config);
}

static int parse_software(struct eventlist *list, const struct event_request *request,
			  uint64_t config, struct strobe_err *err)
{
	struct event_spec *event =
		event_request_add(list, request, request->head, PERF_TYPE_SOFTWARE, config);

	/* Its data are the samples: each is one. */
	if (config == PERF_COUNT_SW_BPF_OUTPUT)
		event->attr.sample_period = 1;
	return event_request_apply(request, NULL, event, err);
}

/* A hardware, software, cache or raw event. 1: it was one; 0: it is none. */
static int parse_generic(struct eventlist *list, const struct event_request *request,
			 struct strobe_err *err)
{
	uint64_t config;
	uint32_t type;
	int r;

	if (is_raw(request->head, &config))
		type = PERF_TYPE_RAW;
	else if (!generic_find(request->head, &type, &config))
		return 0;
	r = type == PERF_TYPE_SOFTWARE ? parse_software(list, request, config, err)
				       : pmu_event_parse_generic(list, request, type, config, err);
	return r < 0 ? r : 1;
}

/* "duration_time". 1: it was one; 0: it is none. */
static int parse_tool(struct eventlist *list, const struct event_request *request,
		      struct strobe_err *err)
{
	enum tool_event tool = tool_event_find(request->head);
	struct event_spec *event;
	int r;

	if (tool == TOOL_NONE)
		return 0;
	event = event_request_add(list, request, request->head, TOOL_EVENT_TYPE, tool);
	event->tool = tool;
	r = event_request_apply(request, NULL, event, err);
	return r < 0 ? r : 1;
}

/* An event by its name alone. 1: it was one; 0: nothing is called so. */
static int parse_name(struct eventlist *list, const struct event_request *request,
		      struct strobe_err *err)
{
	int r = parse_generic(list, request, err);

	if (r == 0)
		r = pmu_event_parse_name(list, request, err);
	return r == 0 ? parse_tool(list, request, err) : r;
}

static bool is_event(struct eventlist *list, const char *name)
{
	uint64_t config;
	uint32_t type;

	return is_raw(name, &config) || generic_find(name, &type, &config) ||
	       tool_event_find(name) || pmu_event_is_named(list, name);
}

/* "SYSTEM:EVENT[/terms/][:MODIFIERS]"; @at is behind the event. */
static int parse_tracepoint(struct eventlist *list, struct event_request *request,
			    const char *event, size_t at, struct strobe_err *err)
{
	size_t first = list->count;
	int r = event_request_parse(request, at, err);

	if (r == 0)
		r = tracepoint_event_parse(list, request->head, event, &request->modifier, err);
	for (size_t i = first; r == 0 && i < list->count; i++) {
		uint64_t id = list->items[i].attr.config;

		r = event_request_apply(request, NULL, &list->items[i], err);
		if (r == 0 && list->items[i].attr.config != id) {
			r = err_set(err, -EINVAL, "a tracepoint has no 'config': '%s'",
				    request->text);
			r = err_where(err, r, request->text, request->terms_at);
		}
	}
	return r;
}

/* Without slashes: "EVENT[:MODIFIERS]" or "SYSTEM:EVENT[:MODIFIERS]". */
static int parse_plain(struct eventlist *list, struct event_request *request,
		       struct strobe_err *err)
{
	size_t size = strlen(request->head);
	const char *rest = request->text[size] ? request->text + size + 1 : NULL;
	_cleanup_(freep) char *second = rest ? xstrndup(rest, strcspn(rest, ":/")) : NULL;
	int r;

	if (second && !is_event(list, request->head)) {
		if (modifier_likely(second) &&
		    !tracepoint_event_exists(list, request->head, second))
			return unknown_event(list, request, err);
		return parse_tracepoint(list, request, second, size + 1 + strlen(second), err);
	}
	r = event_request_parse(request, size, err);
	if (r == 0)
		r = parse_name(list, request, err);
	return r == 0 ? unknown_event(list, request, err) : r;
}

/* "HEAD/terms/MODIFIERS". */
static int parse_with_terms(struct eventlist *list, struct event_request *request,
			    struct strobe_err *err)
{
	int r = event_request_parse(request, strlen(request->head), err);

	if (r == 0)
		r = parse_name(list, request, err);
	return r == 0 ? pmu_event_parse(list, request, err) : r;
}

static int parse(struct eventlist *list, const char *text, const struct modifier *group,
		 struct strobe_err *err)
{
	_cleanup_(event_request_done) struct event_request request = { .text = text,
								       .modifier = *group };
	const char *address = str_after(text, "mem:");
	size_t size = strcspn(text, "/:");
	int r;

	if (address && isdigit((unsigned char)*address))
		return breakpoint_parse(list, address, group, err);
	request.head = xstrndup(text, size);
	if (size == 0) {
		err_set(err, -EINVAL, "an event's name is missing in '%s'", text);
		return err_where(err, -EINVAL, text, 0);
	}
	if (text[size] == '/')
		r = parse_with_terms(list, &request, err);
	else
		r = parse_plain(list, &request, err);
	return r < 0 ? r : 0;
}

/* What only counting has a use for. */
static int refuse(const char *text, const char *what, const char *name, struct strobe_err *err)
{
	err_set(err, -EINVAL, "'%s': %s '%s' is for counting only", text, what, name);
	return err_hint(err, -EINVAL, "leave it out of a recording");
}

static int check_use(const struct eventlist *list, size_t first, const char *text,
		     struct strobe_err *err)
{
	for (size_t i = first; i < list->count && !list->counts; i++) {
		const struct event_spec *event = &list->items[i];

		if (event->tool)
			return refuse(text, "event", tool_event_name(event->tool), err);
		if (event->bpf)
			return refuse(text, "modifier", "b", err);
		if (event->percore)
			return refuse(text, "term", "percore", err);
	}
	return 0;
}

int event_parse(struct eventlist *list, const char *text, const struct modifier *group,
		struct strobe_err *err)
{
	size_t first = list->count;
	int r = parse(list, text, group, err);

	if (r == 0 && list->count > EVENTS_MAX) {
		err_set(err, -EINVAL, "more than %d events with '%s'", EVENTS_MAX, text);
		return err_hint(err, -EINVAL, "a narrower pattern names fewer");
	}
	return r < 0 ? r : check_use(list, first, text, err);
}
