#include "../test.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/sample.h"
#include "data/stats.h"
#include "strobe/err.h"

/* Real recordings that are no part of the project; see FIXTURES in meson.build. */
static const char *fixtures(void)
{
	const char *folder = getenv("FIXTURES");

	if (!folder || access(folder, R_OK) < 0) {
		print_message("# no fixtures at '%s'\n", folder ? folder : "");
		skip();
	}
	return folder;
}

static uint32_t type_of(const char *name)
{
	for (uint32_t type = 1; type < STATS_TYPES; type++) {
		if (record_type_name(type) && strcmp(record_type_name(type), name) == 0)
			return type;
	}
	return 0;
}

/* "      NAME events:   COUNT  (...)" */
static void compare_line(const char *line, const struct stats *stats, uint64_t *total)
{
	unsigned long long count;
	char name[64];

	if (sscanf(line, " %63s events: %llu", name, &count) != 2)
		return;
	if (strcmp(name, "TOTAL") == 0) {
		assert_int_equal(stats->total - stats->unknown_count, count);
		return;
	}
	*total += count;
	if (type_of(name) == 0 || stats->types[type_of(name)] != count)
		print_message("# %s: %llu, not %llu\n", name,
			      (unsigned long long)stats->types[type_of(name)], count);
	assert_int_not_equal(type_of(name), 0);
	assert_int_equal(stats->types[type_of(name)], count);
}

static void compare_stats(const char *folder, const char *name, const struct stats *stats)
{
	_cleanup_(fclosep) FILE *golden = NULL;
	char path[512], line[2048];
	uint64_t total = 0, samples = 0, sum = 0;
	unsigned long long count;

	(void)snprintf(path, sizeof(path), "%s/golden/%s.stats.txt", folder, name);
	golden = fopen(path, "re");
	assert_non_null(golden);
	while (fgets(line, sizeof(line), golden)) {
		if (strstr(line, " stats:") && !strstr(line, "Aggregated"))
			break;
		compare_line(line, stats, &total);
	}
	/* perf counts zeros and unknown types nowhere but in the total; so do we. */
	if (total)
		assert_int_equal(total, stats->total - stats->unknown_count);
	while (fgets(line, sizeof(line), golden)) {
		if (sscanf(line, " SAMPLE events: %llu", &count) == 1)
			samples += count;
	}
	for (size_t i = 0; i < events_count(stats->events); i++)
		sum += stats->by_event[i].sample_count;
	if (samples)
		assert_int_equal(samples, sum);
}

static void check_file(const char *folder, const char *name)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct datafile_cursor cursor;
	const struct event_desc *desc;
	struct strobe_err err = { 0 };
	struct record record;
	struct sample sample;
	struct stats stats;
	char path[512];
	int rc;

	(void)snprintf(path, sizeof(path), "%s/data/%s.data", folder, name);
	rc = datafile_open(path, &file, &err);
	if (rc < 0)
		print_message("# %s\n", err.text);
	assert_int_equal(rc, 0);
	assert_true(events_count(datafile_events(file)) > 0);
	stats_init(&stats, datafile_events(file));
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record)) {
		stats_add(&stats, &record);
		assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
	}
	/* A terminal's text stands at the end of that one. */
	if (strcmp(name, "sleep-zstd2-pipe") != 0) {
		assert_int_equal(datafile_damage(file)->skipped_count, 0);
		assert_int_equal(datafile_damage(file)->ignored_size, 0);
	} else {
		assert_int_equal(datafile_damage(file)->ignored_size, 143);
	}
	assert_int_equal(datafile_damage(file)->feature_count, 0);
	compare_stats(folder, name, &stats);
	stats_done(&stats);
}

static void every_recording_has_the_records_that_perf_counts(void **state)
{
	static const char SUFFIX[] = ".data";
	const char *folder = fixtures();
	_cleanup_(closedirp) DIR *dir = NULL;
	struct dirent *entry;
	char path[512];
	int count = 0;

	(void)snprintf(path, sizeof(path), "%s/data", folder);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, SUFFIX) != 0)
			continue;
		*dot = '\0';
		print_message("# %s\n", entry->d_name);
		check_file(folder, entry->d_name);
		count++;
	}
	assert_true(count > 10);
}

/* What comes of them does not matter; it must come, and nothing may lie outside the file. */
static void damaged_files_are_read_or_refused(void **state)
{
	const char *folder = fixtures();
	char path[512];

	for (int i = 1; i <= 7; i++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct datafile_cursor cursor;
		const struct event_desc *desc;
		struct strobe_err err = { 0 };
		struct record record;
		struct sample sample;

		(void)snprintf(path, sizeof(path), "%s/damaged/crasher-%d.data", folder, i);
		if (datafile_open(path, &file, &err) < 0) {
			assert_true(err.text[0]);
			continue;
		}
		cursor = datafile_begin(file);
		while (datafile_next(&cursor, &record))
			(void)events_decode(datafile_events(file), &record, &desc, &sample);
	}
}

static void print_branches(FILE *out, const struct sample *sample)
{
	for (size_t i = 0; i < sample->branch_count; i++) {
		const struct sample_branch *branch = &sample->branches[i];
		uint64_t flags = branch->flags;

		(void)fprintf(out,
			      "branch_stack {\nfrom_ip: %" PRIu64 "\nto_ip: %" PRIu64
			      "\nmispredicted: %s\npredicted: %s\nin_transaction: %s\nabort: %s\n"
			      "cycles: %" PRIu64 "\ntype: %" PRIu64 "\nspec: %" PRIu64 "\n}\n",
			      branch->from, branch->to, flags & 1 ? "true" : "false",
			      flags & 2 ? "true" : "false", flags & 4 ? "true" : "false",
			      flags & 8 ? "true" : "false", flags >> 4 & 0xffff, flags >> 20 & 15,
			      flags >> 24 & 3);
	}
}

/* As the other tool prints samples, but for the spaces before each line. */
static char *print_samples(const struct datafile *file)
{
	struct datafile_cursor cursor = datafile_begin(file);
	const struct event_desc *desc;
	struct record record;
	struct sample s;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	while (datafile_next(&cursor, &record)) {
		if (record.header->type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(events_decode(datafile_events(file), &record, &desc, &s), 0);
		(void)fprintf(out,
			      "ip: %" PRIu64 "\npid: %u\ntid: %u\nsample_time_ns: %" PRIu64 "\n",
			      s.ip, s.pid, s.tid, s.time);
		if (s.has & PERF_SAMPLE_ID)
			(void)fprintf(out, "id: %" PRIu64 "\n", s.id);
		(void)fprintf(out, "period: %" PRIu64 "\n", s.period);
		assert_int_equal(s.branch_hw_index, UINT64_MAX);
		print_branches(out, &s);
	}
	(void)fclose(out);
	return text;
}

/* The lines of all "sample_event { ... }" blocks. */
static char *extract_samples(const char *path)
{
	static const char BEGIN[] = "  sample_event {\n", END[] = "  }\n";
	_cleanup_(fclosep) FILE *in = fopen(path, "re");
	char *text = NULL, line[512];
	bool inside = false;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(in);
	assert_non_null(out);
	while (fgets(line, sizeof(line), in)) {
		if (strcmp(line, BEGIN) == 0)
			inside = true;
		else if (strcmp(line, END) == 0)
			inside = false;
		else if (inside && !strstr(line, "hw_idx")) /* none has one */
			(void)fputs(line + strspn(line, " "), out);
	}
	(void)fclose(out);
	return text;
}

static void expect_same(const char *name, const char *ours, const char *theirs)
{
	size_t i = 0;

	while (ours[i] && ours[i] == theirs[i])
		i++;
	if (ours[i] != theirs[i])
		fail_msg("%s: '%.60s', not '%.60s'", name, ours + i, theirs + i);
}

static void samples_have_the_fields_that_another_reader_found(void **state)
{
	static const char *const NAMES[] = { "branch-stack", "groups", "hybrid", "lost-samples",
					     "switch-namespaces" };
	const char *folder = fixtures();
	char path[512];

	for (size_t i = 0; i < sizeof(NAMES) / sizeof(*NAMES); i++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		_cleanup_(freep) char *ours = NULL, *theirs = NULL;

		(void)snprintf(path, sizeof(path), "%s/data/%s.data", folder, NAMES[i]);
		assert_int_equal(datafile_open(path, &file, NULL), 0);
		(void)snprintf(path, sizeof(path), "%s/decoded/%s.pb_text", folder, NAMES[i]);
		ours = print_samples(file);
		theirs = extract_samples(path);
		assert_true(theirs[0]);
		expect_same(NAMES[i], ours, theirs);
	}
}

static void periods_add_up_to_what_is_known(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct datafile_cursor cursor;
	const struct event_desc *desc;
	const char *folder = fixtures();
	struct record record;
	struct sample sample;
	char path[512];
	uint64_t sum = 0;

	(void)snprintf(path, sizeof(path), "%s/data/fib-aarch64.data", folder);
	assert_int_equal(datafile_open(path, &file, NULL), 0);
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record)) {
		if (record.header->type == PERF_RECORD_SAMPLE &&
		    events_decode(datafile_events(file), &record, &desc, &sample) == 0)
			sum += sample.period;
	}
	assert_int_equal(sum, 240949386);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_recording_has_the_records_that_perf_counts),
		cmocka_unit_test(samples_have_the_fields_that_another_reader_found),
		cmocka_unit_test(periods_add_up_to_what_is_known),
		cmocka_unit_test(damaged_files_are_read_or_refused),
	};

	return cmocka_run_group_tests_name("fixtures", tests, NULL, NULL);
}
