#include "../test.h"

#include <linux/perf_event.h>

#include "kernel/userpage.h"

/* A page without a kernel, and a CPU whose counters and clock say what we want. */
static struct perf_event_mmap_page page;
static uint64_t counters[4];
static uint64_t now;
static int changes; /* how often the kernel comes in between, from now on */

static bool read_pmc(uint32_t index, uint64_t *ret_value)
{
	if (index > 4)
		return false;
	*ret_value = index ? counters[index - 1] : 0;
	if (changes > 0) {
		changes--;
		page.lock += 2;
		page.offset += 1000;
		page.time_enabled += 1000;
	}
	return true;
}

static uint64_t ticks(void)
{
	return now;
}

static int begin(void **state)
{
	page = (struct perf_event_mmap_page){ .lock = 7 };
	page.capabilities = USERPAGE_CAN_COUNT | USERPAGE_CAN_TIME;
	page.pmc_width = 48;
	memset(counters, 0, sizeof(counters));
	now = 0;
	changes = 0;
	return 0;
}

static uint64_t count(void)
{
	uint64_t value = 0;

	assert_true(userpage_count(&page, read_pmc, &value));
	return value;
}

static struct userpage_reading reading(bool is_enabled)
{
	struct userpage_reading reading = { 0 };

	assert_true(userpage_read(&page, read_pmc, ticks, is_enabled, &reading));
	return reading;
}

static void the_bits_are_those_of_the_header(void **state)
{
	struct perf_event_mmap_page bits = { .cap_user_rdpmc = 1 };

	assert_int_equal(bits.capabilities, USERPAGE_CAN_COUNT);
	bits = (struct perf_event_mmap_page){ .cap_user_time = 1 };
	assert_int_equal(bits.capabilities, USERPAGE_CAN_TIME);
	bits = (struct perf_event_mmap_page){ .cap_user_time_short = 1 };
	assert_int_equal(bits.capabilities, USERPAGE_SHORT_TICKS);
}

static void a_count_is_the_offset_and_the_counter(void **state)
{
	page.index = 3;
	page.offset = 1000;
	counters[2] = 234;
	assert_int_equal(count(), 1234);
}

static void a_counter_of_few_bits_counts_up_from_a_negative_number(void **state)
{
	page.index = 1;
	page.pmc_width = 48;
	page.offset = 5000;
	counters[0] = (UINT64_C(1) << 48) - 100;
	assert_int_equal(count(), 4900);
	page.pmc_width = 32;
	counters[0] = 0x80000001;
	page.offset = INT64_C(0x7fffffff) + 10;
	assert_int_equal(count(), 10);
	/* What stands above its bits is not its own. */
	counters[0] = UINT64_C(0xff00000001);
	page.offset = 10;
	assert_int_equal(count(), 11);
}

static void a_counter_of_64_bits_is_taken_as_it_is(void **state)
{
	page.index = 1;
	counters[0] = UINT64_MAX - 4;
	page.offset = 7;
	page.pmc_width = 64;
	assert_int_equal(count(), 2);
	page.pmc_width = 0;
	assert_int_equal(count(), 2);
}

static void an_event_on_no_counter_has_its_count_in_the_page(void **state)
{
	page.index = 0;
	page.offset = 77;
	counters[0] = 1000;
	assert_int_equal(count(), 77);
}

static void what_the_kernel_changes_meanwhile_is_read_again(void **state)
{
	page.index = 1;
	counters[0] = 5;
	changes = 3;
	assert_int_equal(count(), 3005);
	assert_int_equal(page.lock, 13);
	changes = 2;
	page.time_enabled = 0;
	assert_int_equal(reading(false).count, 5005);
	assert_int_equal(reading(false).enabled_ns, 2000);
}

static void a_page_that_never_rests_is_given_up(void **state)
{
	struct userpage_reading reading;
	uint64_t value;

	page.index = 1;
	changes = USERPAGE_ATTEMPTS;
	assert_false(userpage_count(&page, read_pmc, &value));
	changes = USERPAGE_ATTEMPTS;
	assert_false(userpage_read(&page, read_pmc, ticks, true, &reading));
	changes = 1;
	assert_false(userpage_try_count(&page, read_pmc, &value));
	assert_true(userpage_try_count(&page, read_pmc, &value));
}

static void a_page_that_does_not_tell_is_not_read(void **state)
{
	struct userpage_reading reading = { 0 };
	uint64_t value;

	page.capabilities = USERPAGE_CAN_TIME;
	page.offset = 5;
	assert_false(userpage_count(&page, read_pmc, &value));
	page.capabilities = USERPAGE_CAN_COUNT;
	assert_true(userpage_count(&page, read_pmc, &value));
	assert_false(userpage_read(&page, read_pmc, ticks, true, &reading));
	/* What stands still needs no clock. */
	assert_true(userpage_read(&page, read_pmc, ticks, false, &reading));
}

static void a_counter_that_cannot_be_read_is_not_guessed(void **state)
{
	uint64_t value;

	page.index = 5;
	assert_false(userpage_count(&page, read_pmc, &value));
}

/* 1.5 ns a tick, and the page was written 1000 ticks after the clock began. */
static void set_clock(void)
{
	page.time_shift = 10;
	page.time_mult = 1536;
	page.time_offset = (uint64_t)-1500;
	page.time_enabled = 100000;
	page.time_running = 60000;
}

static void times_go_on_by_the_clock(void **state)
{
	set_clock();
	page.index = 1;
	now = 3000;
	assert_int_equal(reading(true).enabled_ns, 103000);
	assert_int_equal(reading(true).running_ns, 63000);
	/* The part below the shift counts, too: 1 tick is 1.5 ns. */
	now = 3001;
	assert_int_equal(reading(true).enabled_ns, 103001);
	now = 3002;
	assert_int_equal(reading(true).enabled_ns, 103003);
}

static void an_event_on_no_counter_does_not_run(void **state)
{
	set_clock();
	page.index = 0;
	now = 3000;
	assert_int_equal(reading(true).enabled_ns, 103000);
	assert_int_equal(reading(true).running_ns, 60000);
}

static void what_is_not_started_stands_still(void **state)
{
	set_clock();
	now = 3000;
	assert_int_equal(reading(false).enabled_ns, 100000);
	assert_int_equal(reading(false).running_ns, 60000);
}

static void a_clock_that_is_behind_takes_nothing_away(void **state)
{
	set_clock();
	page.index = 1;
	now = 990;
	assert_int_equal(reading(true).enabled_ns, 100000);
	assert_int_equal(reading(true).running_ns, 60000);
}

static void large_clocks_do_not_overflow(void **state)
{
	page.index = 1;
	page.time_shift = 31;
	page.time_mult = UINT32_C(0x80000000);
	page.time_offset = (uint64_t) - (int64_t)(UINT64_C(1) << 60);
	now = (UINT64_C(1) << 60) + 12345;
	assert_int_equal(reading(true).enabled_ns, 12345);
}

static void a_short_clock_wraps(void **state)
{
	page.capabilities |= USERPAGE_SHORT_TICKS;
	page.index = 1;
	page.time_shift = 0;
	page.time_mult = 1;
	page.time_mask = 0xffff;
	page.time_cycles = 0x1fff0;
	page.time_offset = (uint64_t)-0x1fff0;
	now = 0x0010;
	assert_int_equal(reading(true).enabled_ns, 0x20);
}

#define CASE(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_bits_are_those_of_the_header),
		CASE(a_count_is_the_offset_and_the_counter),
		CASE(a_counter_of_few_bits_counts_up_from_a_negative_number),
		CASE(a_counter_of_64_bits_is_taken_as_it_is),
		CASE(an_event_on_no_counter_has_its_count_in_the_page),
		CASE(what_the_kernel_changes_meanwhile_is_read_again),
		CASE(a_page_that_never_rests_is_given_up),
		CASE(a_page_that_does_not_tell_is_not_read),
		CASE(a_counter_that_cannot_be_read_is_not_guessed),
		CASE(times_go_on_by_the_clock),
		CASE(an_event_on_no_counter_does_not_run),
		CASE(what_is_not_started_stands_still),
		CASE(a_clock_that_is_behind_takes_nothing_away),
		CASE(large_clocks_do_not_overflow),
		CASE(a_short_clock_wraps),
	};

	return cmocka_run_group_tests_name("userpage", tests, NULL, NULL);
}
