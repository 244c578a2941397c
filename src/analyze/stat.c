/* stat.c - see stat.h. */
#include "analyze/stat.h"

#include <string.h>

#include "analyze/cpu-places.h"
#include "analyze/stat-metric.h"
#include "analyze/stat-place.h"
#include "base/mem.h"
#include "data/countset.h"

#define SHARED_SHARE 0.99

/* One event in one place, over all runs. */
struct cell {
	struct moments value, enabled_ns, running_ns;
	bool is_there; /* the event was counted here at all */
};

/* The same of one run. */
struct sum {
	double value;
	uint64_t enabled_ns, running_ns;
	bool is_there;
};

struct stat {
	struct stat_setup setup;
	struct stat_place_map places;
	struct cell *cells; /* [place][event] */
	struct sum *sums;
	struct moments wall;
	struct stat_table table;
	/* Room for the metrics of each place: those of an event begin at its offset. */
	struct stat_metric *metrics;
	size_t *metric_offsets, metrics_per_place;
};

/* What an event has by itself, and the formulas that are shown with it. */
static void make_room_for_metrics(struct stat *stat)
{
	const struct stat_setup *setup = &stat->setup;
	size_t offset = 0;

	stat->metric_offsets = xcalloc(setup->event_count + 1, sizeof(*stat->metric_offsets));
	for (size_t event = 0; event < setup->event_count; event++) {
		stat->metric_offsets[event] = offset;
		offset += STAT_METRIC_OWN_MAX;
		for (size_t i = 0; i < setup->formula_count; i++)
			offset += stat_metric_event(setup, i) == event;
	}
	stat->metrics_per_place = offset;
	stat->metrics = xcalloc(offset * stat->places.count + 1, sizeof(*stat->metrics));
}

struct stat *stat_new(const struct stat_setup *setup)
{
	struct stat *stat = xnew(struct stat);
	size_t count;

	stat->setup = *setup;
	stat_place_map_init(&stat->places, setup);
	count = stat->places.count * setup->event_count + 1;
	stat->cells = xcalloc(count, sizeof(*stat->cells));
	stat->sums = xcalloc(count, sizeof(*stat->sums));
	stat->table.items = xcalloc(count, sizeof(*stat->table.items));
	stat->table.by_place = xcalloc(count, sizeof(*stat->table.by_place));
	make_room_for_metrics(stat);
	return stat;
}

void stat_free(struct stat *stat)
{
	if (!stat)
		return;
	stat_place_map_done(&stat->places);
	free(stat->cells);
	free(stat->sums);
	free(stat->table.items);
	free(stat->table.by_place);
	free(stat->metrics);
	free(stat->metric_offsets);
	free(stat);
}

static size_t cell_at(const struct stat *stat, size_t place, size_t event)
{
	return place * stat->setup.event_count + event;
}

/* The kernel's own advice: what was not counted for lack of a counter went on as it did before. */
static double scaled(const struct count *count, bool no_scale)
{
	if (no_scale || count->running_ns == 0 || count->running_ns >= count->enabled_ns)
		return (double)count->value;
	return (double)count->value * (double)count->enabled_ns / (double)count->running_ns;
}

/* Of what is the same for a whole socket, only one CPU's count is taken. */
static bool is_repeated(const struct stat *stat, const struct countset *counts, size_t event,
			size_t cpu, size_t thread)
{
	const struct stat_setup *setup = &stat->setup;
	int socket = cpu_places_of(setup->places, setup->cpus[cpu]).socket;

	if (!setup->events[event].per_package || socket < 0)
		return false;
	for (size_t i = 0; i < cpu; i++)
		if (countset_at(counts, event, i, thread)->is_there &&
		    cpu_places_of(setup->places, setup->cpus[i]).socket == socket)
			return true;
	return false;
}

static void add_count(struct stat *stat, const struct countset *counts, size_t event, size_t cpu,
		      size_t thread)
{
	const struct count *count = countset_at(counts, event, cpu, thread);
	size_t row = stat->setup.events[event].first_alike;
	size_t place = stat_place_map_find(&stat->places, cpu, thread);
	struct sum *sum = &stat->sums[cell_at(stat, place, row)];

	if (!count->is_there)
		return;
	sum->is_there = true;
	if (is_repeated(stat, counts, event, cpu, thread))
		return;
	sum->value += scaled(count, stat->setup.no_scale);
	sum->enabled_ns += count->enabled_ns;
	sum->running_ns += count->running_ns;
}

/* Of each CPU, what all CPUs of its core have counted. */
static void spread_over_core(struct stat *stat, const struct sum *by_cpu, size_t event)
{
	const struct stat_place *places = stat->places.items;

	for (size_t i = 0; i < stat->places.count; i++) {
		struct cpu_place at = cpu_places_of(stat->setup.places, places[i].cpu);
		struct sum *sum = &stat->sums[cell_at(stat, i, event)];

		for (size_t j = 0; j < stat->places.count; j++) {
			struct cpu_place other = cpu_places_of(stat->setup.places, places[j].cpu);

			if (j == i || other.core != at.core || other.die != at.die ||
			    other.socket != at.socket)
				continue;
			sum->value += by_cpu[j].value;
			sum->enabled_ns += by_cpu[j].enabled_ns;
			sum->running_ns += by_cpu[j].running_ns;
		}
	}
}

static void add_cores(struct stat *stat)
{
	_cleanup_(freep) struct sum *by_cpu = xcalloc(stat->places.count + 1, sizeof(*by_cpu));

	for (size_t event = 0; event < stat->setup.event_count; event++) {
		if (stat->setup.by != STAT_BY_CPU || !stat->setup.events[event].percore)
			continue;
		for (size_t i = 0; i < stat->places.count; i++)
			by_cpu[i] = stat->sums[cell_at(stat, i, event)];
		spread_over_core(stat, by_cpu, event);
	}
}

void stat_add(struct stat *stat, const struct countset *counts, uint64_t wall_ns)
{
	size_t cell_count = stat->places.count * stat->setup.event_count;

	memset(stat->sums, 0, cell_count * sizeof(*stat->sums));
	for (size_t event = 0; event < counts->event_count; event++)
		for (size_t cpu = 0; cpu < counts->cpu_count; cpu++)
			for (size_t thread = 0; thread < counts->thread_count; thread++)
				add_count(stat, counts, event, cpu, thread);
	add_cores(stat);
	for (size_t i = 0; i < cell_count; i++) {
		struct cell *cell = &stat->cells[i];
		const struct sum *sum = &stat->sums[i];

		if (!sum->is_there)
			continue;
		cell->is_there = true;
		moments_add(&cell->value, sum->value);
		moments_add(&cell->enabled_ns, (double)sum->enabled_ns);
		moments_add(&cell->running_ns, (double)sum->running_ns);
	}
	moments_add(&stat->wall, (double)wall_ns);
}

void stat_clear(struct stat *stat)
{
	size_t cell_count = stat->places.count * stat->setup.event_count;

	memset(stat->cells, 0, cell_count * sizeof(*stat->cells));
	stat->wall = (struct moments){ 0 };
}

size_t stat_shared_count(const struct stat_table *table)
{
	size_t count = 0;

	/* Where a counter comes a moment late, it is not shared. */
	for (size_t i = 0; i < table->count; i++)
		count += table->items[i].state == STAT_COUNTED &&
			 table->items[i].running_ns < SHARED_SHARE * table->items[i].enabled_ns;
	return count;
}

const struct moments *stat_wall(const struct stat *stat)
{
	return &stat->wall;
}

static struct moments times(struct moments moments, double factor)
{
	moments.mean *= factor;
	moments.squares *= factor * factor;
	moments.min *= factor;
	moments.max *= factor;
	return moments;
}

static void fill_row(const struct stat *stat, size_t place, size_t event, struct stat_row *row)
{
	const struct stat_event *what = &stat->setup.events[event];
	const struct cell *cell = &stat->cells[cell_at(stat, place, event)];

	*row = (struct stat_row){
		.event = what,
		.place = &stat->places.items[place],
		.raw = cell->value.mean,
		.error_percent = moments_error_percent(&cell->value),
		.enabled_ns = cell->enabled_ns.mean,
		.running_ns = cell->running_ns.mean,
		.metrics = stat->metrics + place * stat->metrics_per_place +
			   stat->metric_offsets[event],
		.moments = times(cell->value, what->scale != 0 ? what->scale : 1),
	};
	row->value = row->moments.mean;
	if (what->refused)
		row->state = STAT_NOT_SUPPORTED;
	else if (!cell->is_there || cell->enabled_ns.mean == 0 || cell->running_ns.mean == 0)
		row->state = STAT_NOT_COUNTED;
}

/* What is not there on a CPU has no row there; but what was refused is shown everywhere. */
static bool has_row(const struct stat *stat, size_t place, size_t event)
{
	const struct stat_event *what = &stat->setup.events[event];
	const struct cell *cell = &stat->cells[cell_at(stat, place, event)];

	if (what->first_alike != event)
		return false;
	if (stat->setup.no_zero && cell->value.mean == 0)
		return false;
	if (what->is_tool && place > 0)
		return false;
	return cell->is_there || what->refused || stat->setup.by == STAT_BY_ALL ||
	       stat->setup.by == STAT_BY_THREAD || stat->wall.count == 0;
}

static void add_row(struct stat *stat, size_t place, size_t event)
{
	if (has_row(stat, place, event))
		fill_row(stat, place, event, &stat->table.items[stat->table.count++]);
}

static int by_value(const void *a, const void *b)
{
	const struct stat_row *x = a, *y = b;

	if (x->raw != y->raw)
		return x->raw > y->raw ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* CPU by CPU and thread by thread each event is a block of rows; else each place is one. */
static void add_rows(struct stat *stat)
{
	const struct stat_setup *setup = &stat->setup;

	if (setup->by != STAT_BY_CPU && setup->by != STAT_BY_THREAD) {
		for (size_t place = 0; place < stat->places.count; place++)
			for (size_t event = 0; event < setup->event_count; event++)
				add_row(stat, place, event);
		return;
	}
	for (size_t event = 0; event < setup->event_count; event++) {
		size_t first = stat->table.count;

		for (size_t place = 0; place < stat->places.count; place++)
			add_row(stat, place, event);
		/* The busiest threads first. */
		if (setup->by == STAT_BY_THREAD)
			qsort(stat->table.items + first, stat->table.count - first,
			      sizeof(*stat->table.items), by_value);
	}
}

static void index_rows(struct stat *stat)
{
	struct stat_table *table = &stat->table;

	memset(table->by_place, 0,
	       table->place_count * table->event_count * sizeof(*table->by_place));
	for (size_t i = 0; i < table->count; i++) {
		struct stat_row *row = &table->items[i];

		table->by_place[cell_at(stat, (size_t)(row->place - table->places),
					(size_t)(row->event - stat->setup.events))] = row;
	}
}

const struct stat_table *stat_rows(struct stat *stat)
{
	stat->table.count = 0;
	stat->table.event_count = stat->setup.event_count;
	stat->table.places = stat->places.items;
	stat->table.place_count = stat->places.count;
	add_rows(stat);
	index_rows(stat);
	stat_metric_add(&stat->table, &stat->setup, stat->wall.mean);
	return &stat->table;
}
