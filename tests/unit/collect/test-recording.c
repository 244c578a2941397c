#include "../test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "collect/notes.h"
#include "collect/recording.h"
#include "collect/ringsize.h"
#include "event/attr-build.h"
#include "event/eventlist.h"

/* Opens a recording of "true" into a folder that is not there. */
static int open_nowhere(struct strobe_err *err)
{
	static const char *const argv[] = { "true", NULL };
	struct recording_options options = {
		.argv = argv,
		.output = "/nonexistent/F",
		.ring_size = ringsize_default(),
	};
	struct attr_options attrs = { .has_workload = true };
	struct eventlist list = { 0 };
	struct notes notes = { 0 };
	struct recording *recording = NULL;
	int r = eventlist_parse(&list, "dummy:u", err);

	if (r == 0)
		r = attr_build(&list, &attrs, err);
	if (r == 0)
		r = recording_open(&options, &list, &notes, &recording, err);
	recording_free(recording);
	notes_done(&notes);
	eventlist_done(&list);
	return r;
}

static void a_failure_to_open_leaves_no_child(void **state)
{
	struct strobe_err err = { 0 };
	int r = open_nowhere(&err);

	/* Wherever it failed, without permission for events too: the child had been started. */
	assert_true(r < 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_to_open_leaves_no_child),
	};

	return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
