#include "event/catalog.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "event/eventlist.h"
#include "event/generic.h"
#include "event/pmus.h"
#include "event/tool-event.h"
#include "event/vendor.h"
#include "kernel/folder.h"
#include "kernel/host-counts.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"

/* A catalog on its way. */
struct maker {
	struct catalog *catalog;
	const struct catalog_options *options;
	struct eventlist list; /* what names become attrs with */
};

static const char *keep(struct maker *m, const struct str *text)
{
	return arena_strdup(&m->catalog->arena, str_text(text));
}

static struct event_row *add(struct maker *m, enum event_row_kind kind, const char *name)
{
	struct event_rows *rows = &m->catalog->rows;

	grow(rows);
	rows->items[rows->count] = (struct event_row){ .kind = kind, .name = name };
	return &rows->items[rows->count++];
}

static bool wants(const struct maker *m, enum event_row_kind kind)
{
	return m->options->kinds & 1U << kind;
}

static enum event_row_state state_of(const struct maker *m, const struct attr *attr,
				     const char *cpus)
{
	int r = m->options->try_open ? m->options->try_open(attr, cpus) : 0;

	if (r == -EACCES || r == -EPERM)
		return EVENT_ROW_FORBIDDEN;
	return r < 0 ? EVENT_ROW_MISSING : EVENT_ROW_OPENS;
}

/* By the attr that -e would make of it. */
static enum event_row_state state_of_text(struct maker *m, const char *text)
{
	size_t first = m->list.count;
	enum event_row_state state = EVENT_ROW_MISSING;

	if (!m->options->try_open)
		return EVENT_ROW_OPENS;
	if (eventlist_parse(&m->list, text, NULL) == 0 && m->list.count > first)
		state = state_of(m, &m->list.items[first].attr, m->list.items[first].cpus);
	eventlist_cut(&m->list, first);
	return state;
}

static enum event_row_kind kind_of_type(uint32_t type)
{
	if (type == PERF_TYPE_HW_CACHE)
		return EVENT_ROW_CACHE;
	return type == PERF_TYPE_SOFTWARE ? EVENT_ROW_SOFTWARE : EVENT_ROW_HARDWARE;
}

static void add_generic(struct maker *m, enum event_row_kind kind)
{
	static const char *const pmus[] = { [EVENT_ROW_HARDWARE] = "hardware",
					    [EVENT_ROW_CACHE] = "hw-cache",
					    [EVENT_ROW_SOFTWARE] = "software" };
	_cleanup_(str_done) struct str text = { 0 }, encoding = { 0 };
	const char *name;

	for (size_t i = 0; (name = generic_name(i)); i++) {
		const char *what = generic_text(i, &text);
		struct event_row *row;
		uint64_t config;
		uint32_t type;

		if (!generic_find(name, &type, &config) || kind_of_type(type) != kind)
			continue;
		if (!what) {
			m->catalog->rows.items[m->catalog->rows.count - 1].alias = name;
			continue;
		}
		row = add(m, kind, name);
		row->text = arena_strdup(&m->catalog->arena, what);
		str_clear(&encoding);
		str_addf(&encoding, "%s/config=0x%" PRIx64 "/", pmus[kind], config);
		row->encoding = keep(m, &encoding);
		row->pmu = kind == EVENT_ROW_SOFTWARE ? pmus[kind] : NULL;
		row->state = state_of_text(m, name);
	}
}

static void add_tools(struct maker *m)
{
	_cleanup_(str_done) struct str encoding = { 0 };
	struct host_counts counts;

	host_counts_load(m->options->root, &counts);
	for (unsigned i = TOOL_NONE + 1; i < TOOL_COUNT; i++) {
		struct event_row *row;
		uint64_t value;
		bool is_told = tool_event_value(&counts, (enum tool_event)i, &value) == 0;

		row = add(m, EVENT_ROW_TOOL, tool_event_name((enum tool_event)i));
		row->text = tool_event_text((enum tool_event)i);
		row->pmu = TOOL_EVENT_PMU;
		if (!is_told && tool_event_is_of_machine((enum tool_event)i))
			row->state = EVENT_ROW_MISSING;
		str_clear(&encoding);
		str_addf(&encoding, TOOL_EVENT_PMU "/config=0x%x/", i);
		row->encoding = keep(m, &encoding);
	}
}

/* "uncore_imc" for the first of uncore_imc_0, uncore_imc_1, ...; NULL for the others. */
static const char *instance_name(struct maker *m, const struct pmus *pmus, size_t index)
{
	const char *name = pmus_name(pmus, index);
	size_t size = pmu_stem_size(name);

	if (m->options->all_instances || !name[size] || str_after(name, "cpu") ||
	    str_after(name, "armv"))
		return arena_strdup(&m->catalog->arena, name);
	if (index > 0) {
		const char *before = pmus_name(pmus, index - 1);

		if (pmu_stem_size(before) == size && !strncmp(before, name, size))
			return NULL;
	}
	return arena_strndup(&m->catalog->arena, name, size);
}

static void add_of_pmu(struct maker *m, const struct pmu *pmu, const char *instance)
{
	_cleanup_(str_done) struct str text = { 0 };

	for (size_t i = 0; i < pmu->event_count; i++) {
		const struct pmu_event *event = &pmu->events[i];
		struct event_row *row;

		str_clear(&text);
		str_addf(&text, "%s/%s/", instance, event->name);
		row = add(m, EVENT_ROW_PMU, keep(m, &text));
		row->state = state_of_text(m, row->name);
		row->pmu = instance;
		if (pmu->is_core)
			row->alias = arena_strdup(&m->catalog->arena, event->name);
		if (event->unit)
			row->unit = arena_strdup(&m->catalog->arena, event->unit);
		str_clear(&text);
		str_addf(&text, "%s/%s/", instance, event->text);
		row->encoding = keep(m, &text);
	}
}

/* "cpu/event=0..0xff,edge,.../modifier": its formats, and the highest value of each. */
static void add_form(struct maker *m, const struct pmu *pmu, const char *instance)
{
	_cleanup_(str_done) struct str form = { 0 };

	str_addf(&form, "%s/", instance);
	for (size_t i = 0; i < pmu->format_count; i++) {
		const struct pmu_format *format = &pmu->formats[i];
		unsigned bits = (unsigned)__builtin_popcountll(format->bits);

		str_addf(&form, "%s%s", i ? "," : "", format->name);
		if (bits > 1)
			str_addf(&form, "=0..0x%" PRIx64, UINT64_MAX >> (64 - bits));
	}
	str_add(&form, "/modifier");
	add(m, EVENT_ROW_RAW, keep(m, &form))->pmu = instance;
}

static void add_of_vendor(struct maker *m, const struct pmu *pmu)
{
	_cleanup_(str_done) struct str text = { 0 };

	for (size_t i = 0; i < pmu->vendor->event_count; i++) {
		const struct vendor_event *event = &pmu->vendor->events[i];
		struct event_row *row;

		if (pmu_find_event(pmu, event->name))
			continue;
		row = add(m, EVENT_ROW_VENDOR, event->name);
		row->text = event->text;
		row->vendor = pmu->vendor->name;
		row->pmu = arena_strdup(&m->catalog->arena, pmu->name);
		str_clear(&text);
		str_addf(&text, "%s/%s/", pmu->name, event->terms);
		row->encoding = keep(m, &text);
		row->state = state_of_text(m, row->encoding);
	}
}

static void add_metrics(struct maker *m, const struct pmu *pmu)
{
	struct event_rows *rows = &m->catalog->rows;

	for (size_t i = 0; i < pmu->vendor->metric_count; i++) {
		const struct vendor_metric *metric = &pmu->vendor->metrics[i];

		if (rows->metric_count == rows->metric_capacity)
			rows->metrics = xgrow(rows->metrics, &rows->metric_capacity,
					      sizeof(*rows->metrics));
		rows->metrics[rows->metric_count++] = (struct metric_row){
			.name = metric->name,
			.groups = metric->groups,
			.unit = metric->unit,
			.formula = metric->formula,
			.text = metric->text,
			.pmu = arena_strdup(&m->catalog->arena, pmu->name),
		};
	}
}

static void each_instance(struct maker *m,
			  void (*visit)(struct maker *, const struct pmu *, const char *))
{
	struct pmus *pmus = eventlist_pmus(&m->list);

	for (size_t i = 0; i < pmus_count(pmus); i++) {
		const char *instance = instance_name(m, pmus, i);
		const struct pmu *pmu = instance ? pmus_at(pmus, i) : NULL;

		if (pmu)
			visit(m, pmu, instance);
	}
}

static void add_forms(struct maker *m)
{
	add(m, EVENT_ROW_RAW, "rNNN");
	each_instance(m, add_form);
	add(m, EVENT_ROW_RAW, "mem:ADDRESS[/LENGTH][:rwx]");
}

static void add_pmus(struct maker *m)
{
	struct pmus *pmus = eventlist_pmus(&m->list);
	_cleanup_(pmus_picks_done) struct pmus_picks cores = { 0 };

	if (wants(m, EVENT_ROW_PMU))
		each_instance(m, add_of_pmu);
	pmus_core(pmus, &cores);
	for (size_t i = 0; i < cores.count; i++) {
		if (!cores.items[i]->vendor)
			continue;
		if (wants(m, EVENT_ROW_VENDOR))
			add_of_vendor(m, cores.items[i]);
		if (m->options->metrics)
			add_metrics(m, cores.items[i]);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_group(const struct event_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->group_count; i++)
		if (!strcmp(rows->groups[i], name))
			return true;
	return false;
}

static void add_groups(struct maker *m)
{
	struct event_rows *rows = &m->catalog->rows;

	for (size_t i = 0; i < rows->metric_count; i++) {
		const char *rest = rows->metrics[i].groups;
		struct str_part part;

		while (str_split(&rest, ',', &part)) {
			const char *name = arena_strndup(&m->catalog->arena, part.text, part.size);

			if (has_group(rows, name))
				continue;
			if (rows->group_count == rows->group_capacity)
				rows->groups = xgrow(rows->groups, &rows->group_capacity,
						     sizeof(*rows->groups));
			rows->groups[rows->group_count++] = name;
		}
	}
	if (rows->group_count)
		qsort(rows->groups, rows->group_count, sizeof(*rows->groups), by_text);
}

/* All can be opened, or none: it is a matter of rights. */
static void add_tracepoints(struct maker *m)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(folder_names_done) struct folder_names systems = { 0 };
	enum event_row_state state = EVENT_ROW_OPENS;
	_cleanup_(str_done) struct str name = { 0 };
	bool is_tried = false;

	if (!m->options->root)
		tracefs_mount();
	if (tracefs_open(m->options->root, &tracefs, NULL) < 0)
		return;
	tracefs_list_systems(tracefs, &systems);
	for (size_t i = 0; i < systems.count; i++) {
		_cleanup_(folder_names_done) struct folder_names events = { 0 };

		tracefs_list_events(tracefs, systems.items[i], &events);
		for (size_t k = 0; k < events.count; k++) {
			str_clear(&name);
			str_addf(&name, "%s:%s", systems.items[i], events.items[k]);
			if (!is_tried)
				state = state_of_text(m, str_text(&name));
			is_tried = true;
			add(m, EVENT_ROW_TRACEPOINT, keep(m, &name))->state = state;
		}
	}
}

void catalog_load(struct catalog *catalog, const struct catalog_options *options)
{
	struct maker m = { .catalog = catalog, .options = options };

	m.list.root = options->root;
	m.list.counts = true;
	for (enum event_row_kind kind = EVENT_ROW_HARDWARE; kind <= EVENT_ROW_SOFTWARE; kind++)
		if (wants(&m, kind))
			add_generic(&m, kind);
	if (wants(&m, EVENT_ROW_TOOL))
		add_tools(&m);
	add_pmus(&m);
	if (wants(&m, EVENT_ROW_RAW))
		add_forms(&m);
	add_groups(&m);
	if (wants(&m, EVENT_ROW_TRACEPOINT))
		add_tracepoints(&m);
	eventlist_done(&m.list);
}

void catalog_done(struct catalog *catalog)
{
	free(catalog->rows.items);
	free(catalog->rows.metrics);
	free(catalog->rows.groups);
	arena_done(&catalog->arena);
	*catalog = (struct catalog){ 0 };
}
