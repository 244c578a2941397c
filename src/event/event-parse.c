#include "event/event-parse.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "event/breakpoint.h"
#include "event/eventlist.h"
#include "event/generic.h"
#include "event/modifier.h"
#include "event/term.h"
#include "event/tool-event.h"
#include "event/tracepoint-event.h"
#include "kernel/folder.h"
#include "kernel/pmu.h"

enum {
	RAW_DIGITS_MAX = 16,
	HYBRID_SHIFT = 32,
};

/* One event of the text, taken apart. */
struct request {
	const char *text; /* as it was typed; borrowed */
	char *head;       /* event, PMU, or "SYSTEM:EVENT" */
	char *term_text;  /* NULL: no slashes */
	struct term_list terms;
	struct str suffix; /* modifier letters as typed, without the period */
	struct modifier modifier;
};

static void request_done(struct request *request)
{
	free(request->head);
	free(request->term_text);
	term_done(&request->terms);
	str_done(&request->suffix);
}

/* A letter says little without the event that it stands behind. */
static int name_event(const struct request *request, int code, struct strobe_err *err)
{
	struct strobe_err why;

	if (!err)
		return code;
	why = *err;
	err_set(err, code, "'%s': %s", request->text, why.text);
	return why.hint[0] ? err_hint(err, code, "%s", why.hint) : code;
}

/* "u:50000" and the like. */
static int parse_suffix(struct request *request, const char *text, struct strobe_err *err)
{
	struct str_part part;

	while (text && str_split(&text, ':', &part)) {
		_cleanup_(freep) char *word = xstrndup(part.text, part.size);
		int r = modifier_parse(word, &request->modifier, err);

		if (r < 0)
			return name_event(request, r, err);
		str_add_bytes(&request->suffix, word, strcspn(word, "0123456789"));
	}
	return 0;
}

/* What a user sees of it: as it was typed; @head in the place of the event or the PMU. */
static char *name_of(const struct request *request, const char *head)
{
	struct str name = { 0 };

	str_add(&name, head);
	if (request->term_text)
		str_addf(&name, "/%s/", request->term_text);
	else if (request->suffix.size)
		str_add_char(&name, ':');
	str_add(&name, str_text(&request->suffix));
	return str_take(&name);
}

static struct event_spec *add(struct eventlist *list, const struct request *request, uint32_t type,
			      uint64_t config)
{
	_cleanup_(freep) char *name = name_of(request, request->head);
	struct event_spec *event = eventlist_add(list, name);

	event->attr.type = type;
	event->attr.config = config;
	return event;
}

/* One of several events, the first at @first, that one word means. */
static void set_pmu(struct event_spec *event, const struct pmu *pmu, size_t first)
{
	event->is_hardware = pmu->is_core;
	event->cpus = pmu->cpus ? xstrdup(pmu->cpus) : NULL;
	event->pmu = xstrdup(pmu->name);
	event->first_alike = first;
	event->is_core_part = pmu->is_hybrid;
}

/* Terms first, so that a period among the modifiers wins. */
static int finish(struct eventlist *list, const struct request *request, const struct pmu *pmu,
		  struct strobe_err *err)
{
	struct event_spec *event = &list->items[list->count - 1];
	int r = term_apply(&request->terms, pmu, event, err);

	if (r < 0)
		return r;
	modifier_apply(&request->modifier, event);
	return 0;
}

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

/* On a machine with several kinds of CPUs: the event on each, "cpu_core/cycles/". */
static int add_on_each_core(struct eventlist *list, const struct request *request,
			    const struct folder_names *cores, uint32_t type, uint64_t config,
			    struct strobe_err *err)
{
	size_t first = list->count;

	for (size_t i = 0; i < cores->count; i++) {
		_cleanup_(pmu_freep) struct pmu *pmu = NULL;
		_cleanup_(str_done) struct str name = { 0 };
		struct event_spec *event;
		int r = pmu_load(list->root, cores->items[i], &pmu, err);

		if (r < 0)
			return r;
		event = add(list, request, type, config);
		str_addf(&name, "%s/%s%s%s/%s", pmu->name, request->head,
			 request->term_text ? "," : "",
			 request->term_text ? request->term_text : "", str_text(&request->suffix));
		free(event->name);
		event->name = str_take(&name);
		set_pmu(event, pmu, first);
		if (type == PERF_TYPE_RAW)
			event->attr.type = pmu->type;
		else
			event->attr.config |= (uint64_t)pmu->type << HYBRID_SHIFT;
		r = finish(list, request, NULL, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A hardware, software, cache or raw event. 1: it was one; 0: it is none. */
static int parse_generic(struct eventlist *list, const struct request *request,
			 struct strobe_err *err)
{
	_cleanup_(folder_names_done) struct folder_names cores = { 0 };
	struct event_spec *event;
	uint64_t config;
	uint32_t type;
	int r;

	if (is_raw(request->head, &config))
		type = PERF_TYPE_RAW;
	else if (!generic_find(request->head, &type, &config))
		return 0;
	if (type != PERF_TYPE_SOFTWARE)
		pmu_list_core(list->root, &cores);
	if (cores.count > 1) {
		r = add_on_each_core(list, request, &cores, type, config, err);
		return r < 0 ? r : 1;
	}
	event = add(list, request, type, config);
	event->is_hardware = type != PERF_TYPE_SOFTWARE;
	/* Its data are the samples: each is one. */
	if (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_BPF_OUTPUT)
		event->attr.sample_period = 1;
	r = finish(list, request, NULL, err);
	return r < 0 ? r : 1;
}

/* "duration_time". 1: it was one; 0: it is none. */
static int parse_tool(struct eventlist *list, const struct request *request, struct strobe_err *err)
{
	enum tool_event tool = tool_event_find(request->head);
	int r;

	if (tool == TOOL_NONE)
		return 0;
	add(list, request, TOOL_EVENT_TYPE, tool)->tool = tool;
	r = finish(list, request, NULL, err);
	return r < 0 ? r : 1;
}

/* "tool/duration_time/": the one term without a value says which. */
static int parse_of_tool(struct eventlist *list, const struct request *request,
			 struct strobe_err *err)
{
	struct event_spec *event = add(list, request, TOOL_EVENT_TYPE, 0);
	struct pmu pmu = { .name = (char *)TOOL_EVENT_PMU, .type = TOOL_EVENT_TYPE };
	int r = finish(list, request, &pmu, err);

	if (r < 0)
		return r;
	if (!tool_event_name((enum tool_event)event->attr.config))
		return err_set(err, -EINVAL, "no tool event in '%s'", request->text);
	event->tool = (enum tool_event)event->attr.config;
	event->pmu = xstrdup(TOOL_EVENT_PMU);
	return 0;
}

/* PMUs that the kernel has whether or not sysfs shows them. */
static struct pmu *builtin_pmu(const char *name)
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
	};

	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (!strcmp(builtins[i].name, name)) {
			struct pmu *pmu = xnew(struct pmu);

			pmu->name = xstrdup(name);
			pmu->type = builtins[i].type;
			pmu->is_core = builtins[i].is_core;
			return pmu;
		}
	return NULL;
}

static int add_of_pmu(struct eventlist *list, const struct request *request, const struct pmu *pmu,
		      size_t first, struct strobe_err *err)
{
	struct event_spec *event = add(list, request, pmu->type, 0);
	int r;

	set_pmu(event, pmu, first);
	r = finish(list, request, pmu, err);
	if (r == 0 && pmu->type == PERF_TYPE_TRACEPOINT)
		tracepoint_event_identify(list, &list->items[list->count - 1]);
	return r;
}

static int unknown_pmu(struct eventlist *list, const struct request *request,
		       struct strobe_err *err)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };
	struct suggest suggest = { .typed = request->head };

	pmu_match(list->root, NULL, &names);
	for (size_t i = 0; i < names.count; i++)
		suggest_try(&suggest, names.items[i]);
	err_set(err, -EINVAL, "no PMU '%s' here", request->head);
	if (suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	else
		err_hint(err, -EINVAL, "PMUs are in /sys/bus/event_source/devices");
	return -EINVAL;
}

/* "PMU/terms/". */
static int parse_of_pmu(struct eventlist *list, const struct request *request,
			struct strobe_err *err)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };
	size_t first = list->count;

	pmu_match(list->root, request->head, &names);
	if (names.count == 0) {
		_cleanup_(pmu_freep) struct pmu *pmu = builtin_pmu(request->head);

		return pmu ? add_of_pmu(list, request, pmu, first, err)
			   : unknown_pmu(list, request, err);
	}
	for (size_t i = 0; i < names.count; i++) {
		_cleanup_(pmu_freep) struct pmu *pmu = NULL;
		int r = pmu_load(list->root, names.items[i], &pmu, err);

		if (r == 0)
			r = add_of_pmu(list, request, pmu, first, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* An event that a PMU names, without the PMU: "tsc". 1: it was one; 0: no PMU has it. */
static int parse_named(struct eventlist *list, struct request *request, struct strobe_err *err)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };
	size_t first = list->count;

	pmu_list_with_event(list->root, request->head, &names);
	for (size_t i = 0; i < names.count; i++) {
		_cleanup_(term_done) struct term_list terms = { 0 };
		_cleanup_(pmu_freep) struct pmu *pmu = NULL;
		struct event_spec *event;
		int r = pmu_load(list->root, names.items[i], &pmu, err);

		if (r == 0)
			r = term_parse(request->head, &terms, err);
		if (r < 0)
			return r;
		event = add(list, request, pmu->type, 0);
		set_pmu(event, pmu, first);
		r = term_apply(&terms, pmu, event, err);
		if (r == 0)
			r = finish(list, request, pmu, err);
		if (r < 0)
			return r;
	}
	return names.count > 0;
}

static int unknown_event(const struct eventlist *list, const char *name, struct strobe_err *err)
{
	_cleanup_(freep) char *tracepoint = tracepoint_event_find(list, name);
	struct suggest suggest = { .typed = name };
	const char *known;

	for (size_t i = 0; (known = generic_name(i)); i++)
		suggest_try(&suggest, known);
	err_set(err, -EINVAL, "unknown event '%s'", name);
	if (tracepoint || suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?",
			 tracepoint ? tracepoint : suggest.name);
	else
		err_hint(err, -EINVAL, "'strobe help record' shows how events are written");
	return -EINVAL;
}

static bool is_event(const struct eventlist *list, const char *name)
{
	_cleanup_(folder_names_done) struct folder_names pmus = { 0 };
	uint64_t config;
	uint32_t type;

	if (is_raw(name, &config) || generic_find(name, &type, &config) || tool_event_find(name))
		return true;
	pmu_list_with_event(list->root, name, &pmus);
	return pmus.count > 0;
}

/* Behind the last of the terms, @text being behind the first slash; NULL if nothing ends them. */
static const char *terms_end(const char *text)
{
	bool in_quotes = false;

	for (; *text && (in_quotes || *text != '/'); text++)
		if (*text == '\'')
			in_quotes = !in_quotes;
	return *text ? text : NULL;
}

/* "/terms/MODIFIERS"; @text begins at the first slash. */
static int parse_terms(struct request *request, const char *text, struct strobe_err *err)
{
	const char *end = terms_end(text + 1);
	int r;

	if (!end)
		return err_set(err, -EINVAL, "no '/' behind '%s%s'", request->head, text);
	request->term_text = xstrndup(text + 1, (size_t)(end - text - 1));
	r = term_parse(request->term_text, &request->terms, err);
	return r == 0 ? parse_suffix(request, end + 1 + (end[1] == ':'), err) : r;
}

/* "SYSTEM:EVENT[/terms/][:MODIFIERS]"; @rest begins behind the event. */
static int parse_tracepoint(struct eventlist *list, struct request *request, const char *event,
			    const char *rest, struct strobe_err *err)
{
	size_t first = list->count;
	int r = *rest == '/' ? parse_terms(request, rest, err)
			     : parse_suffix(request, *rest ? rest + 1 : NULL, err);

	if (r == 0)
		r = tracepoint_event_parse(list, request->head, event, &request->modifier, err);
	for (size_t i = first; r == 0 && i < list->count; i++) {
		uint64_t id = list->items[i].attr.config;

		r = term_apply(&request->terms, NULL, &list->items[i], err);
		if (r == 0 && list->items[i].attr.config != id)
			r = err_set(err, -EINVAL, "a tracepoint has no 'config': '%s:%s/%s/'",
				    request->head, event, request->term_text);
	}
	return r;
}

/* Without slashes: "EVENT[:MODIFIERS]" or "SYSTEM:EVENT[:MODIFIERS]". */
static int parse_plain(struct eventlist *list, struct request *request, const char *rest,
		       struct strobe_err *err)
{
	_cleanup_(freep) char *second = rest ? xstrndup(rest, strcspn(rest, ":/")) : NULL;
	int r;

	if (second && !is_event(list, request->head)) {
		if (modifier_likely(second) &&
		    !tracepoint_event_exists(list, request->head, second))
			return unknown_event(list, request->head, err);
		return parse_tracepoint(list, request, second, rest + strlen(second), err);
	}
	r = parse_suffix(request, rest, err);
	if (r == 0)
		r = parse_generic(list, request, err);
	if (r == 0)
		r = parse_named(list, request, err);
	if (r == 0)
		r = parse_tool(list, request, err);
	if (r == 0)
		return unknown_event(list, request->head, err);
	return r < 0 ? r : 0;
}

/* "HEAD/terms/MODIFIERS"; @text begins at the first slash. */
static int parse_with_terms(struct eventlist *list, struct request *request, const char *text,
			    struct strobe_err *err)
{
	int r = parse_terms(request, text, err);

	if (r == 0 && !strcmp(request->head, TOOL_EVENT_PMU))
		return parse_of_tool(list, request, err);
	if (r == 0)
		r = parse_generic(list, request, err);
	if (r == 0)
		r = parse_named(list, request, err);
	if (r == 0)
		r = parse_tool(list, request, err);
	if (r == 0)
		return parse_of_pmu(list, request, err);
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

static int parse(struct eventlist *list, const char *text, const struct modifier *group,
		 struct strobe_err *err)
{
	_cleanup_(request_done) struct request request = { .text = text, .modifier = *group };
	const char *address = str_after(text, "mem:");
	size_t size = strcspn(text, "/:");

	if (address && isdigit((unsigned char)*address))
		return breakpoint_parse(list, address, group, err);
	request.head = xstrndup(text, size);
	if (size == 0)
		return err_set(err, -EINVAL, "an event's name is missing in '%s'", text);
	if (text[size] == '/')
		return parse_with_terms(list, &request, text + size, err);
	return parse_plain(list, &request, text[size] ? text + size + 1 : NULL, err);
}

int event_parse(struct eventlist *list, const char *text, const struct modifier *group,
		struct strobe_err *err)
{
	size_t first = list->count;
	int r = parse(list, text, group, err);

	return r < 0 ? r : check_use(list, first, text, err);
}
