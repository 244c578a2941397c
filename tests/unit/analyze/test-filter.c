#include "../test.h"

#include <errno.h>
#include <unistd.h>

#include "analyze/filter.h"
#include "analyze/profile.h"
#include "base/err.h"
#include "base/mem.h"
#include "model/dso.h"
#include "model/timeline.h"

static const struct dso libc = { .name = "/usr/lib/libc.so.6", .short_name = "libc.so.6" };
static const struct map libc_map = { .dso = &libc };
static const struct function hot = { .name = "hot" };
static const struct place in_hot = { .map = &libc_map, .function = &hot };
static const struct place nowhere = { 0 };

static struct profile_sample at(uint64_t time_ns)
{
	return (struct profile_sample){
		.comm = "xz",
		.sample = { .pid = 7, .tid = 8, .cpu = 1, .time = time_ns },
	};
}

static void nothing_is_left_out_unless_asked(void **state)
{
	struct filter filter = { 0 };
	struct profile_sample sample = at(5);

	assert_false(filter_drops(&filter, &sample));
	assert_int_equal(filter_hides(&filter, &sample, &nowhere), 0);
	assert_false(filter_wants_place(&filter));
}

static void names_and_ids_hide(void **state)
{
	struct filter filter = { 0 };
	struct profile_sample sample = at(5);

	assert_int_equal(filter_add_names(&filter.comms, "gcc,xz", NULL), 0);
	assert_int_equal(filter_add_ids(&filter.pids, "9,7", false, "process ids", NULL), 0);
	assert_int_equal(filter_add_names(&filter.dsos, "libc.so.6", NULL), 0);
	assert_int_equal(filter_add_names(&filter.symbols, "hot", NULL), 0);
	assert_int_equal(filter_hides(&filter, &sample, &in_hot), 0);
	assert_int_equal(filter_hides(&filter, &sample, &nowhere), FILTER_DSO | FILTER_SYMBOL);
	sample.sample.pid = 8;
	assert_int_equal(filter_hides(&filter, &sample, &in_hot), FILTER_THREAD);
	sample.sample.pid = 7;
	sample.comm = "x";
	assert_int_equal(filter_hides(&filter, &sample, &in_hot), FILTER_THREAD);
	filter_done(&filter);
}

static void a_function_may_be_named_by_an_address(void **state)
{
	const struct function inner = { .name = "inner", .start = 0x1100 };
	struct place place = {
		.map = &libc_map, .addr = 0x7f0000001120, .object_addr = 0x1120, .function = &inner
	};
	struct profile_sample sample = at(5);
	const struct {
		const char *list;
		uint64_t range;
		bool taken;
	} rows[] = {
		{ "0x7f0000001100", 0, true }, /* where it begins */
		{ "0x7f0000001120", 0, true },  { "0x7f000000111f", 0, false },
		{ "0x7f000000111f", 1, false }, { "0x7f000000111f", 2, true },
		{ "0x7f0000001121", 9, false }, { "outer,0x7f0000001120", 0, true },
		{ "1120", 0, false },           { "inner,0x1", 0, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct filter filter = { .addr_range = rows[i].range };

		assert_int_equal(filter_add_symbols(&filter, rows[i].list, NULL), 0);
		assert_int_equal(filter_hides(&filter, &sample, &place),
				 rows[i].taken ? 0 : FILTER_SYMBOL);
		filter_done(&filter);
	}
}

static void a_dso_may_be_named_by_its_path(void **state)
{
	struct filter filter = { 0 };
	struct profile_sample sample = at(5);

	assert_int_equal(filter_add_names(&filter.dsos, "/usr/lib/libc.so.6", NULL), 0);
	assert_int_equal(filter_hides(&filter, &sample, &in_hot), 0);
	filter_done(&filter);
}

static void names_may_come_from_a_file(void **state)
{
	char path[] = "file:///tmp/strobe-test-XXXXXX";
	struct filter filter = { 0 };
	uint32_t id;
	int fd = mkstemp(path + 7);

	assert_int_equal(write(fd, "a b\n\nc", 6), 6);
	assert_int_equal(filter_add_names(&filter.comms, path, NULL), 0);
	assert_int_equal(filter.comms.count, 2);
	assert_true(strings_find(&filter.comms, "a b", &id));
	assert_true(strings_find(&filter.comms, "c", &id));
	(void)unlink(path + 7);
	(void)close(fd);
	assert_int_equal(filter_add_names(&filter.comms, path, NULL), -ENOENT);
	filter_done(&filter);
}

static void cpus_and_times_drop(void **state)
{
	struct filter filter = { 0 };
	struct profile_sample sample = at(1500000000);

	assert_int_equal(filter_add_ids(&filter.cpus, "0-1", true, "CPUs", NULL), 0);
	assert_int_equal(filter_add_times(&filter, "1.5,1.6 3,", 0, 0, NULL), 0);
	assert_false(filter_drops(&filter, &sample));
	sample.sample.time--;
	assert_true(filter_drops(&filter, &sample));
	sample.sample.time = 9000000000;
	assert_false(filter_drops(&filter, &sample));
	sample.sample.cpu = 2;
	assert_true(filter_drops(&filter, &sample));
	filter_done(&filter);
}

static void times_may_be_shares(void **state)
{
	static const struct {
		const char *text;
		uint64_t first, last;
	} cases[] = {
		{ "10%", 1000, 1100 },
		{ "10%/2", 1100, 1200 },
		{ "50%-100%", 1500, 2000 },
		{ "0%-5%", 1000, 1050 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filter filter = { 0 };

		assert_int_equal(filter_add_times(&filter, cases[i].text, 1000, 2000, NULL), 0);
		assert_int_equal(filter.times.count, 1);
		assert_int_equal(filter.times.items[0].first_ns, cases[i].first);
		assert_int_equal(filter.times.items[0].last_ns, cases[i].last);
		filter_done(&filter);
	}
}

static void nonsense_is_refused(void **state)
{
	static const char *const times[] = { "",      "x",    "5,4",     "1,2,3", "10%/0",
					     "50%/3", "110%", "20%-10%", "10%,",  "1,2 " };
	struct filter filter = { 0 };
	struct strobe_err err;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		assert_int_equal(filter_add_times(&filter, times[i], 1, 2, &err), -EINVAL);
	assert_int_equal(filter_add_ids(&filter.pids, "1,x", false, "process ids", &err), -EINVAL);
	assert_string_equal(err.text, "'1,x' is no list of process ids");
	assert_int_equal(filter_add_ids(&filter.pids, "1-2", false, "process ids", &err), -EINVAL);
	assert_int_equal(filter_add_ids(&filter.cpus, "3-1", true, "CPUs", &err), -EINVAL);
	assert_int_equal(filter_add_ids(&filter.cpus, "0-4000000000", true, "CPUs", &err), -EINVAL);
	filter_done(&filter);
}

static void parts_of_no_time_are_no_mistake_in_the_text(void **state)
{
	struct filter filter = { 0 };
	struct strobe_err err = { 0 };

	assert_int_equal(filter_add_times(&filter, "10%-20%", UINT64_MAX, 0, &err), -ENODATA);
	assert_string_equal(err.hint, "record with -T");
	filter_done(&filter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_left_out_unless_asked),
		cmocka_unit_test(names_and_ids_hide),
		cmocka_unit_test(a_function_may_be_named_by_an_address),
		cmocka_unit_test(a_dso_may_be_named_by_its_path),
		cmocka_unit_test(names_may_come_from_a_file),
		cmocka_unit_test(cpus_and_times_drop),
		cmocka_unit_test(times_may_be_shares),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(parts_of_no_time_are_no_mistake_in_the_text),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
