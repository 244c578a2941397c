/* report-events.c - see report-events.h. */
#include "analyze/report-events.h"

#include <errno.h>
#include <string.h>

#include "analyze/profile.h"
#include "analyze/report-plan.h"
#include "analyze/report.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strings.h"
#include "base/suggest.h"
#include "data/datafile.h"
#include "data/events.h"
#include "format/event-name.h"

static const char *event_name(const struct event_desc *event, struct str *out)
{
	event_name_add_desc(out, event);
	return str_text(out);
}

static bool name_in_list(const char *list, const char *name)
{
	struct str_part part;

	while (str_split(&list, ',', &part)) {
		if (str_part_is(part, name))
			return true;
	}
	return false;
}

static bool is_wanted(const struct report_options *options, const struct event_desc *event)
{
	_cleanup_(str_done) struct str name = { 0 };

	return !options->event || name_in_list(options->event, event_name(event, &name));
}

/* Events that --group made one of are but a list. */
static char *group_name(const struct events *events, const struct report_event *group)
{
	const char *own = group->event->group_name ? group->event->group_name : "anon group";
	bool is_recorded = group->member_count > 1 && group->event->group_count > 1;
	struct str name = { 0 };

	if (is_recorded)
		str_addf(&name, "%s { ", own);
	for (size_t i = 0; i < group->shown_count; i++) {
		if (i > 0)
			str_add(&name, ", ");
		event_name(events_at(events, group->event->index + group->shown[i]), &name);
	}
	if (is_recorded)
		str_add(&name, " }");
	return str_take(&name);
}

/* A member without samples is a column of zeros: it is left out. */
void report_events_show(const struct report *report, struct report_event *group)
{
	bool all = report->state->options->show_empty || group->sample_count == 0;

	group->shown = xcalloc(group->member_count, sizeof(*group->shown));
	for (size_t i = 0; i < group->member_count; i++) {
		if (all || group->totals[i].count > 0)
			group->shown[group->shown_count++] = i;
	}
	group->name = group_name(datafile_events(profile_file(report->state->profile)), group);
}

/* How many events stand together in one table, from the @i-th on. */
static size_t group_size(const struct report_options *options, const struct events *events,
			 size_t i)
{
	size_t left = events_count(events) - i, count = events_at(events, i)->group_count;

	if (options->event || options->no_group)
		return 1;
	if (options->force_group && i == 0)
		return left;
	return count > 1 && count <= left && events_at(events, i)->leader == i ? count : 1;
}

static int err_no_event(const char *typed, const struct events *events, struct strobe_err *err)
{
	struct suggest suggest = { .typed = typed };
	struct strings names = { 0 };

	err_set(err, -ENOENT, "no event '%s' in the recording", typed);
	for (size_t i = 0; i < events_count(events); i++) {
		_cleanup_(str_done) struct str name = { 0 };

		suggest_try(&suggest,
			    strings_keep(&names, event_name(events_at(events, i), &name)));
	}
	if (suggest.name)
		err_hint(err, -ENOENT, "did you mean '%s'?", suggest.name);
	else
		err_hint(err, -ENOENT, "it has: %s",
			 names.count ? strings_text(&names, 0) : "no events at all");
	strings_done(&names);
	return -ENOENT;
}

int report_events_find(const struct events *events, const char *typed,
		       const struct event_desc **ret_event, struct strobe_err *err)
{
	for (size_t i = 0; i < events_count(events); i++) {
		_cleanup_(str_done) struct str name = { 0 };

		if (strcmp(event_name(events_at(events, i), &name), typed) == 0) {
			*ret_event = events_at(events, i);
			return 0;
		}
	}
	return err_no_event(typed, events, err);
}

int report_events_plan(struct report *report, struct strobe_err *err)
{
	const struct report_options *options = report->state->options;
	const struct events *events = datafile_events(profile_file(report->state->profile));
	struct counting_plan *plan = &report->state->plan;
	size_t count = events_count(events), size;

	report->events = xcalloc(count + 1, sizeof(*report->events));
	plan->places = xcalloc(count + 1, sizeof(*plan->places));
	for (size_t i = 0; i < count; i += size) {
		struct report_event *event = &report->events[report->event_count];

		size = group_size(options, events, i);
		if (size > REPORT_MOST_MEMBERS) {
			size = 1;
			report->divided_count++;
		}
		if (!is_wanted(options, events_at(events, i)))
			continue;
		event->event = events_at(events, i);
		event->member_count = size;
		event->totals = xcalloc(size, sizeof(*event->totals));
		report->event_count++;
		for (size_t k = 0; k < size; k++)
			plan->places[i + k] =
				(struct counting_place){ true, (uint32_t)report->event_count - 1,
							 (uint16_t)k };
		if (size > plan->member_count)
			plan->member_count = size;
	}
	plan->event_count = report->event_count;
	if (report->event_count == 0 && options->event)
		return err_no_event(options->event, events, err);
	return 0;
}
