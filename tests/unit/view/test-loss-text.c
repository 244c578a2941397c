#include "../test.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "view/loss-text.h"

static const struct loss_text full_rings = {
	.sample_count = 900,
	.lost_count = 100,
	.ring_size = 512 * 1024,
	.by_rate = true,
};

static char *text_of(struct loss_text loss)
{
	struct str text = { 0 };

	loss_text(&loss, &text);
	return str_take(&text);
}

static void assert_has(const char *text, const char *part, bool wanted)
{
	if (!strstr(text, part) == wanted)
		fail_msg("'%s' %s in:\n%s", part, wanted ? "is not" : "is", text);
}

static void nothing_lost_is_nothing_said(void **state)
{
	_cleanup_(freep) char *text = text_of((struct loss_text){ .sample_count = 5 });

	assert_true(!text || !*text);
}

static void full_rings_have_a_number_and_larger_rings_as_advice(void **state)
{
	_cleanup_(freep) char *text = text_of(full_rings);

	assert_string_equal(text,
			    "lost 100 of 1000 records (10.0%): the rings of 512 KiB were full\n"
			    "  hint: larger rings: -m 4M\n"
			    "  hint: a lower rate (-F)\n");
}

static void a_period_is_no_advice_against_full_rings(void **state)
{
	struct loss_text loss = full_rings;

	loss.by_rate = false;
	loss.is_system_wide = true;
	_cleanup_(freep) char *text = text_of(loss);
	assert_has(text, "-c", false);
	assert_has(text, "-F", false);
	assert_has(text, "less to watch", true);
}

static void a_slow_disk_and_a_late_reader_are_told_apart(void **state)
{
	struct loss_text loss = full_rings;

	loss.slowest_ns = 900 * UINT64_C(1000000);
	loss.written_ns = 800 * UINT64_C(1000000);
	_cleanup_(freep) char *disk = text_of(loss);
	loss.written_ns = 1000000;
	_cleanup_(freep) char *reader = text_of(loss);

	assert_has(disk, "writing took 800 ms once", true);
	assert_has(disk, "wait for a CPU", false);
	assert_has(reader, "wait for a CPU", true);
	assert_has(reader, "faster disk", false);
}

static void a_stack_that_is_larger_than_the_ring_is_named(void **state)
{
	struct loss_text loss = full_rings;

	loss.ring_size = 4096;
	loss.has_stack_copies = true;
	loss.stack_size = 8192;
	_cleanup_(freep) char *text = text_of(loss);
	assert_has(text, "one sample with its stack does not fit: -m 128K", true);
	assert_has(text, "dwarf,4096", true);
}

static void throttling_has_advice_that_fits_how_often_was_said(void **state)
{
	_cleanup_(freep) char *rate =
		text_of((struct loss_text){ .throttle_count = 3, .by_rate = true });
	_cleanup_(freep) char *period = text_of((struct loss_text){ .throttle_count = 3 });

	assert_has(rate, "3 times", true);
	assert_has(rate, "-F", true);
	assert_has(period, "-c", true);
	assert_has(period, "-F", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_lost_is_nothing_said),
		cmocka_unit_test(full_rings_have_a_number_and_larger_rings_as_advice),
		cmocka_unit_test(a_period_is_no_advice_against_full_rings),
		cmocka_unit_test(a_slow_disk_and_a_late_reader_are_told_apart),
		cmocka_unit_test(a_stack_that_is_larger_than_the_ring_is_named),
		cmocka_unit_test(throttling_has_advice_that_fits_how_often_was_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
