#include "../test.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/probe-event.h"
#include "kernel/probe.h"

static void each_probe_works_or_says_why_it_does_not(void **state)
{
	for (const struct probe *probe = probe_table; probe->what; probe++) {
		_cleanup_(str_done) struct str details = { 0 };
		struct strobe_err err = { 0 };
		enum probe_result result = probe->run(&details, &err);

		assert_true(result == PROBE_OK || result == PROBE_SKIP);
		assert_true((result == PROBE_OK) == (err.text[0] == '\0'));
		if (result == PROBE_SKIP)
			assert_true(err.hint[0] != '\0');
		if (details.size > 0)
			assert_int_equal(details.text[details.size - 1], '\n');
	}
}

static void names_of_probes_differ(void **state)
{
	for (const struct probe *a = probe_table; a->what; a++)
		for (const struct probe *b = a + 1; b->what; b++)
			assert_string_not_equal(a->what, b->what);
}

static void do_nothing(void *context)
{
}

static void call_count(void *context)
{
	(*(int *)context)++;
}

static void an_event_that_does_not_exist_is_a_lack(void **state)
{
	struct probe_event event = probe_event_clock("nosuch");
	struct strobe_err err = { 0 };

	event.attr.config = 12345;
	assert_int_equal(probe_event_try(&event, &err), PROBE_SKIP);
	assert_non_null(strstr(err.text, "nosuch"));
}

static void a_count_that_is_wrong_is_a_failure(void **state)
{
	_cleanup_(str_done) struct str details = { 0 };
	struct probe_event event = probe_event_clock("dummy");
	struct strobe_err err = { 0 };
	int count = 0;

	/* It counts nothing, whatever happens. */
	event.attr.config = PERF_COUNT_SW_DUMMY;
	if (probe_event_try(&event, NULL) != PROBE_OK)
		skip();
	assert_int_equal(probe_event_count(&event, call_count, &count, true, &details, &err),
			 PROBE_FAILED);
	assert_int_equal(count, 5);
	assert_non_null(strstr(err.text, "'dummy' counted 0"));
	assert_int_equal(probe_event_count(&event, do_nothing, NULL, false, &details, &err),
			 PROBE_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_probe_works_or_says_why_it_does_not),
		cmocka_unit_test(names_of_probes_differ),
		cmocka_unit_test(an_event_that_does_not_exist_is_a_lack),
		cmocka_unit_test(a_count_that_is_wrong_is_a_failure),
	};

	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
