#include "../test.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "workload/loadargs.h"
#include "workload/loads.h"

static void a_workload_is_found_by_its_name(void **state)
{
	struct strobe_err err = { 0 };

	for (const struct load *load = loads_table; load->name; load++)
		assert_ptr_equal(loads_find(load->name, &err), load);
	assert_null(loads_find("nooploop", &err));
	assert_string_equal(err.hint, "did you mean 'noploop'?");
	assert_null(loads_find("", &err));
	assert_string_equal(err.hint, "--list-workloads shows them");
}

static void a_number_may_be_missing(void **state)
{
	const char *const words[] = { "7", NULL };
	const char *const *args = words;
	uint64_t value;

	assert_int_equal(loadargs_number(&args, "loops", 3, &value, NULL), 0);
	assert_int_equal(value, 7);
	assert_int_equal(loadargs_number(&args, "loops", 3, &value, NULL), 0);
	assert_int_equal(value, 3);
}

static void what_is_no_number_is_refused(void **state)
{
	for (const struct load *load = loads_table; load->name; load++) {
		const char *const args[] = { "many", NULL };
		struct strobe_err err = { 0 };

		/* A child process would be left. */
		if (!load->args[0] || strcmp(load->name, "sqrtloop") == 0)
			continue;
		assert_int_equal(load->run(args, &err), -EINVAL);
		assert_non_null(strstr(err.text, "'many' is no number of"));
	}
}

static void loops_end(void **state)
{
	static const char *const names[] = { "brstack", "traploop", "context_switch_loop" };
	static const char *const args[] = { "10", NULL }, *const threads[] = { "3", "10", NULL };
	static const char *const none[] = { NULL };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(loads_find(names[i], NULL)->run(args, NULL), 0);
	assert_int_equal(named_threads(threads, NULL), 0);
	assert_int_equal(deterministic(none, NULL), 0);
	assert_int_equal(landlock(none, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_workload_is_found_by_its_name),
		cmocka_unit_test(a_number_may_be_missing),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(loops_end),
	};

	return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
