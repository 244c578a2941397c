#include "../test.h"

#include "base/mem.h"
#include "collect/passes.h"
#include "event/eventlist.h"

/* A machine with so many counters. */
static bool has_room(void *context, const struct eventlist *list, const size_t *events,
		     size_t count)
{
	size_t needed = 0;

	for (size_t i = 0; i < count; i++)
		needed += list->items[events[i]].is_hardware;
	return needed <= *(const size_t *)context;
}

static void add(struct eventlist *list, const char *name, bool is_hardware, size_t leader)
{
	struct event_spec *event = eventlist_add(list, name);

	event->is_hardware = is_hardware;
	event->leader = leader;
}

static void events_fill_the_counters_of_each_pass(void **state)
{
	_cleanup_(eventlist_done) struct eventlist list = { 0 };
	size_t room = 2, passes[6];

	add(&list, "clock", false, 0);
	for (size_t i = 1; i < 6; i++)
		add(&list, "hardware", true, i);
	assert_int_equal(passes_plan(&list, has_room, &room, passes), 3);
	assert_true(passes[0] == PASSES_ALL);
	assert_int_equal(passes[1], 0);
	assert_int_equal(passes[2], 0);
	assert_int_equal(passes[3], 1);
	assert_int_equal(passes[4], 1);
	assert_int_equal(passes[5], 2);
}

static void groups_stay_together(void **state)
{
	_cleanup_(eventlist_done) struct eventlist list = { 0 };
	size_t room = 2, passes[5];

	add(&list, "one", true, 0);
	add(&list, "leader", true, 1);
	add(&list, "member", true, 1);
	add(&list, "another", true, 3);
	add(&list, "faults", false, 3);
	assert_int_equal(passes_plan(&list, has_room, &room, passes), 2);
	assert_int_equal(passes[0], 0);
	assert_int_equal(passes[1], 1);
	assert_int_equal(passes[2], 1);
	assert_int_equal(passes[3], 0);
	assert_int_equal(passes[4], 0);
}

static void what_never_fits_has_a_pass_all_the_same(void **state)
{
	_cleanup_(eventlist_done) struct eventlist list = { 0 };
	size_t room = 0, passes[2];

	assert_int_equal(passes_plan(&list, has_room, &room, passes), 1);
	add(&list, "one", true, 0);
	add(&list, "two", true, 1);
	assert_int_equal(passes_plan(&list, has_room, &room, passes), 2);
	assert_int_equal(passes[1], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_fill_the_counters_of_each_pass),
		cmocka_unit_test(groups_stay_together),
		cmocka_unit_test(what_never_fits_has_a_pass_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
