#include "../test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "data/body.h"
#include "data/datafile.h"
#include "data/eventdesc.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/sample.h"
#include "data/writer.h"
#include "strobe/err.h"

enum {
	SAMPLE_TYPE = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		      PERF_SAMPLE_PERIOD
};

struct place {
	char folder[64], path[128], old_path[160];
};

static int make_place(void **state)
{
	struct place *place = xnew(struct place);

	(void)snprintf(place->folder, sizeof(place->folder), "/tmp/strobe-writer.XXXXXX");
	if (!mkdtemp(place->folder))
		return -1;
	(void)snprintf(place->path, sizeof(place->path), "%s/perf.data", place->folder);
	(void)snprintf(place->old_path, sizeof(place->old_path), "%s.old", place->path);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;

	(void)unlink(place->path);
	(void)unlink(place->old_path);
	(void)rmdir(place->folder);
	free(place);
	return 0;
}

struct sample_record {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time, period;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[8];
	uint32_t trailer_pid, trailer_tid;
	uint64_t time, id;
};

static const uint64_t FIRST_IDS[] = { 11, 12 }, SECOND_IDS[] = { 21 };

static void make_events(struct writer_event events[2])
{
	memset(events, 0, 2 * sizeof(*events));
	for (size_t i = 0; i < 2; i++) {
		events[i].attr = (struct attr){ .type = PERF_TYPE_SOFTWARE,
						.size = ATTR_SIZE_FULL,
						.config = i ? PERF_COUNT_SW_TASK_CLOCK
							    : PERF_COUNT_SW_CPU_CLOCK,
						.sample_period = 1000,
						.sample_type = SAMPLE_TYPE,
						.read_format = PERF_FORMAT_ID,
						.sample_id_all = 1 };
	}
	events[0].name = "cpu-clock";
	events[0].ids = FIRST_IDS;
	events[0].id_count = 2;
	events[1].name = "task-clock";
	events[1].ids = SECOND_IDS;
	events[1].id_count = 1;
}

static void write_samples(struct writer *writer, size_t count)
{
	struct comm_record comm = { .header = { PERF_RECORD_COMM, 0, sizeof(comm) },
				    .pid = 7,
				    .tid = 7,
				    .comm = "victim",
				    .trailer_pid = 7,
				    .trailer_tid = 7,
				    .time = 1,
				    .id = 11 };
	struct perf_event_header round = { RECORD_FINISHED_ROUND, 0, sizeof(round) };
	struct iovec spans[2] = { { &comm, sizeof(comm) } };
	struct strobe_err err;

	assert_int_equal(writer_records(writer, spans, 1, &err), 0);
	for (size_t i = 0; i < count; i++) {
		struct sample_record sample = { .header = { PERF_RECORD_SAMPLE,
							    PERF_RECORD_MISC_USER, sizeof(sample) },
						.id = i % 3 ? 12 : 21,
						.ip = 0x400000 + i,
						.pid = 7,
						.tid = 7,
						.time = 1000 + i,
						.period = 1000 };

		/* As a ring hands it out that ends within the record. */
		spans[0] = (struct iovec){ &sample, 24 };
		spans[1] = (struct iovec){ (char *)&sample + 24, sizeof(sample) - 24 };
		assert_int_equal(writer_records(writer, spans, 2, &err), 0);
	}
	spans[0] = (struct iovec){ &round, sizeof(round) };
	assert_int_equal(writer_records(writer, spans, 1, &err), 0);
}

static void write_features(struct writer *writer)
{
	struct writer_event events[2];
	struct eventdesc descs[2];
	struct eventdesc_list list = { descs, 2 };
	struct body_out body = { 0 };
	struct strobe_err err;

	make_events(events);
	for (size_t i = 0; i < 2; i++)
		descs[i] = (struct eventdesc){ events[i].attr, events[i].name, events[i].ids,
					       events[i].id_count };
	eventdesc_encode(&list, &body);
	assert_int_equal(writer_feature(writer, FEATURE_EVENT_DESC, body.bytes, body.size, &err),
			 0);
	body_done(&body);
	feature_string_encode("box", &body);
	assert_int_equal(writer_feature(writer, FEATURE_HOSTNAME, body.bytes, body.size, &err), 0);
	body_done(&body);
}

static struct writer *begin(const char *path)
{
	struct writer_event events[2];
	struct writer *writer;
	struct strobe_err err = { 0 };

	make_events(events);
	if (writer_open(path, &writer, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(writer_events(writer, events, 2, &err), 0);
	return writer;
}

static void write_all(const char *path, size_t count)
{
	struct writer *writer = begin(path);
	struct strobe_err err;

	write_samples(writer, count);
	write_features(writer);
	assert_true(writer_size(writer) >=
		    sizeof(struct comm_record) + count * sizeof(struct sample_record) + 8);
	assert_int_equal(writer_finish(writer, &err), 0);
}

static size_t count_samples(const char *path)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct strobe_err err = { 0 };
	struct datafile_cursor cursor;
	const struct event_desc *desc;
	struct record record;
	struct sample sample;
	size_t count = 0;

	if (datafile_open(path, &file, &err) < 0)
		fail_msg("%s", err.text);
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record)) {
		if (record.header->type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(events_decode(datafile_events(file), &record, &desc, &sample), 0);
		assert_int_equal(desc->index, count % 3 == 0);
		assert_int_equal(sample.ip, 0x400000 + count);
		assert_int_equal(sample.time, 1000 + count);
		count++;
	}
	assert_int_equal(datafile_damage(file)->skipped_count, 0);
	assert_int_equal(datafile_damage(file)->ignored_size, 0);
	return count;
}

/* Lines of what perf prints; negative if there is no such perf. */
static int count_lines(const char *perf, const char *arguments, const char *path, const char *word)
{
	char command[512], line[512];
	int count = 0;
	FILE *output;

	(void)snprintf(command, sizeof(command), "command -v %s >/dev/null", perf);
	if (system(command) != 0)
		return -1;
	(void)snprintf(command, sizeof(command), "%s %s -f -i %s 2>&1", perf, arguments, path);
	output = popen(command, "re");
	assert_non_null(output);
	while (fgets(line, sizeof(line), output))
		count += strstr(line, word) != NULL;
	(void)pclose(output);
	return count;
}

static void check_with_perf(const char *path, int count)
{
	static const char *const PERFS[] = { "perf", "perf-newest" };

	for (size_t i = 0; i < 2; i++) {
		int lines = count_lines(PERFS[i], "script -F comm,event,ip,period", path, "victim");

		if (lines < 0) {
			print_message("# no %s here\n", PERFS[i]);
			continue;
		}
		assert_int_equal(lines, count);
		assert_int_equal(count_lines(PERFS[i], "script -F event", path, "task-clock"),
				 (count + 2) / 3);
		assert_int_equal(count_lines(PERFS[i], "report --stats", path, "task-clock"), 1);
	}
}

static void a_file_is_read_back_and_by_perf(void **state)
{
	struct place *place = *state;
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct strobe_err err;
	size_t size;

	write_all(place->path, 1000);
	assert_int_equal(count_samples(place->path), 1000);
	assert_int_equal(datafile_open(place->path, &file, &err), 0);
	assert_string_equal(events_at(datafile_events(file), 1)->name, "task-clock");
	assert_int_equal(events_at(datafile_events(file), 0)->id_count, 2);
	assert_int_equal(datafile_header(file)->attr_size, ATTR_SIZE_MIN + 16);
	assert_int_equal(events_at(datafile_events(file), 0)->attr.size, ATTR_SIZE_MIN);
	assert_non_null(datafile_feature(file, FEATURE_HOSTNAME, &size));
	check_with_perf(place->path, 1000);
}

static void a_pipe_is_read_back_and_by_perf(void **state)
{
	struct place *place = *state;
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct strobe_err err;
	char input[160];
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		if (!freopen(place->path, "we", stdout))
			_exit(1);
		write_all("-", 1000);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_samples(place->path), 1000);
	assert_int_equal(datafile_open(place->path, &file, &err), 0);
	assert_true(datafile_header(file)->pipe);
	assert_int_equal(events_count(datafile_events(file)), 2);
	assert_string_equal(events_at(datafile_events(file), 1)->name, "task-clock");
	check_with_perf(place->path, 1000);
	(void)snprintf(input, sizeof(input), "- <%s", place->path);
	check_with_perf(input, 1000);
}

static void what_a_killed_recorder_left_is_read_up_to_the_last_checkpoint(void **state)
{
	struct place *place = *state;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct writer *writer = begin(place->path);
		struct strobe_err err;

		write_samples(writer, 30000);
		if (writer_checkpoint(writer, &err) < 0)
			_exit(1);
		write_samples(writer, 30000);
		_exit(0); /* no finish */
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_samples(place->path), 30000);
	check_with_perf(place->path, 30000);
}

static struct writer *begin_with_features(const char *path)
{
	struct writer *writer = begin(path);
	struct strobe_err err;

	write_features(writer);
	assert_int_equal(writer_feature(writer, FEATURE_STROBE_STACKS, "early", 5, &err), 0);
	assert_int_equal(writer_features_in_front(writer, &err), 0);
	return writer;
}

/* Writes a round and no end, and stops there: behind it, or in the middle of the next. */
static void leave_unfinished(const char *path, bool in_a_round)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct writer *writer = begin_with_features(path);
		struct strobe_err err;

		write_samples(writer, 30000);
		if (writer_checkpoint(writer, &err) < 0)
			_exit(1);
		if (in_a_round)
			write_samples(writer, 30000);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void what_a_killed_recorder_left_has_the_features_in_front(void **state)
{
	struct place *place = *state;

	for (int in_a_round = 0; in_a_round < 2; in_a_round++) {
		_cleanup_(datafile_closep) struct datafile *file = NULL;
		struct strobe_err err;
		size_t size;

		leave_unfinished(place->path, in_a_round);
		assert_int_equal(datafile_open(place->path, &file, &err), 0);
		assert_int_equal(datafile_damage(file)->feature_count, 0);
		assert_int_equal(datafile_feature(file, FEATURE_EVENT_DESC, &size) != NULL,
				 !in_a_round);
		assert_int_equal(count_samples(place->path), 30000);
		check_with_perf(place->path, 30000);
	}
}

static void a_feature_may_be_told_again_at_the_end(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct place *place = *state;
	struct writer *writer = begin_with_features(place->path);
	struct strobe_err err;
	const char *body;
	size_t size;

	write_samples(writer, 10);
	assert_int_equal(writer_feature(writer, FEATURE_STROBE_STACKS, "late", 4, &err), 0);
	assert_int_equal(writer_finish(writer, &err), 0);
	assert_int_equal(datafile_open(place->path, &file, &err), 0);
	body = datafile_feature(file, FEATURE_STROBE_STACKS, &size);
	assert_int_equal(size, 4);
	assert_memory_equal(body, "late", 4);
	assert_non_null(datafile_feature(file, FEATURE_EVENT_DESC, &size));
	check_with_perf(place->path, 10);
}

static void a_recording_without_records_is_no_unfinished_one(void **state)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct place *place = *state;
	struct writer *writer = begin_with_features(place->path);
	struct strobe_err err;
	size_t size;

	assert_int_equal(writer_finish(writer, &err), 0);
	assert_int_equal(datafile_open(place->path, &file, &err), 0);
	assert_false(datafile_header(file)->unfinished);
	assert_non_null(datafile_feature(file, FEATURE_EVENT_DESC, &size));
}

static void an_older_file_is_kept_under_another_name(void **state)
{
	struct place *place = *state;

	write_all(place->path, 3);
	write_all(place->path, 6);
	assert_int_equal(count_samples(place->path), 6);
	assert_int_equal(count_samples(place->old_path), 3);
}

static void giving_up_puts_the_older_file_back(void **state)
{
	struct place *place = *state;
	struct writer *writer;

	write_all(place->path, 3);
	writer = begin(place->path);
	write_samples(writer, 9);
	writer_abandon(writer);
	assert_int_equal(count_samples(place->path), 3);
	assert_int_equal(access(place->old_path, F_OK), -1);
}

/* A limit on the size of files does what a full disk does, but for the errno. */
static void a_full_disk_is_said_and_what_was_written_can_be_read(void **state)
{
	struct place *place = *state;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct rlimit limit = { 1000000, 1000000 };
		struct sample_record sample = {
			.header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(sample) },
			.id = 21,
			.ip = 0x400000,
			.time = 1000,
		};
		struct iovec span = { &sample, sizeof(sample) };
		struct strobe_err err = { 0 };
		struct writer *writer = begin(place->path);
		int rc = 0;

		(void)signal(SIGXFSZ, SIG_IGN);
		if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
			_exit(1);
		for (size_t i = 0; rc == 0 && i < 100000; i++)
			rc = writer_records(writer, &span, 1, &err);
		if (rc != -EFBIG || !strstr(err.text, place->path) || !strstr(err.hint, "bytes"))
			_exit(2);
		_exit(writer_finish(writer, &err) < 0 ? 0 : 3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);

	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct datafile_cursor cursor;
	struct strobe_err err;
	struct record record;
	size_t count = 0;

	assert_int_equal(datafile_open(place->path, &file, &err), 0);
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record))
		count++;
	assert_true(count > 10000);
	assert_int_equal(datafile_damage(file)->ignored_size, 0);
}

static void a_disk_that_was_full_before_gets_no_file_and_keeps_the_older_one(void **state)
{
	struct place *place = *state;
	int status;

	write_all(place->path, 3);
	pid_t pid = fork();

	if (pid == 0) {
		struct rlimit limit = { 0, 0 };
		struct strobe_err err = { 0 };
		struct writer *writer;

		(void)signal(SIGXFSZ, SIG_IGN);
		if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
			_exit(1);
		_exit(writer_open(place->path, &writer, &err) == -EFBIG &&
				      strstr(err.hint, "ulimit -f")
			      ? 0
			      : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_samples(place->path), 3);
	assert_int_equal(access(place->old_path, F_OK), -1);
}

/* As root too: a rename of /dev/null or /tmp would break the machine. */
static void only_a_recording_is_renamed(void **state)
{
	struct place *place = *state;
	struct strobe_err err = { 0 };
	struct writer *writer;
	struct stat st;

	assert_int_equal(mkdir(place->path, 0700), 0);
	assert_int_equal(writer_open(place->path, &writer, &err), -EISDIR);
	assert_int_equal(rmdir(place->path), 0);

	assert_int_equal(symlink("/dev/null", place->path), 0);
	for (int abandon = 0; abandon < 2; abandon++) {
		writer = begin(place->path);
		write_samples(writer, 3);
		if (abandon)
			writer_abandon(writer);
		else
			assert_int_equal(writer_finish(writer, &err), 0);
		assert_int_equal(stat(place->path, &st), 0);
		assert_true(S_ISCHR(st.st_mode));
		assert_int_equal(lstat(place->path, &st), 0);
		assert_true(S_ISLNK(st.st_mode));
	}
	assert_int_equal(access(place->old_path, F_OK), -1);
	assert_int_equal(access("/dev/null.old", F_OK), -1);
}

static void a_link_stays_and_what_it_leads_to_is_kept(void **state)
{
	struct place *place = *state;
	struct writer *writer;
	struct stat st;
	char target[160], older[170];

	(void)snprintf(target, sizeof(target), "%s/target", place->folder);
	(void)snprintf(older, sizeof(older), "%s.old", target);
	assert_int_equal(symlink(target, place->path), 0);
	assert_int_equal(writer_open(place->path, &writer, NULL), -ENOENT);
	write_all(target, 3);
	write_all(place->path, 6);
	assert_int_equal(lstat(place->path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(count_samples(target), 6);
	assert_int_equal(count_samples(older), 3);
	writer_abandon(begin(place->path));
	assert_int_equal(count_samples(target), 6);
	assert_int_equal(unlink(target), 0);
}

static void a_file_that_cannot_be_made_is_said(void **state)
{
	struct strobe_err err = { 0 };
	struct writer *writer;

	assert_int_equal(writer_open("/nowhere/perf.data", &writer, &err), -ENOENT);
	assert_string_equal(err.text,
			    "cannot write '/nowhere/perf.data': No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_is_read_back_and_by_perf, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_pipe_is_read_back_and_by_perf, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(
			what_a_killed_recorder_left_is_read_up_to_the_last_checkpoint, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(
			what_a_killed_recorder_left_has_the_features_in_front, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(a_feature_may_be_told_again_at_the_end, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_recording_without_records_is_no_unfinished_one,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(an_older_file_is_kept_under_another_name,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(only_a_recording_is_renamed, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(a_link_stays_and_what_it_leads_to_is_kept,
						make_place, remove_place),
		cmocka_unit_test_setup_teardown(giving_up_puts_the_older_file_back, make_place,
						remove_place),
		cmocka_unit_test_setup_teardown(
			a_full_disk_is_said_and_what_was_written_can_be_read, make_place,
			remove_place),
		cmocka_unit_test_setup_teardown(
			a_disk_that_was_full_before_gets_no_file_and_keeps_the_older_one,
			make_place, remove_place),
		cmocka_unit_test(a_file_that_cannot_be_made_is_said),
	};

	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
