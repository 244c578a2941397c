#include "event/eventlist.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/event-parse.h"
#include "event/modifier.h"
#include "event/pmus.h"

static const char blanks[] = " \t\n";

/* As xstrndup(), without blanks around it. */
static char *copy_trimmed(const char *text, size_t size)
{
	while (size > 0 && strchr(blanks, *text)) {
		text++;
		size--;
	}
	while (size > 0 && strchr(blanks, text[size - 1]))
		size--;
	return xstrndup(text, size);
}

/*
 * Where @text, which begins an event or a group, ends: at a comma that is neither between braces
 * nor among PMU terms (which end with the slash that follows the first, quotes aside).
 */
static size_t item_size(const char *text)
{
	bool in_terms = false, in_quotes = false;
	bool has_terms = !str_after(text + strspn(text, blanks), "mem:");
	unsigned depth = 0;
	const char *c = text;

	for (; *c; c++) {
		if (in_terms && *c == '\'')
			in_quotes = !in_quotes;
		if (in_quotes)
			continue;
		if (*c == '/' && has_terms)
			in_terms = !in_terms;
		if (in_terms)
			continue;
		if (*c == ',' && depth == 0)
			break;
		if (*c == '{')
			depth++;
		if (*c == '}' && depth > 0)
			depth--;
		if (*c == ',' || *c == '{')
			has_terms = !str_after(c + 1 + strspn(c + 1, blanks), "mem:");
	}
	return (size_t)(c - text);
}

/* Which PMU counts it, where the CPUs of a machine are of several kinds; 0: it can be any. */
static uint64_t core_of(const struct event_spec *event)
{
	if (!event->is_hardware)
		return 0;
	if (event->attr.type == PERF_TYPE_HARDWARE || event->attr.type == PERF_TYPE_HW_CACHE)
		return event->attr.config >> 32;
	return event->attr.type;
}

/* One that is led itself leads nobody. */
static bool may_lead(const struct eventlist *list, size_t leader, const struct event_spec *event)
{
	uint64_t core = core_of(event), leaders = core_of(&list->items[leader]);

	return list->items[leader].leader == leader && (!core || !leaders || core == leaders);
}

/*
 * The events from @first on become a group, one for each kind of CPU. What only a leader can be is
 * its leader's.
 */
static void make_group(struct eventlist *list, size_t first)
{
	for (size_t i = first; i < list->count; i++) {
		struct event_spec *event = &list->items[i];
		size_t leader = first;

		while (leader < i && !may_lead(list, leader, event))
			leader++;
		event->leader = leader;
		if (leader != i) {
			event->attr.pinned = 0;
			event->attr.exclusive = 0;
		}
	}
}

/*
 * The next of the items that commas part, which is the caller's; NULL where it is empty. @rest is
 * NULL behind the last. It begins at @at of @typed.
 */
static char *next_item(const char *typed, size_t at, const char **rest, struct strobe_err *err)
{
	size_t size = item_size(*rest);
	_cleanup_(freep) char *item = copy_trimmed(*rest, size);

	if (!*item) {
		err_set(err, -EINVAL, "an event is missing in '%s'", typed);
		err_where(err, -EINVAL, typed, at);
		return NULL;
	}
	*rest = (*rest)[size] ? *rest + size + 1 : NULL;
	return take(item);
}

/* @inner is what @typed has between its braces, the first of which begins it. */
static int parse_members(struct eventlist *list, const char *typed, const char *inner,
			 const struct modifier *group, struct strobe_err *err)
{
	for (const char *rest = inner; rest;) {
		size_t at = 1 + (size_t)(rest - inner);
		_cleanup_(freep) char *item = next_item(typed, at, &rest, err);
		int r = item ? event_parse(list, item, group, err) : -EINVAL;

		if (r < 0)
			return r;
	}
	return 0;
}

/* "{EVENTS}[:MODIFIERS]"; @text begins at the brace. */
static int parse_group(struct eventlist *list, const char *text, struct strobe_err *err)
{
	const char *end = strrchr(text, '}'), *letters;
	_cleanup_(freep) char *inner = NULL;
	struct modifier group = { 0 };
	size_t first = list->count, wrong;
	int r;

	if (!end) {
		err_set(err, -EINVAL, "no '}' ends the group");
		return err_where(err, -EINVAL, text, strlen(text));
	}
	inner = xstrndup(text + 1, (size_t)(end - text - 1));
	wrong = strcspn(inner, "{}");
	if (inner[wrong]) {
		err_set(err, -EINVAL, "a group within a group");
		return err_where(err, -EINVAL, text, wrong + 1);
	}
	letters = end + 1 + (end[1] == ':');
	if (end[1] == ':' && !*letters) {
		err_set(err, -EINVAL, "no modifier follows the ':' of '%s'", text);
		return err_where(err, -EINVAL, text, strlen(text));
	}
	r = modifier_parse(letters, &group, &wrong, err);
	if (r < 0)
		return err_where(err, r, text, (size_t)(letters - text) + wrong);
	r = parse_members(list, text, inner, &group, err);
	if (r < 0)
		return r;
	make_group(list, first);
	return 0;
}

static int parse_item(struct eventlist *list, const char *text, struct strobe_err *err)
{
	static const struct modifier none = { 0 };
	size_t name_size = strcspn(text, "{/"), first = list->count;
	int r;

	/* What stands before a brace is a name for the group, for which nobody asks. */
	if (text[name_size] == '{')
		return parse_group(list, text + name_size, err);
	r = event_parse(list, text, &none, err);
	if (r < 0)
		return r;
	for (size_t i = first; i < list->count; i++)
		if (list->items[i].weak)
			return err_where(err,
					 err_set(err, -EINVAL,
						 "modifier 'W' is for groups, not for an event"),
					 text, strlen(text));
	return 0;
}

static int parse_items(struct eventlist *list, const char *text, struct strobe_err *err)
{
	for (const char *rest = text; rest;) {
		_cleanup_(freep) char *item = next_item(text, (size_t)(rest - text), &rest, err);
		int r = item ? parse_item(list, item, err) : -EINVAL;

		if (r < 0)
			return r;
	}
	return 0;
}

static void spec_done(struct event_spec *event)
{
	free(event->name);
	free(event->tracepoint);
	free(event->cpus);
	free(event->filter);
	free(event->cgroup);
	free(event->call_graph);
	free(event->branch_type);
	free(event->metric_id);
	free(event->pmu);
	free(event->unit);
	free(event->probed);
}

void eventlist_cut(struct eventlist *list, size_t count)
{
	while (list->count > count)
		spec_done(&list->items[--list->count]);
}

static void cut_missing(struct eventlist *list, size_t count)
{
	while (list->missing_count > count)
		free(list->missing[--list->missing_count]);
}

int eventlist_parse(struct eventlist *list, const char *text, struct strobe_err *err)
{
	size_t first = list->count, missing = list->missing_count;
	int r = parse_items(list, text, err);

	if (r < 0) {
		eventlist_cut(list, first);
		cut_missing(list, missing);
		return r;
	}
	list->last_first = first;
	if (list->cgroups)
		return eventlist_cgroups(list, NULL, err);
	return 0;
}

int eventlist_check(const struct eventlist *list, struct strobe_err *err)
{
	int code;

	if (list->count)
		return 0;
	if (list->missing_count == 0)
		return err_set(err, -EINVAL, "no event is given");
	code = list->lacks_kernel ? -ENOENT : -EINVAL;
	err_set(err, code, "%s", list->missing[0]);
	return err_hint(err, code, "'strobe list tracepoint' shows what this kernel has");
}

int eventlist_filter(struct eventlist *list, const char *filter, struct strobe_err *err)
{
	size_t count = 0;

	for (size_t i = list->last_first; i < list->count; i++) {
		struct event_spec *event = &list->items[i];
		struct str both = { 0 };

		if (!event->is_tracepoint)
			continue;
		count++;
		if (event->filter)
			str_addf(&both, "(%s) && (%s)", event->filter, filter);
		else
			str_add(&both, filter);
		free(event->filter);
		event->filter = str_take(&both);
	}
	if (count == 0 && list->missing_count == 0) {
		err_set(err, -EINVAL, "--filter '%s' does not follow a tracepoint", filter);
		return err_hint(err, -EINVAL,
				"write it behind its event: "
				"-e sched:sched_switch --filter 'next_pid == 1'");
	}
	return 0;
}

static void set_cgroup(struct event_spec *event, struct str_part name)
{
	if (name.size == 0)
		return;
	free(event->cgroup);
	event->cgroup = xstrndup(name.text, name.size);
}

int eventlist_cgroups(struct eventlist *list, const char *names, struct strobe_err *err)
{
	const char *rest = names ? names : list->cgroups;
	bool is_single = !strchr(rest, ',');
	struct str_part name;
	size_t i = 0;

	if (list->count == 0) {
		free(list->cgroups);
		list->cgroups = xstrdup(names);
		return 0;
	}
	if (is_single) {
		name = (struct str_part){ rest, strlen(rest) };
		for (; i < list->count; i++)
			set_cgroup(&list->items[i], name);
		return 0;
	}
	while (str_split(&rest, ',', &name)) {
		/* Those given before any event may be for events that are still to come. */
		if (i == list->count && !names)
			return 0;
		if (i == list->count)
			return err_set(err, -EINVAL, "more cgroups than events: '%s'", names);
		set_cgroup(&list->items[i++], name);
	}
	return 0;
}

bool eventlist_has_cgroups(const struct eventlist *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].cgroup)
			return true;
	return false;
}

int eventlist_default(struct eventlist *list, struct strobe_err *err)
{
	list->is_default = true;
	return eventlist_parse(list, "cycles:P", err);
}

void eventlist_done(struct eventlist *list)
{
	eventlist_cut(list, 0);
	cut_missing(list, 0);
	free(list->items);
	free(list->missing);
	free(list->cgroups);
	pmus_free(list->pmus);
	*list = (struct eventlist){ 0 };
}

static void start_like(struct event_spec *event, const struct event_spec *leader)
{
	event->attr.disabled = leader->attr.disabled;
	event->attr.enable_on_exec = leader->attr.enable_on_exec;
}

void eventlist_ungroup(struct eventlist *list, size_t leader)
{
	for (size_t i = 0; i < list->count; i++) {
		struct event_spec *event = &list->items[i];

		if (event->leader != leader)
			continue;
		event->leader = i;
		event->weak = false;
		event->attr.read_format &= ~(uint64_t)PERF_FORMAT_GROUP;
		start_like(event, &list->items[leader]);
	}
}

static void leave_group(struct eventlist *list, size_t index)
{
	const struct event_spec *leader = &list->items[index];
	size_t heir = index;

	for (size_t i = index + 1; i < list->count; i++) {
		struct event_spec *event = &list->items[i];

		if (event->leader != index)
			continue;
		if (heir == index) {
			heir = i;
			start_like(event, leader);
		}
		event->leader = heir;
	}
}

static void leave_alike(struct eventlist *list, size_t index)
{
	size_t heir = index;

	for (size_t i = index + 1; i < list->count; i++) {
		if (list->items[i].first_alike != index)
			continue;
		if (heir == index)
			heir = i;
		list->items[i].first_alike = heir;
	}
}

void eventlist_remove(struct eventlist *list, size_t index)
{
	struct event_spec *event = &list->items[index];

	leave_group(list, index);
	leave_alike(list, index);
	spec_done(event);
	memmove(event, event + 1, (list->count - index - 1) * sizeof(*event));
	list->count--;
	for (size_t i = 0; i < list->count; i++) {
		list->items[i].leader -= list->items[i].leader > index;
		list->items[i].first_alike -= list->items[i].first_alike > index;
	}
}

struct event_spec *eventlist_add(struct eventlist *list, const char *name)
{
	struct event_spec *event;

	grow(list);
	event = &list->items[list->count];
	*event = (struct event_spec){
		.name = xstrdup(name),
		.leader = list->count,
		.first_alike = list->count,
	};
	list->count++;
	return event;
}

struct pmus *eventlist_pmus(struct eventlist *list)
{
	if (!list->pmus)
		list->pmus = pmus_new(list->root);
	return list->pmus;
}

void eventlist_miss(struct eventlist *list, char *sentence)
{
	if (list->missing_count == list->missing_capacity)
		list->missing =
			xgrow(list->missing, &list->missing_capacity, sizeof(*list->missing));
	list->missing[list->missing_count++] = sentence;
}
