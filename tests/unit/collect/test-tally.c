#include "../test.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "collect/ringsize.h"
#include "collect/synthesize.h"
#include "collect/tally.h"
#include "event/eventlist.h"

/* SAMPLE with ip, tid, time; LOST; THROTTLE. */
static const uint64_t records[] = {
	(32ULL << 48) | PERF_RECORD_SAMPLE,
	0x1000,
	7,
	500,
	(24ULL << 48) | PERF_RECORD_LOST,
	1,
	9,
	(32ULL << 48) | PERF_RECORD_THROTTLE,
	1,
	2,
	3,
	(32ULL << 48) | PERF_RECORD_SAMPLE,
	0x1000,
	7,
	300,
	(16ULL << 48) | PERF_RECORD_LOST_SAMPLES,
	4,
	(24ULL << 48) | PERF_RECORD_BPF_EVENT,
	PERF_BPF_EVENT_PROG_LOAD | 7ULL << 32,
	0,
	(24ULL << 48) | PERF_RECORD_BPF_EVENT,
	PERF_BPF_EVENT_PROG_UNLOAD | 7ULL << 32,
	0,
};

static void check(const struct tally *tally)
{
	assert_int_equal(tally->sample_count, 2);
	assert_int_equal(tally->lost_count, 9);
	assert_int_equal(tally->lost_samples, 4);
	assert_int_equal(tally->throttle_count, 1);
	assert_int_equal(tally->bpf_load_count, 1);
	assert_int_equal(tally->first_ns, 300);
	assert_int_equal(tally->last_ns, 500);
}

/* The headers below are laid out for little-endian machines only. */
static void records_are_counted_wherever_the_ring_cuts_them(void **state)
{
	struct event_spec spec = { .attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							    PERF_SAMPLE_TIME } };
	struct eventlist list = { .items = &spec, .count = 1 };

	for (size_t cut = 0; cut <= sizeof(records); cut += 8) {
		struct iovec spans[2] = { { (void *)records, cut },
					  { (char *)records + cut, sizeof(records) - cut } };
		struct tally tally;

		tally_init(&tally, &list);
		tally_add(&tally, spans, 2);
		check(&tally);
	}
}

static void a_time_that_is_not_at_one_place_is_not_read(void **state)
{
	struct event_spec specs[2] = {
		{ .attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME } },
		{ .attr = { .sample_type = PERF_SAMPLE_TIME } },
	};
	struct eventlist list = { .items = specs, .count = 2 };
	struct tally tally;

	tally_init(&tally, &list);
	assert_int_equal(tally.time_at, 0);
}

static void a_damaged_record_ends_the_count(void **state)
{
	uint64_t zero[2] = { 0 };
	struct iovec span = { zero, sizeof(zero) };
	struct event_spec spec = { 0 };
	struct eventlist list = { .items = &spec, .count = 1 };
	struct tally tally;

	tally_init(&tally, &list);
	tally_add(&tally, &span, 1);
	assert_int_equal(tally.sample_count, 0);
}

static void sizes_of_rings_are_pages_or_bytes_rounded_up(void **state)
{
	size_t size, page = (size_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(ringsize_parse("1", &size, NULL), 0);
	assert_int_equal(size, page);
	assert_int_equal(ringsize_parse("3", &size, NULL), 0);
	assert_int_equal(size, 4 * page);
	assert_int_equal(ringsize_parse("512K", &size, NULL), 0);
	assert_int_equal(size, 512 * 1024);
	assert_int_equal(ringsize_parse("3M", &size, NULL), 0);
	assert_int_equal(size, 4 * 1024 * 1024);
	assert_int_equal(ringsize_parse("1B", &size, NULL), 0);
	assert_int_equal(size, page);
	assert_int_equal(ringsize_default(), 512 * 1024);
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const bad[] = {
		"", "0", "x", "-1", "4T", "1,2", "99999999999999999999"
	};
	struct strobe_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		size_t size = 1;

		assert_int_equal(ringsize_parse(bad[i], &size, &err), -EINVAL);
		assert_int_equal(size, 1);
	}
	assert_int_equal(ringsize_parse("18446744073709551615", &(size_t){ 0 }, &err), -EINVAL);
}

static void synth_takes_a_list_of_words(void **state)
{
	struct strobe_err err;
	unsigned what;

	assert_int_equal(synthesize_parse("no", &what, &err), 0);
	assert_int_equal(what, 0);
	assert_int_equal(synthesize_parse("mmap,cgroup", &what, &err), 0);
	assert_int_equal(what, SYNTHESIZE_ALL);
	assert_int_equal(synthesize_parse("task", &what, &err), 0);
	assert_int_equal(what, SYNTHESIZE_TASKS);
	assert_int_equal(synthesize_parse("tasks", &what, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_counted_wherever_the_ring_cuts_them),
		cmocka_unit_test(a_time_that_is_not_at_one_place_is_not_read),
		cmocka_unit_test(a_damaged_record_ends_the_count),
		cmocka_unit_test(sizes_of_rings_are_pages_or_bytes_rounded_up),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(synth_takes_a_list_of_words),
	};

	return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
