#include "../test.h"

#include "analyze/cpu-places.h"
#include "analyze/stat.h"
#include "base/machine.h"
#include "base/mem.h"
#include "data/countset.h"
#include "format/metric-formula.h"

enum { CYCLES, INSTRUCTIONS, CLOCK, FAULTS, EVENTS };

#define HARDWARE(id)                                                                               \
	{                                                                                          \
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##id                           \
	}
#define SOFTWARE(id)                                                                               \
	{                                                                                          \
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##id                           \
	}

static const struct stat_event events[EVENTS] = {
	[CYCLES] = { .name = "cycles", .attr = HARDWARE(CPU_CYCLES), .first_alike = CYCLES },
	[INSTRUCTIONS] = { .name = "instructions",
			   .attr = HARDWARE(INSTRUCTIONS),
			   .first_alike = INSTRUCTIONS },
	[CLOCK] = { .name = "task-clock",
		    .attr = SOFTWARE(TASK_CLOCK),
		    .unit = "msec",
		    .scale = 1e-6,
		    .first_alike = CLOCK },
	[FAULTS] = { .name = "page-faults", .attr = SOFTWARE(PAGE_FAULTS), .first_alike = FAULTS },
};

/* Four CPUs, two cores of two threads each, on two sockets. */
static const int cpus[] = { 0, 1, 2, 3 };
static struct machine_cpu machine_cpus[] = {
	{ .core = 0, .die = 0, .socket = 0 },
	{ .core = 0, .die = 0, .socket = 0 },
	{ .core = 0, .die = 0, .socket = 1 },
	{ .core = 0, .die = 0, .socket = 1 },
};
static struct machine_node nodes[] = { { .id = 3, .cpus = "0,2" }, { .id = 5, .cpus = "1,3" } };
static struct machine_cache caches[] = {
	{ .level = 1, .type = "Data", .cpus = "0-1" },
	{ .level = 1, .type = "Data", .cpus = "2-3" },
	{ .level = 1, .type = "Instruction", .cpus = "0-3" },
	{ .level = 2, .type = "Unified", .cpus = "0-3" },
};

static const struct stat_thread threads[] = { { -1, "" } };

struct bench {
	struct cpu_places places;
	struct countset counts;
	struct stat *stat;
	const struct stat_formula *formulas; /* one, or NULL */
};

static void bench_done(struct bench *bench)
{
	stat_free(bench->stat);
	countset_done(&bench->counts);
	cpu_places_done(&bench->places);
}

static void bench_init(struct bench *bench, enum stat_by by, const struct stat_event *what,
		       size_t count)
{
	const struct machine_topology topology = { .cpus = machine_cpus, .cpu_count = 4 };
	const struct machine_numa numa = { nodes, 2 };
	const struct machine_caches all_caches = { caches, 4 };
	struct stat_setup setup = { .events = what,
				    .event_count = count,
				    .cpus = cpus,
				    .cpu_count = 4,
				    .threads = threads,
				    .thread_count = 1,
				    .places = &bench->places,
				    .by = by,
				    .formulas = bench->formulas,
				    .formula_count = bench->formulas != NULL };

	cpu_places_init(&bench->places, &topology, &numa, &all_caches, CPU_PLACES_LAST_LEVEL, NULL);
	countset_init(&bench->counts, count, 4, 1);
	bench->stat = stat_new(&setup);
}

static void count(struct bench *bench, size_t event, size_t cpu, uint64_t value, uint64_t enabled,
		  uint64_t running)
{
	*countset_at(&bench->counts, event, cpu, 0) =
		(struct count){ value, enabled, running, true };
}

static void count_everywhere(struct bench *bench, size_t event, uint64_t value)
{
	for (size_t cpu = 0; cpu < 4; cpu++)
		count(bench, event, cpu, value, 1000, 1000);
}

static bool is_near(double a, double b)
{
	double distance = a > b ? a - b : b - a;

	return distance <= 1e-9 * (b < 0 ? -b : b) + 1e-12;
}

static void counts_of_all_cpus_are_added_up(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_ALL, events, EVENTS);
	count_everywhere(&bench, FAULTS, 10);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_int_equal(table->count, EVENTS);
	assert_int_equal(table->items[CYCLES].state, STAT_NOT_COUNTED);
	assert_int_equal(table->items[FAULTS].state, STAT_COUNTED);
	assert_true(table->items[FAULTS].value == 40);
	assert_true(table->items[FAULTS].enabled_ns == 4000);
}

/* Two sockets, of two CPUs each. */
static void sockets_nodes_and_caches_have_rows(void **state)
{
	static const struct {
		enum stat_by by;
		size_t rows;
		double first;
	} cases[] = {
		{ STAT_BY_CPU, 4, 1 },  { STAT_BY_SOCKET, 2, 3 }, { STAT_BY_DIE, 2, 3 },
		{ STAT_BY_CORE, 2, 3 }, { STAT_BY_NODE, 2, 5 },   { STAT_BY_CACHE, 2, 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		_cleanup_(bench_done) struct bench bench = { 0 };
		const struct stat_table *table;

		bench_init(&bench, cases[i].by,
			   &(const struct stat_event){ .name = "page-faults",
						       .attr = SOFTWARE(PAGE_FAULTS) },
			   1);
		for (size_t cpu = 0; cpu < 4; cpu++)
			count(&bench, 0, cpu, 1u << cpu, 1000, 1000);
		stat_add(bench.stat, &bench.counts, 1000);
		table = stat_rows(bench.stat);
		assert_int_equal(table->count, cases[i].rows);
		assert_true(table->items[0].value == cases[i].first);
		assert_int_equal(table->items[0].place->cpu_count, 4 / cases[i].rows);
	}
}

/* With the last level all share one; on sockets of their own, they do not. */
static void places_of_caches_and_nodes_are_found(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	struct cpu_place place;

	bench_init(&bench, STAT_BY_ALL, events, EVENTS);
	place = cpu_places_of(&bench.places, 3);
	assert_int_equal(place.socket, 1);
	assert_int_equal(place.node, 5);
	assert_int_equal(place.cache_level, 2);
	assert_int_equal(place.cache, 0);
	assert_int_equal(cpu_places_of(&bench.places, 9).socket, -1);
	assert_int_equal(cpu_places_of(&bench.places, -1).core, -1);
}

static void a_count_is_scaled_to_the_time_that_it_was_wanted(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_ALL, events, EVENTS);
	count(&bench, CYCLES, 0, 100, 1000, 250);
	count(&bench, CYCLES, 1, 50, 1000, 1000);
	count(&bench, INSTRUCTIONS, 0, 7, 1000, 0);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_true(table->items[CYCLES].value == 450);
	assert_true(table->items[CYCLES].running_ns == 1250);
	assert_int_equal(table->items[INSTRUCTIONS].state, STAT_NOT_COUNTED);
}

static void metrics_are_those_of_the_same_place(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_table *table;
	const struct stat_row *row;

	bench_init(&bench, STAT_BY_CPU, events, EVENTS);
	count_everywhere(&bench, INSTRUCTIONS, 300);
	for (size_t cpu = 0; cpu < 4; cpu++) {
		count(&bench, CYCLES, cpu, 100 * (cpu + 1), 1000, 1000);
		count(&bench, CLOCK, cpu, 1000000, 1000000, 1000000);
		count(&bench, FAULTS, cpu, 5, 1000, 1000);
	}
	stat_add(bench.stat, &bench.counts, 2000000);
	table = stat_rows(bench.stat);
	row = table->by_place[2 * EVENTS + INSTRUCTIONS];
	assert_string_equal(row->metrics[0].unit, "insn per cycle");
	assert_true(is_near(row->metrics[0].value, 1));
	row = table->by_place[1 * EVENTS + CYCLES];
	assert_string_equal(row->metrics[0].unit, "GHz");
	assert_true(is_near(row->metrics[0].value, 200 / 1e6));
	row = table->by_place[0 * EVENTS + CLOCK];
	assert_string_equal(row->metrics[0].unit, "CPUs utilized");
	assert_true(is_near(row->metrics[0].value, 0.5));
	assert_true(is_near(row->value, 1)); /* ms */
	row = table->by_place[3 * EVENTS + FAULTS];
	assert_string_equal(row->metrics[0].unit, "K/sec");
	assert_true(is_near(row->metrics[0].value, 5));
}

/* What else is counted in user space only is nothing to set it beside. */
static void user_and_kernel_are_not_mixed(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	struct stat_event own[] = { events[CYCLES], events[INSTRUCTIONS] };
	const struct stat_table *table;

	own[0].attr.exclude_kernel = 1;
	bench_init(&bench, STAT_BY_ALL, own, 2);
	count_everywhere(&bench, 0, 100);
	count_everywhere(&bench, 1, 100);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_int_equal(table->items[1].metric_count, 1);
	assert_false(table->items[1].metrics[0].is_known);
}

static void runs_have_a_mean_and_its_error(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_ALL, events, EVENTS);
	for (uint64_t run = 0; run < 3; run++) {
		count(&bench, FAULTS, 0, 10 + run, 1000, 1000);
		stat_add(bench.stat, &bench.counts, 1000 * (run + 1));
	}
	table = stat_rows(bench.stat);
	assert_true(is_near(table->items[FAULTS].value, 11));
	assert_true(is_near(table->items[FAULTS].error_percent, 100 / 11.0 / 1.7320508075688772));
	assert_true(is_near(stat_wall(bench.stat)->mean, 2000));
	stat_clear(bench.stat);
	count(&bench, FAULTS, 0, 1, 1000, 1000);
	stat_add(bench.stat, &bench.counts, 10);
	assert_true(stat_rows(bench.stat)->items[FAULTS].value == 1);
}

static void what_was_refused_has_rows_everywhere(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_event refused = { .name = "cycles",
					    .attr = HARDWARE(CPU_CYCLES),
					    .refused = -2 };
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_CPU, &refused, 1);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_int_equal(table->count, 4);
	assert_int_equal(table->items[3].state, STAT_NOT_SUPPORTED);
}

static void events_of_one_name_are_one_row(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_event uncore[] = {
		{ .name = "reads",
		  .first_alike = 0,
		  .per_package = true,
		  .unit = "MiB",
		  .scale = 2 },
		{ .name = "reads",
		  .first_alike = 0,
		  .per_package = true,
		  .unit = "MiB",
		  .scale = 2 },
	};
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_ALL, uncore, 2);
	count_everywhere(&bench, 0, 10);
	count_everywhere(&bench, 1, 1);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_int_equal(table->count, 1);
	/* Once for each of two sockets, times 2. */
	assert_true(table->items[0].value == 44);
}

static void the_busiest_threads_come_first(void **state)
{
	static const struct stat_thread three[] = { { 1, "a" }, { 2, "b" }, { 3, "c" } };
	const struct stat_event event = { .name = "cs", .attr = SOFTWARE(CONTEXT_SWITCHES) };
	const struct cpu_places places = { 0 };
	const int any[] = { -1 };
	struct stat_setup setup = { .events = &event,
				    .event_count = 1,
				    .cpus = any,
				    .cpu_count = 1,
				    .threads = three,
				    .thread_count = 3,
				    .places = &places,
				    .by = STAT_BY_THREAD,
				    .no_zero = true };
	_cleanup_(countset_done) struct countset counts = { 0 };
	struct stat *stat = stat_new(&setup);
	const struct stat_table *table;

	countset_init(&counts, 1, 1, 3);
	for (size_t thread = 0; thread < 3; thread++)
		*countset_at(&counts, 0, 0, thread) = (struct count){ thread * 3, 10, 10, true };
	stat_add(stat, &counts, 10);
	table = stat_rows(stat);
	assert_int_equal(table->count, 2); /* one did nothing */
	assert_string_equal(table->items[0].place->thread->comm, "c");
	assert_true(table->items[0].value == 6);
	stat_free(stat);
}

/* Formulas are shown with the first of their events; what was not counted makes them unknown. */
static void formulas_are_evaluated_in_each_place(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	_cleanup_(metric_formula_freep) struct metric_formula *formula = NULL;
	static const size_t operands[] = { INSTRUCTIONS, CYCLES };
	struct stat_formula shown = {
		.name = "ipc", .unit = "%", .events = operands, .event_count = 2
	};
	const struct stat_row *row;

	assert_int_equal(metric_formula_parse("100 * instructions / cycles", &formula, NULL), 0);
	shown.formula = formula;
	bench.formulas = &shown;
	bench_init(&bench, STAT_BY_SOCKET, events, EVENTS);
	count(&bench, INSTRUCTIONS, 0, 50, 10, 10);
	count(&bench, CYCLES, 1, 200, 10, 10);
	count(&bench, INSTRUCTIONS, 2, 50, 10, 10);
	stat_add(bench.stat, &bench.counts, 1000);
	row = stat_rows(bench.stat)->by_place[INSTRUCTIONS];
	assert_int_equal(row->metric_count, 2);
	assert_string_equal(row->metrics[1].unit, "ipc");
	assert_true(is_near(row->metrics[1].value, 25));
	assert_int_equal(row->metrics[1].style, STAT_STYLE_TENTHS_PERCENT);
	row = stat_rows(bench.stat)->by_place[EVENTS + INSTRUCTIONS];
	assert_false(row->metrics[1].is_known);
}

static void slots_of_the_pipeline_are_shares(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_event topdown[] = {
		{ .name = "topdown-retiring", .attr.type = 4, .first_alike = 0 },
		{ .name = "topdown-bad-spec", .attr.type = 4, .first_alike = 1 },
		{ .name = "topdown-fe-bound", .attr.type = 4, .first_alike = 2 },
		{ .name = "topdown-be-bound", .attr.type = 4, .first_alike = 3 },
		{ .name = "topdown-heavy-ops", .attr.type = 4, .first_alike = 4 },
	};
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_ALL, topdown, 5);
	for (size_t event = 0; event < 5; event++)
		count(&bench, event, 0, event < 4 ? 25 * (event + 1) : 5, 10, 10);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_true(is_near(table->items[0].metrics[0].value, 10));
	assert_true(is_near(table->items[3].metrics[0].value, 40));
	assert_string_equal(table->items[4].metrics[1].unit, "Light Operations");
	assert_true(is_near(table->items[4].metrics[1].value, 8));
}

static void transactions_are_set_beside_cycles(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	/* in_tx is bit 32. */
	const struct stat_event tsx[] = {
		{ .name = "cycles", .attr = HARDWARE(CPU_CYCLES), .first_alike = 0 },
		{ .name = "cpu/cycles-t/",
		  .attr = { .type = 4, .config = 0x10000003c },
		  .first_alike = 1 },
		{ .name = "cpu/tx-start/",
		  .attr = { .type = 4, .config = 0x1c9 },
		  .first_alike = 2 },
		{ .name = "cpu/el-start/",
		  .attr = { .type = 4, .config = 0x1c8 },
		  .first_alike = 3 },
		{ .name = "cpu/cycles-ct/",
		  .attr = { .type = 4, .config = 0x30000003c },
		  .first_alike = 4 },
	};
	const uint64_t values[] = { 1000, 400, 8, 0, 300 };
	const struct stat_row *rows;

	bench_init(&bench, STAT_BY_ALL, tsx, 5);
	for (size_t event = 0; event < 5; event++)
		count(&bench, event, 0, values[event], 10, 10);
	stat_add(bench.stat, &bench.counts, 1000);
	rows = stat_rows(bench.stat)->items;
	assert_string_equal(rows[1].metrics[0].unit, "transactional cycles");
	assert_true(is_near(rows[1].metrics[0].value, 40));
	assert_true(is_near(rows[2].metrics[0].value, 50));
	assert_false(rows[3].metrics[0].is_known);
	assert_string_equal(rows[4].metrics[0].unit, "aborted cycles");
	assert_true(is_near(rows[4].metrics[0].value, 10));
}

static void cpus_show_the_sum_of_their_core(void **state)
{
	_cleanup_(bench_done) struct bench bench = { 0 };
	const struct stat_event event = { .name = "cycles",
					  .attr = HARDWARE(CPU_CYCLES),
					  .percore = true };
	const struct stat_table *table;

	bench_init(&bench, STAT_BY_CPU, &event, 1);
	for (size_t cpu = 0; cpu < 4; cpu++)
		count(&bench, 0, cpu, 1u << cpu, 10, 10);
	stat_add(bench.stat, &bench.counts, 1000);
	table = stat_rows(bench.stat);
	assert_true(table->items[0].value == 3 && table->items[1].value == 3);
	assert_true(table->items[2].value == 12 && table->items[3].value == 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_all_cpus_are_added_up),
		cmocka_unit_test(sockets_nodes_and_caches_have_rows),
		cmocka_unit_test(places_of_caches_and_nodes_are_found),
		cmocka_unit_test(a_count_is_scaled_to_the_time_that_it_was_wanted),
		cmocka_unit_test(metrics_are_those_of_the_same_place),
		cmocka_unit_test(user_and_kernel_are_not_mixed),
		cmocka_unit_test(runs_have_a_mean_and_its_error),
		cmocka_unit_test(what_was_refused_has_rows_everywhere),
		cmocka_unit_test(events_of_one_name_are_one_row),
		cmocka_unit_test(the_busiest_threads_come_first),
		cmocka_unit_test(formulas_are_evaluated_in_each_place),
		cmocka_unit_test(slots_of_the_pipeline_are_shares),
		cmocka_unit_test(transactions_are_set_beside_cycles),
		cmocka_unit_test(cpus_show_the_sum_of_their_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
