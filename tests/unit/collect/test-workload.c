#include "../test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "collect/workload.h"

static int run(const char *const *argv, struct strobe_err *err)
{
	struct workload workload = { 0 };
	sigset_t mask;
	int r;

	(void)sigemptyset(&mask);
	assert_int_equal(workload_start(&workload, argv, &mask, false, err), 0);
	assert_false(workload_poll(&workload));
	r = workload_go(&workload, argv[0], err);
	return r < 0 ? r : workload_wait(&workload);
}

static void the_exit_code_is_the_commands(void **state)
{
	const char *argv[] = { "/bin/sh", "-c", "exit 7", NULL };

	assert_int_equal(run(argv, NULL), 7);
}

static void a_signal_counts_as_128_and_its_number(void **state)
{
	const char *argv[] = { "/bin/sh", "-c", "kill -9 $$", NULL };

	assert_int_equal(run(argv, NULL), 128 + SIGKILL);
}

static void a_missing_command_is_named(void **state)
{
	const char *argv[] = { "no-such-command", NULL };
	struct strobe_err err;

	assert_int_equal(run(argv, &err), -ENOENT);
	assert_string_equal(err.text, "cannot run 'no-such-command': No such file or directory");
	assert_string_equal(err.hint, "no folder of $PATH has it");
}

static void what_is_no_program_is_named(void **state)
{
	const char *argv[] = { "/etc/passwd", NULL };
	struct strobe_err err;

	assert_int_equal(run(argv, &err), -EACCES);
	assert_true(err.hint[0]);
}

static void a_child_at_the_gate_goes_when_it_is_given_up(void **state)
{
	const char *argv[] = { "/bin/sh", "-c", "exit 7", NULL };
	struct workload workload = { 0 };
	sigset_t mask;

	(void)sigemptyset(&mask);
	assert_int_equal(workload_start(&workload, argv, &mask, false, NULL), 0);
	workload_stop(&workload);
	assert_int_equal(workload_wait(&workload), 0);
}

static void a_running_command_is_asked_to_end(void **state)
{
	const char *argv[] = { "sleep", "1000", NULL };
	struct workload workload = { 0 };
	sigset_t mask;

	(void)sigemptyset(&mask);
	assert_int_equal(workload_start(&workload, argv, &mask, false, NULL), 0);
	assert_int_equal(workload_go(&workload, argv[0], NULL), 0);
	workload_stop(&workload);
	assert_int_equal(workload_wait(&workload), 128 + SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exit_code_is_the_commands),
		cmocka_unit_test(a_signal_counts_as_128_and_its_number),
		cmocka_unit_test(a_missing_command_is_named),
		cmocka_unit_test(what_is_no_program_is_named),
		cmocka_unit_test(a_child_at_the_gate_goes_when_it_is_given_up),
		cmocka_unit_test(a_running_command_is_asked_to_end),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
