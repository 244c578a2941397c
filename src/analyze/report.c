/* report.c - see report.h. */
#include "analyze/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strings.h"
#include "base/suggest.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "format/event-name.h"
#include "format/tracepoint.h"
#include "model/timeline.h"

/* Functions that begin a system call or a fault, on kernels of today and before. */
static const char default_parent[] =
	"^sys_|^do_page_fault|^__(x64|ia32|x32|arm64|riscv|s390x?|do|se)_(compat_)?sys_|^ksys_|"
	"^(asm_)?exc_page_fault|^do_(mem_abort|translation_fault)|^handle_page_fault";

/* Which histogram an event counts in. */
struct place_of_event {
	struct report_event *event; /* NULL: not asked for */
	size_t member;
};

struct report_state {
	struct profile *profile;
	const struct report_options *options;
	struct place_of_event *places; /* by the index of the event */
	regex_t parent, ignore;
	bool has_parent, has_ignore;
	bool wants_chain;
	size_t max_stack;
	bool outermost_first;
	struct profile_chain chain;
	struct {
		uint32_t *items;
		size_t count, capacity;
	} sites;
	struct strings traces;
	struct str text;
};

static const char *event_name(const struct event_desc *event, struct str *out)
{
	if (event->name)
		str_add(out, event->name);
	else
		event_name_add(out, &event->attr);
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

static char *group_name(const struct events *events, size_t leader, size_t count)
{
	const struct event_desc *event = events_at(events, leader);
	struct str name = { 0 };

	if (count == 1) {
		event_name(event, &name);
		return str_take(&name);
	}
	if (!event->group_name || strcmp(event->group_name, "{anon_group}") == 0)
		str_add(&name, "anon group");
	else
		str_add(&name, event->group_name);
	for (size_t i = 0; i < count; i++) {
		str_add(&name, i ? ", " : " { ");
		event_name(events_at(events, leader + i), &name);
	}
	str_add(&name, " }");
	return str_take(&name);
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

static int err_no_event(const struct report_options *options, const struct events *events,
			struct strobe_err *err)
{
	struct suggest suggest = { .typed = options->event };
	struct strings names = { 0 };

	err_set(err, -ENOENT, "no event '%s' in the recording", options->event);
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

static int plan_events(struct report *report, struct strobe_err *err)
{
	const struct report_options *options = report->state->options;
	const struct events *events = datafile_events(profile_file(report->state->profile));
	size_t count = events_count(events), size;

	report->events = xcalloc(count + 1, sizeof(*report->events));
	report->state->places = xcalloc(count + 1, sizeof(*report->state->places));
	for (size_t i = 0; i < count; i += size) {
		struct report_event *event = &report->events[report->event_count];

		size = group_size(options, events, i);
		if (!is_wanted(options, events_at(events, i)))
			continue;
		event->event = events_at(events, i);
		event->member_count = size;
		event->name = group_name(events, i, size);
		event->totals = xcalloc(size, sizeof(*event->totals));
		report->event_count++;
		for (size_t k = 0; k < size; k++)
			report->state->places[i + k] = (struct place_of_event){ event, k };
	}
	if (report->event_count == 0 && options->event)
		return err_no_event(options, events, err);
	return 0;
}

static bool has_chains(const struct event_desc *event)
{
	return event->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

static uint64_t all_sample_types(const struct events *events)
{
	uint64_t types = 0;

	for (size_t i = 0; i < events_count(events); i++)
		types |= events_at(events, i)->attr.sample_type;
	return types;
}

/* What the report is of, by what the recording has and the user wants. */
static int plan_kind(struct report *report, struct strobe_err *err)
{
	const struct report_options *options = report->state->options;
	const struct datafile *file = profile_file(report->state->profile);
	uint64_t types = all_sample_types(datafile_events(file));
	bool chains = types & PERF_SAMPLE_CALLCHAIN;
	size_t size;

	if (options->want_chains && !chains) {
		err_set(err, -ENODATA, "the recording has no call chains");
		return err_hint(err, -ENODATA, "record with -g");
	}
	if (options->parent_pattern && !chains) {
		err_set(err, -ENODATA, "no call chains to look for the parent in");
		return err_hint(err, -ENODATA, "record with -g");
	}
	if (options->branches == 1 && !(types & PERF_SAMPLE_BRANCH_STACK)) {
		err_set(err, -ENODATA, "the recording has no branch stacks");
		return err_hint(err, -ENODATA, "record with -b");
	}
	report->branches = options->branches == 1 ||
			   (options->branches == -1 && (types & PERF_SAMPLE_BRANCH_STACK) &&
			    datafile_feature(file, FEATURE_BRANCH_STACK, &size));
	report->chains = chains && !options->no_chains && !report->branches;
	report->children = chains && !options->no_children && !report->branches;
	report->state->outermost_first =
		options->order_set ? options->outermost_first : report->children;
	return 0;
}

static int compile(regex_t *regex, const char *pattern, struct strobe_err *err)
{
	char why[128];
	int r = regcomp(regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (r == 0)
		return 0;
	(void)regerror(r, regex, why, sizeof(why));
	return err_set(err, -EINVAL, "'%s' is no regular expression: %s", pattern, why);
}

/* A column whose value a filter has fixed is not shown. */
static void elide(struct report *report)
{
	const struct filter *filter = report->state->options->filter;

	if (!filter)
		return;
	if (filter->comms.count == 1)
		fields_elide(&report->fields, "comm", strings_text(&filter->comms, 0));
	if (filter->dsos.count == 1)
		fields_elide(&report->fields, "dso", strings_text(&filter->dsos, 0));
	if (filter->symbols.count == 1)
		fields_elide(&report->fields, "symbol", strings_text(&filter->symbols, 0));
	fields_unelide_all(&report->fields);
}

static int plan_fields(struct report *report, struct strobe_err *err)
{
	struct report_state *state = report->state;
	const struct report_options *options = state->options;
	struct fields_options fields = options->fields;
	int r;

	fields.children = report->children;
	fields.branches = report->branches;
	fields.parent = options->parent_pattern;
	r = fields_parse(&fields, &report->fields, err);
	if (r < 0)
		return r;
	elide(report);
	if (options->parent_pattern || options->only_with_parent ||
	    fields_have_key(&report->fields.order, "parent")) {
		r = compile(&state->parent,
			    options->parent_pattern ? options->parent_pattern : default_parent,
			    err);
		state->has_parent = r == 0;
	}
	if (r == 0 && options->ignore_callees) {
		r = compile(&state->ignore, options->ignore_callees, err);
		state->has_ignore = r == 0;
	}
	state->wants_chain =
		report->chains || report->children || state->has_parent || state->has_ignore;
	state->max_stack = options->max_stack ? options->max_stack : REPORT_MAX_STACK;
	return r;
}

static void plan_hists(struct report *report)
{
	const struct report_options *options = report->state->options;

	report->stacks.by_addr = options->by_addr;
	for (size_t i = 0; i < report->event_count; i++) {
		struct report_event *event = &report->events[i];

		event->hist_options = (struct hist_options){
			.fields = &report->fields,
			.style = { .long_names = options->long_names,
				   .nanoseconds = options->nanoseconds,
				   .dso_is_a_key = fields_have_key(&report->fields.order, "dso"),

				   .timeline = profile_timeline(report->state->profile) },
			.member_count = event->member_count,
			.children = report->children,
			.chains = report->chains && has_chains(event->event),
			.outermost_first = report->state->outermost_first,
			.mode = options->mode,
			.min_percent = options->min_percent,
			.symbol_filter = options->symbol_filter,
			.only_with_parent = options->only_with_parent,
		};
		event->hist = hist_new(&event->hist_options, &report->stacks);
	}
}

static char level_of(uint16_t cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_USER:
		return '.';
	default:
		return 'H';
	}
}

/* Without a name, perf shows the place in the file, not in memory; the kernel has but one place. */
static uint64_t shown_addr(const struct place *place)
{
	const struct map *map = place->map;

	if (!map || map->dso->kind == DSO_KERNEL || map->dso->kind == DSO_ANON)
		return place->addr;
	return place->addr - map->start + map->pgoff;
}

static struct spot spot_of(const struct place *place, char level)
{
	return (struct spot){ .place = *place, .shown_addr = shown_addr(place), .level = level };
}

static bool matches(const regex_t *regex, const struct place *place)
{
	return place->function && regexec(regex, place->function->name, 0, NULL, 0) == 0;
}

/* In a chain from the outside in, perf takes the outermost caller that matches. */
static const struct function *find_parent(const struct report_state *state)
{
	const struct profile_chain *chain = &state->chain;

	for (size_t i = 0; i < chain->count; i++) {
		size_t at = state->outermost_first ? chain->count - 1 - i : i;

		if (matches(&state->parent, &chain->items[at].place))
			return chain->items[at].place.function;
	}
	return NULL;
}

/* The innermost frame that counts: what an ignored function called does not. */
static size_t find_begin(const struct report_state *state)
{
	if (!state->has_ignore)
		return 0;
	for (size_t i = state->chain.count; i-- > 0;) {
		if (matches(&state->ignore, &state->chain.items[i].place))
			return i;
	}
	return 0;
}

static uint32_t intern_chain(struct report *report)
{
	struct report_state *state = report->state;
	size_t begin = find_begin(state), end = state->chain.count;

	if (end - begin > state->max_stack) {
		if (state->outermost_first)
			begin = end - state->max_stack;
		else
			end = begin + state->max_stack;
	}
	state->sites.count = 0;
	for (size_t i = begin; i < end; i++) {
		const struct place *place = &state->chain.items[i].place;

		if (state->options->hide_unresolved && !place->function)
			continue;
		grow(&state->sites);
		state->sites.items[state->sites.count++] = stack_site(&report->stacks, place);
	}
	return stack_intern(&report->stacks, state->sites.items, state->sites.count);
}

static const char *trace_of(struct report_state *state, const struct profile_sample *sample)
{
	const struct tracepoint *tracepoint;

	if (!state->options->tracepoints || sample->event->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	tracepoint = tracepoint_set_find(state->options->tracepoints, sample->event->attr.config);
	if (!tracepoint || !sample->sample.raw)
		return NULL;
	str_clear(&state->text);
	tracepoint_print(tracepoint, sample->sample.raw, sample->sample.raw_size,
			 sample->sample.cpu, &state->text);
	return strings_keep(&state->traces, str_text(&state->text));
}

/* Until a thread is told its name, it goes by the first that it will get. */
static const char *comm_of(const struct report_state *state, const struct profile_sample *sample)
{
	const char *first;

	if (sample->comm[0] != ':')
		return sample->comm;
	first = timeline_first_comm(profile_timeline(state->profile), sample->sample.pid,
				    sample->sample.tid);
	return first ? first : sample->comm;
}

static struct item item_of(struct report *report, const struct profile_sample *sample,
			   const struct place *place)
{
	struct report_state *state = report->state;
	uint64_t quantum = state->options->time_quantum_ns;
	struct item item = {
		.comm = comm_of(state, sample),
		.pid = sample->sample.pid,
		.tid = sample->sample.tid,
		.cpu = sample->sample.cpu,
		.time_ns = quantum ? sample->sample.time / quantum * quantum : sample->sample.time,
		.spot = spot_of(place, level_of(sample->cpumode)),
		.weight = sample->sample.weight,
		.transaction = sample->sample.transaction,
		.addr = sample->sample.addr,
	};

	if (fields_have_key(&report->fields.order, "trace"))
		item.trace = trace_of(state, sample);
	if (sample->sample.has & PERF_SAMPLE_CGROUP)
		item.cgroup =
			timeline_cgroup(profile_timeline(state->profile), sample->sample.cgroup);
	return item;
}

/* The mode is not recorded with a branch: it is the one that has something there. */
static struct spot branch_spot(struct report_state *state, const struct profile_sample *sample,
			       uint64_t addr)
{
	static const uint16_t modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_KERNEL };
	struct place place = { .addr = addr };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		const struct map *map =
			timeline_map(profile_timeline(state->profile), sample->sample.pid, modes[i],
				     addr, sample->moment);

		if (map) {
			place = resolver_find(profile_resolver(state->profile), sample->sample.pid,
					      map, addr);
			return spot_of(&place, level_of(modes[i]));
		}
	}
	return spot_of(&place, 'H');
}

static void add_branches(struct report *report, const struct place_of_event *to,
			 const struct profile_sample *sample, struct item *item)
{
	struct report_state *state = report->state;

	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		const struct sample_branch *branch = &sample->sample.branches[i];

		item->branch = (struct branch_item){
			.from = branch_spot(state, sample, branch->from),
			.to = branch_spot(state, sample, branch->to),
			.cycles = (uint16_t)(branch->flags >> 4),
			.flags = branch->flags & 15,
		};
		if (state->options->hide_unresolved &&
		    !(item->branch.from.place.function && item->branch.to.place.function))
			continue;
		to->event->totals[to->member].period++;
		hist_add(to->event->hist, &(struct hist_sample){ .item = item,
								 .member = to->member,
								 .cpumode = sample->cpumode,
								 .stack = HIST_NO_STACK,
								 .period = 1 });
	}
}

static void add_sample(struct report *report, const struct place_of_event *to,
		       const struct profile_sample *sample, struct item *item)
{
	struct report_state *state = report->state;
	uint32_t stack = HIST_NO_STACK;

	if (state->wants_chain) {
		profile_chain(state->profile, sample, 0, &state->chain);
		if (state->has_parent)
			item->parent = find_parent(state);
		stack = intern_chain(report);
		if (state->has_ignore && state->chain.count > 0) {
			const struct profile_frame *frame = &state->chain.items[find_begin(state)];

			if (matches(&state->ignore, &frame->place))
				item->spot = spot_of(&frame->place, level_of(frame->cpumode));
		}
	}
	hist_add(to->event->hist, &(struct hist_sample){ .item = item,
							 .member = to->member,
							 .cpumode = sample->cpumode,
							 .stack = stack,
							 .period = sample->sample.period });
}

static int take_sample(void *context, const struct profile_sample *sample)
{
	struct report *report = context;
	struct report_state *state = report->state;
	const struct filter *filter = state->options->filter;
	const struct place_of_event *to = &state->places[sample->event->index];
	struct place place;
	struct item item;
	bool hidden;

	if (!to->event || (filter && filter_drops(filter, sample)))
		return 0;
	place = profile_place(state->profile, sample);
	if (state->options->hide_unresolved && !place.function)
		return 0;
	hidden = filter && filter_hides(filter, sample, &place);
	if (to->member == 0)
		to->event->whole_period += sample->sample.period;
	if (hidden && state->options->relative)
		return 0;
	to->event->sample_count++;
	to->event->totals[to->member].count++;
	if (!report->branches)
		to->event->totals[to->member].period += sample->sample.period;
	if (hidden)
		return 0;
	item = item_of(report, sample, &place);
	if (report->branches)
		add_branches(report, to, sample, &item);
	else
		add_sample(report, to, sample, &item);
	return 0;
}

static int plan(struct report *report, struct strobe_err *err)
{
	int r = plan_events(report, err);

	if (r == 0)
		r = plan_kind(report, err);
	if (r == 0)
		r = plan_fields(report, err);
	if (r == 0)
		plan_hists(report);
	return r;
}

int report_new(struct profile *profile, const struct report_options *options,
	       struct report **ret_report, struct strobe_err *err)
{
	_cleanup_(report_freep) struct report *report = xnew(struct report);
	int r;

	report->state = xnew(struct report_state);
	report->state->profile = profile;
	report->state->options = options;
	report->lost_samples = profile_totals(profile)->lost_samples;
	r = plan(report, err);
	if (r == 0)
		r = profile_walk(profile, take_sample, NULL, report);
	if (r < 0)
		return r;
	for (size_t i = 0; i < report->event_count; i++)
		hist_finish(report->events[i].hist, report->events[i].totals[0].period);
	*ret_report = take(report);
	return 0;
}

static void state_free(struct report_state *state)
{
	if (state->has_parent)
		regfree(&state->parent);
	if (state->has_ignore)
		regfree(&state->ignore);
	free(state->places);
	free(state->chain.items);
	free(state->sites.items);
	strings_done(&state->traces);
	str_done(&state->text);
	free(state);
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->event_count; i++) {
		hist_free(report->events[i].hist);
		free(report->events[i].name);
		free(report->events[i].totals);
	}
	free(report->events);
	fields_done(&report->fields);
	stack_table_done(&report->stacks);
	state_free(report->state);
	free(report);
}
