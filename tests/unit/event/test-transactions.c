/* Events of transactional memory, of CPUs that are folders. */
#include "../../lib/tree.h"

#include <errno.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "event/transactions.h"

#define EVENTS "sys/bus/event_source/devices/cpu/events/"

static void events_are_those_that_the_cpu_names(void **state)
{
	_cleanup_(str_done) struct str few = { 0 }, all = { 0 };
	struct strobe_err err = { 0 };
	char root[64];

	tree_new(root);
	tree_text(root, EVENTS "tx-start", "event=0xc9,umask=0x1\n");
	assert_int_equal(transactions_add_events(root, &few, &err), -ENODEV);
	assert_string_equal(err.text, "this CPU has no transactional memory events");
	tree_text(root, EVENTS "cycles-t", "event=0x3c,in_tx=1\n");
	assert_int_equal(transactions_add_events(root, &few, &err), 0);
	assert_string_equal(str_text(&few),
			    "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}");
	tree_text(root, EVENTS "el-start", "event=0xc8,umask=0x1\n");
	tree_text(root, EVENTS "cycles-ct", "event=0x3c,in_tx=1,in_tx_cp=1\n");
	assert_int_equal(transactions_add_events(root, &all, &err), 0);
	assert_string_equal(str_text(&all),
			    "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,"
			    "cpu/el-start/,cpu/cycles-ct/}");
	tree_done(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_those_that_the_cpu_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
