/* stat-metric.c - see stat-metric.h. */
#include "analyze/stat-metric.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "analyze/stat.h"
#include "format/metric-formula.h"

enum { FORMULA_EVENTS_MAX = 64 }; /* no formula is so long */

/* What an event is to others. */
enum kind {
	KIND_OTHER,
	KIND_CLOCK,
	KIND_CYCLES,
	KIND_INSTRUCTIONS,
	KIND_CACHE_REFS,
	KIND_CACHE_MISSES,
	KIND_BRANCHES,
	KIND_BRANCH_MISSES,
	KIND_STALLED_FRONT,
	KIND_STALLED_BACK,
	KIND_L1D_LOADS,
	KIND_L1D_MISSES,
	KIND_L1I_LOADS,
	KIND_L1I_MISSES,
	KIND_LL_LOADS,
	KIND_LL_MISSES,
	KIND_DTLB_LOADS,
	KIND_DTLB_MISSES,
	KIND_ITLB_LOADS,
	KIND_ITLB_MISSES,
};

static enum kind kind_of_hardware(uint64_t config)
{
	/* The upper half names the PMU, of several core types. */
	switch ((uint32_t)config) {
	case PERF_COUNT_HW_CPU_CYCLES:
		return KIND_CYCLES;
	case PERF_COUNT_HW_INSTRUCTIONS:
		return KIND_INSTRUCTIONS;
	case PERF_COUNT_HW_CACHE_REFERENCES:
		return KIND_CACHE_REFS;
	case PERF_COUNT_HW_CACHE_MISSES:
		return KIND_CACHE_MISSES;
	case PERF_COUNT_HW_BRANCH_INSTRUCTIONS:
		return KIND_BRANCHES;
	case PERF_COUNT_HW_BRANCH_MISSES:
		return KIND_BRANCH_MISSES;
	case PERF_COUNT_HW_STALLED_CYCLES_FRONTEND:
		return KIND_STALLED_FRONT;
	case PERF_COUNT_HW_STALLED_CYCLES_BACKEND:
		return KIND_STALLED_BACK;
	default:
		return KIND_OTHER;
	}
}

/* Of reads: perf_event_open(2) has the parts of config. */
static enum kind kind_of_cache(uint64_t config)
{
	unsigned cache = config & 0xff, operation = config >> 8 & 0xff,
		 result = config >> 16 & 0xff;
	bool missed = result == PERF_COUNT_HW_CACHE_RESULT_MISS;

	if (operation != PERF_COUNT_HW_CACHE_OP_READ)
		return KIND_OTHER;
	switch (cache) {
	case PERF_COUNT_HW_CACHE_L1D:
		return missed ? KIND_L1D_MISSES : KIND_L1D_LOADS;
	case PERF_COUNT_HW_CACHE_L1I:
		return missed ? KIND_L1I_MISSES : KIND_L1I_LOADS;
	case PERF_COUNT_HW_CACHE_LL:
		return missed ? KIND_LL_MISSES : KIND_LL_LOADS;
	case PERF_COUNT_HW_CACHE_DTLB:
		return missed ? KIND_DTLB_MISSES : KIND_DTLB_LOADS;
	case PERF_COUNT_HW_CACHE_ITLB:
		return missed ? KIND_ITLB_MISSES : KIND_ITLB_LOADS;
	default:
		return KIND_OTHER;
	}
}

static enum kind kind_of(const struct attr *attr)
{
	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		return kind_of_hardware(attr->config);
	case PERF_TYPE_HW_CACHE:
		return kind_of_cache(attr->config);
	case PERF_TYPE_SOFTWARE:
		return attr->config == PERF_COUNT_SW_CPU_CLOCK ||
				       attr->config == PERF_COUNT_SW_TASK_CLOCK
			       ? KIND_CLOCK
			       : KIND_OTHER;
	default:
		return KIND_OTHER;
	}
}

static bool same_cgroup(const struct stat_event *a, const struct stat_event *b)
{
	return a->cgroup && b->cgroup ? strcmp(a->cgroup, b->cgroup) == 0 : a->cgroup == b->cgroup;
}

/* Both in user space, both in the kernel, both in guests, or both everywhere. */
static bool same_modes(const struct attr *a, const struct attr *b)
{
	return a->exclude_user == b->exclude_user && a->exclude_kernel == b->exclude_kernel &&
	       a->exclude_hv == b->exclude_hv && a->exclude_host == b->exclude_host &&
	       a->exclude_idle == b->exclude_idle;
}

/* The upper half of a generic event's config; of a raw one it is part of the event (in_tx). */
static uint64_t pmu_of(const struct attr *attr)
{
	return attr->type == PERF_TYPE_RAW ? 0 : attr->config >> 32;
}

/* Of the same group of processes and kind of CPU. */
static bool goes_with(const struct stat_row *row, const struct stat_row *other)
{
	uint64_t pmu = pmu_of(&row->event->attr), other_pmu = pmu_of(&other->event->attr);
	bool same_cpus = row->event->attr.type == PERF_TYPE_SOFTWARE ||
			 other->event->attr.type == PERF_TYPE_SOFTWARE || pmu == other_pmu;

	return other->state == STAT_COUNTED && same_cpus && same_cgroup(row->event, other->event);
}

/* The rows of all events in the row's place; NULL where there is none. */
static struct stat_row *const *rows_of_place(const struct stat_table *table,
					     const struct stat_row *row)
{
	return table->by_place + (size_t)(row->place - table->places) * table->event_count;
}

/* How often @kind happened where @row was counted; 0 if that is not known. */
static double beside(const struct stat_table *table, const struct stat_row *row, enum kind kind)
{
	struct stat_row *const *at = rows_of_place(table, row);
	const struct stat_row *found = NULL;

	for (size_t i = 0; i < table->event_count; i++) {
		const struct stat_row *other = at[i];

		if (!other || kind_of(&other->event->attr) != kind || !goes_with(row, other))
			continue;
		if (same_modes(&row->event->attr, &other->event->attr))
			return other->raw;
		/* Time is time. */
		if (kind == KIND_CLOCK && !found)
			found = other;
	}
	return found ? found->raw : 0;
}

static void add(struct stat_row *row, const char *unit, enum stat_style style, double value,
		bool is_known)
{
	struct stat_metric *metric = &row->metrics[row->metric_count++];

	*metric = (struct stat_metric){ .is_known = is_known && row->state == STAT_COUNTED,
					.style = style,
					.value = value };
	(void)snprintf(metric->unit, sizeof(metric->unit), "%s", unit);
}

/* For each of these, what share of others it is. */
static const struct share {
	enum kind kind, of;
	enum stat_style style;
	const char *unit;
} shares[] = {
	{ KIND_BRANCH_MISSES, KIND_BRANCHES, STAT_STYLE_PERCENT, "of all branches" },
	{ KIND_L1D_MISSES, KIND_L1D_LOADS, STAT_STYLE_PERCENT, "of all L1-dcache accesses" },
	{ KIND_L1I_MISSES, KIND_L1I_LOADS, STAT_STYLE_PERCENT, "of all L1-icache accesses" },
	{ KIND_DTLB_MISSES, KIND_DTLB_LOADS, STAT_STYLE_PERCENT, "of all dTLB cache accesses" },
	{ KIND_ITLB_MISSES, KIND_ITLB_LOADS, STAT_STYLE_PERCENT, "of all iTLB cache accesses" },
	{ KIND_LL_MISSES, KIND_LL_LOADS, STAT_STYLE_PERCENT, "of all LL-cache accesses" },
	{ KIND_CACHE_MISSES, KIND_CACHE_REFS, STAT_STYLE_SHARE, "of all cache refs" },
	{ KIND_STALLED_FRONT, KIND_CYCLES, STAT_STYLE_PERCENT, "frontend cycles idle" },
	{ KIND_STALLED_BACK, KIND_CYCLES, STAT_STYLE_PERCENT, "backend cycles idle" },
};

static const struct share *share_of(enum kind kind)
{
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		if (shares[i].kind == kind)
			return &shares[i];
	return NULL;
}

static void add_share(const struct stat_table *table, struct stat_row *row,
		      const struct share *share)
{
	double all = beside(table, row, share->of);

	add(row, share->unit, share->style, all != 0 ? 100 * row->raw / all : 0, all != 0);
}

static void add_instructions(const struct stat_table *table, struct stat_row *row)
{
	double cycles = beside(table, row, KIND_CYCLES);
	double front = beside(table, row, KIND_STALLED_FRONT);
	double back = beside(table, row, KIND_STALLED_BACK);
	double stalled = front > back ? front : back;

	add(row, "insn per cycle", STAT_STYLE_RATIO, cycles != 0 ? row->raw / cycles : 0,
	    cycles != 0);
	if (stalled != 0 && row->raw != 0)
		add(row, "stalled cycles per insn", STAT_STYLE_RATIO, stalled / row->raw, true);
}

static void add_cycles(const struct stat_table *table, struct stat_row *row)
{
	double ns = beside(table, row, KIND_CLOCK);

	add(row, "GHz", STAT_STYLE_RATE, ns != 0 ? row->raw / ns : 0, ns != 0);
}

/* "12.3 K/sec". Where there is no clock nothing is said. */
static void add_rate(const struct stat_table *table, struct stat_row *row)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	double ns = beside(table, row, KIND_CLOCK), rate;
	double factor = 1;
	size_t unit = 0;

	if (ns == 0)
		return;
	rate = row->raw * 1e9 / ns;
	for (; rate >= 1000 && unit < 3; unit++) {
		rate /= 1000;
		factor *= 1000;
	}
	add(row, units[unit], STAT_STYLE_RATE, rate, true);
	row->metrics[row->metric_count - 1].factor = factor;
}

static void add_own(const struct stat_table *table, struct stat_row *row, double wall_ns)
{
	enum kind kind = kind_of(&row->event->attr);
	const struct share *share = share_of(kind);

	if (share)
		add_share(table, row, share);
	else if (kind == KIND_INSTRUCTIONS)
		add_instructions(table, row);
	else if (kind == KIND_CYCLES)
		add_cycles(table, row);
	else if (kind == KIND_CLOCK)
		add(row, "CPUs utilized", STAT_STYLE_RATE, wall_ns > 0 ? row->raw / wall_ns : 0,
		    wall_ns > 0);
	else if (!row->event->is_tool)
		add_rate(table, row);
}

/* Intel's: what the slots of the pipeline were used for; all that is told of them is their share.
 */
static const struct topdown {
	const char *event, *unit;
	/* What is left of another event's share is something, too. */
	const char *rest_of, *rest;
} topdowns[] = {
	{ "topdown-retiring", "Retiring", NULL, NULL },
	{ "topdown-bad-spec", "Bad Speculation", NULL, NULL },
	{ "topdown-fe-bound", "Frontend Bound", NULL, NULL },
	{ "topdown-be-bound", "Backend Bound", NULL, NULL },
	{ "topdown-heavy-ops", "Heavy Operations", "topdown-retiring", "Light Operations" },
	{ "topdown-br-mispredict", "Branch Mispredict", "topdown-bad-spec", "Machine Clears" },
	{ "topdown-fetch-lat", "Fetch Latency", "topdown-fe-bound", "Fetch Bandwidth" },
	{ "topdown-mem-bound", "Memory Bound", "topdown-be-bound", "Core Bound" },
};

enum { TOPDOWN_FIRST_LEVEL = 4 };

/* "topdown-retiring", "topdown-retiring:u", "cpu_core/topdown-retiring/" */
static bool is_called(const struct stat_event *event, const char *name)
{
	const char *at = strstr(event->name, name);
	size_t size = strlen(name);

	return at && (at == event->name || at[-1] == '/') &&
	       (at[size] == '\0' || at[size] == ':' || at[size] == '/');
}

static double named(const struct stat_table *table, const struct stat_row *row, const char *name)
{
	struct stat_row *const *at = rows_of_place(table, row);

	for (size_t i = 0; i < table->event_count; i++)
		if (at[i] && is_called(at[i]->event, name) && goes_with(row, at[i]))
			return at[i]->raw;
	return 0;
}

/* False: it is no such event. */
static bool add_topdown(const struct stat_table *table, struct stat_row *row)
{
	const struct topdown *found = NULL;
	double all = 0, rest;

	for (size_t i = 0; i < sizeof(topdowns) / sizeof(*topdowns); i++)
		if (is_called(row->event, topdowns[i].event))
			found = &topdowns[i];
	if (!found)
		return false;
	for (size_t i = 0; i < TOPDOWN_FIRST_LEVEL; i++)
		all += named(table, row, topdowns[i].event);
	add(row, found->unit, STAT_STYLE_TENTHS_PERCENT, all > 0 ? 100 * row->raw / all : 0,
	    all > 0);
	if (!found->rest || all <= 0)
		return true;
	rest = named(table, row, found->rest_of) - row->raw;
	add(row, found->rest, STAT_STYLE_TENTHS_PERCENT, rest > 0 ? 100 * rest / all : 0, true);
	return true;
}

/* Intel's transactional memory: shares of all cycles, or cycles in transactions for each. */
static const struct transaction {
	const char *event, *unit;
	enum stat_style style;
} transactions[] = {
	{ "cycles-t", "transactional cycles", STAT_STYLE_PERCENT },
	{ "cycles-ct", "aborted cycles", STAT_STYLE_PERCENT }, /* counts those that were not */
	{ "tx-start", "cycles / transaction", STAT_STYLE_RATIO },
	{ "el-start", "cycles / elision", STAT_STYLE_RATIO },
};

static const struct transaction *transaction_of(const struct stat_event *event)
{
	for (size_t i = 0; i < sizeof(transactions) / sizeof(*transactions); i++)
		if (is_called(event, transactions[i].event))
			return &transactions[i];
	return NULL;
}

/* False: it is no such event. */
static bool add_transaction(const struct stat_table *table, struct stat_row *row)
{
	const struct transaction *found = transaction_of(row->event);
	double cycles, all;

	if (!found)
		return false;
	cycles = named(table, row, "cycles-t");
	if (found->style == STAT_STYLE_RATIO) {
		add(row, found->unit, found->style, row->raw > 0 ? cycles / row->raw : 0,
		    row->raw > 0);
		return true;
	}
	all = beside(table, row, KIND_CYCLES);
	if (is_called(row->event, "cycles-ct"))
		cycles -= row->raw;
	add(row, found->unit, found->style, cycles > 0 && all > 0 ? cycles * (100 / all) : 0,
	    all > 0);
	return true;
}

size_t stat_metric_event(const struct stat_setup *setup, size_t index)
{
	const struct stat_formula *formula = &setup->formulas[index];

	return formula->event_count > 0 ? setup->events[formula->events[0]].first_alike : SIZE_MAX;
}

/* What each name of a formula is in a place; NAN where it was not counted. */
static double operand(const struct stat_table *table, const struct stat_setup *setup, size_t place,
		      size_t event)
{
	size_t at = place * table->event_count + setup->events[event].first_alike;
	const struct stat_row *row = table->by_place[at];

	/* What needs no counter stands in the first place, for all. */
	if (!row && setup->events[event].is_tool)
		row = table->by_place[setup->events[event].first_alike];
	return row && row->state == STAT_COUNTED ? row->raw : (double)NAN;
}

static void add_formula(struct stat_table *table, const struct stat_setup *setup, size_t index,
			size_t place)
{
	const struct stat_formula *formula = &setup->formulas[index];
	size_t event = stat_metric_event(setup, index);
	struct stat_row *row = event < table->event_count
				       ? table->by_place[place * table->event_count + event]
				       : NULL;
	bool is_percent = strcmp(formula->unit, "%") == 0, is_known;
	double values[FORMULA_EVENTS_MAX], value = 0;

	if (!row || formula->event_count > FORMULA_EVENTS_MAX)
		return;
	for (size_t i = 0; i < formula->event_count; i++)
		values[i] = operand(table, setup, place, formula->events[i]);
	is_known = metric_formula_value(formula->formula, values, &value);
	add(row, formula->name, is_percent ? STAT_STYLE_TENTHS_PERCENT : STAT_STYLE_HUNDREDTHS,
	    value, is_known);
}

void stat_metric_add(struct stat_table *table, const struct stat_setup *setup, double wall_ns)
{
	for (size_t i = 0; i < table->count; i++)
		if (!add_topdown(table, &table->items[i]) &&
		    !add_transaction(table, &table->items[i]))
			add_own(table, &table->items[i], wall_ns);
	for (size_t place = 0; place < table->place_count; place++)
		for (size_t i = 0; i < setup->formula_count; i++)
			add_formula(table, setup, i, place);
}
