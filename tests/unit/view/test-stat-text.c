#include "../test.h"

#include "analyze/cpu-places.h"
#include "analyze/stat.h"
#include "base/mem.h"
#include "base/moments.h"
#include "base/str.h"
#include "data/countset.h"
#include "view/stat-csv.h"
#include "view/stat-text.h"

#define HARDWARE(id)                                                                               \
	{                                                                                          \
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##id                           \
	}
#define SOFTWARE(id)                                                                               \
	{                                                                                          \
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##id                           \
	}

/* One place, and a run for each row of counts. */
static struct stat *make(const struct stat_event *events, size_t count, const struct count *counts,
			 size_t runs)
{
	static const int any[] = { -1 };
	static const struct stat_thread all[] = { { -1, "" } };
	static const struct cpu_places nowhere = { 0 };
	struct stat_setup setup = { .events = events,
				    .event_count = count,
				    .cpus = any,
				    .cpu_count = 1,
				    .threads = all,
				    .thread_count = 1,
				    .places = &nowhere };
	struct stat *stat = stat_new(&setup);
	_cleanup_(countset_done) struct countset set = { 0 };

	countset_init(&set, count, 1, 1);
	for (size_t run = 0; run < runs; run++) {
		memcpy(set.items, counts + run * count, count * sizeof(*counts));
		stat_add(stat, &set, 2000000 + run * 1000000);
	}
	return stat;
}

static void check_rows(const struct stat_event *events, size_t count, const struct count *counts,
		       size_t runs, const char *thousands, const char *expected)
{
	const struct stat_text text = { .run_count = (unsigned)runs, .thousands = thousands };
	_cleanup_(str_done) struct str out = { 0 };
	struct stat *stat = make(events, count, counts, runs);

	stat_text_rows(&out, &text, stat_rows(stat));
	assert_string_equal(str_text(&out), expected);
	stat_free(stat);
}

static void metrics_stand_behind_the_counts(void **state)
{
	const struct stat_event events[] = {
		{ .name = "task-clock",
		  .attr = SOFTWARE(TASK_CLOCK),
		  .unit = "msec",
		  .scale = 1e-6 },
		{ .name = "cycles", .attr = HARDWARE(CPU_CYCLES), .first_alike = 1 },
		{ .name = "stalled-cycles-frontend",
		  .attr = HARDWARE(STALLED_CYCLES_FRONTEND),
		  .first_alike = 2 },
		{ .name = "instructions", .attr = HARDWARE(INSTRUCTIONS), .first_alike = 3 },
		{ .name = "branches", .attr = HARDWARE(BRANCH_INSTRUCTIONS), .first_alike = 4 },
		{ .name = "branch-misses", .attr = HARDWARE(BRANCH_MISSES), .first_alike = 5 },
		{ .name = "cache-references",
		  .attr = HARDWARE(CACHE_REFERENCES),
		  .first_alike = 6 },
		{ .name = "cache-misses", .attr = HARDWARE(CACHE_MISSES), .first_alike = 7 },
	};
	const struct count counts[] = {
		{ 1000000, 9, 9, true }, { 3000000, 9, 9, true }, { 1500000, 9, 9, true },
		{ 6000000, 9, 9, true }, { 250000, 8, 4, true },  { 1000, 9, 9, true },
		{ 40000, 9, 9, true },   { 10000, 9, 9, true },
	};

	check_rows(
		events, 8, counts, 1, ",",
		"              1.00 msec task-clock                       #    0.500 CPUs utilized "
		"         \n"
		"         3,000,000      cycles                           #    3.000 GHz           "
		"         \n"
		"         1,500,000      stalled-cycles-frontend          #   50.00% frontend "
		"cycles idle   \n"
		"         6,000,000      instructions                     #    2.00  insn per cycle"
		"         \n"
		"                                                  #    0.25  stalled cycles per "
		"insn\n"
		"           500,000      branches                         #  500.000 M/sec         "
		"           (50.00%)\n"
		"             1,000      branch-misses                    #    0.20% of all "
		"branches        \n"
		"            40,000      cache-references                 #   40.000 M/sec         "
		"         \n"
		"            10,000      cache-misses                     #   25.000 % of all cache"
		" refs    \n");
}

static void units_widen_their_column(void **state)
{
	const struct stat_event events[] = {
		{ .name = "power/energy-pkg/", .attr.type = 9, .unit = "Joules", .scale = 0.5 },
		{ .name = "cs", .attr = SOFTWARE(CONTEXT_SWITCHES), .first_alike = 1 },
	};
	const struct count counts[] = { { 7, 9, 9, true }, { 0, 0, 0, true } };

	check_rows(
		events, 2, counts, 1, "",
		"              3.50 Joules power/energy-pkg/                                       "
		"           \n"
		"     <not counted>        cs                                                      "
		"    \n");
}

static void runs_say_how_far_the_mean_may_be_off(void **state)
{
	const struct stat_event events[] = { { .name = "faults", .attr = SOFTWARE(PAGE_FAULTS) } };
	const struct count counts[] = { { 9, 9, 9, true }, { 11, 9, 9, true } };
	const struct stat_text text = { .run_count = 2, .thousands = "" };
	_cleanup_(str_done) struct str out = { 0 };
	struct stat *stat = make(events, 1, counts, 2);

	check_rows(
		events, 1, counts, 2, "",
		"                10      faults                                                    "
		"           ( +- 10.00% )\n");
	stat_text_end(&out, &text, stat_rows(stat), stat_wall(stat));
	assert_string_equal(str_text(&out), "\n          0.002500 +- 0.000500 seconds time elapsed"
					    "  ( +- 20.00% )\n\n");
	stat_free(stat);
}

/* Each line has its fields at the same place, that of a second metric too. */
static void csv_has_as_many_fields_in_each_line(void **state)
{
	const struct stat_event events[] = {
		{ .name = "cycles", .attr = HARDWARE(CPU_CYCLES), .first_alike = 0 },
		{ .name = "stalled-cycles-backend",
		  .attr = HARDWARE(STALLED_CYCLES_BACKEND),
		  .first_alike = 1 },
		{ .name = "instructions", .attr = HARDWARE(INSTRUCTIONS), .first_alike = 2 },
	};
	const struct count counts[] = { { 4, 9, 9, true }, { 2, 9, 9, true }, { 8, 9, 3, true } };
	const struct stat_lines lines = { .separator = ";", .run_count = 1 };
	_cleanup_(str_done) struct str out = { 0 };
	struct stat *stat = make(events, 3, counts, 1);

	stat_csv_rows(&out, &lines, stat_rows(stat));
	assert_string_equal(str_text(&out), "4;;cycles;9;100.00;;\n"
					    "2;;stalled-cycles-backend;9;100.00;50.00;backend "
					    "cycles idle\n"
					    "24;;instructions;3;33.33;6.00;insn per cycle\n"
					    ";;;;;0.08;stalled cycles per insn\n");
	stat_free(stat);
}

static void what_is_not_known_is_null_in_json(void **state)
{
	const struct stat_event events[] = { { .name = "cycles", .attr = HARDWARE(CPU_CYCLES) } };
	const struct count counts[] = { { 4, 9, 9, true } };
	const struct stat_lines lines = { .run_count = 1,
					  .is_interval = true,
					  .time_ns = 1500000000 };
	_cleanup_(str_done) struct str out = { 0 };
	struct stat *stat = make(events, 1, counts, 1);

	stat_lines_json(&out, &lines, stat_rows(stat));
	assert_string_equal(str_text(&out),
			    "{\"interval\" : 1.500000000, \"counter-value\" : \"4.000000\", "
			    "\"unit\" : \"\", \"event\" : \"cycles\", \"event-runtime\" : 9, "
			    "\"pcnt-running\" : 100.00, \"metric-value\" : null, "
			    "\"metric-unit\" : null}\n");
	stat_free(stat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_stand_behind_the_counts),
		cmocka_unit_test(units_widen_their_column),
		cmocka_unit_test(runs_say_how_far_the_mean_may_be_off),
		cmocka_unit_test(csv_has_as_many_fields_in_each_line),
		cmocka_unit_test(what_is_not_known_is_null_in_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
