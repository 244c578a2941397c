/* test-namespaces.c - which namespace a thread was in, and what a stream forgets of that. */
#include "../test.h"

#include "model/namespaces.h"
#include "model/threads.h"

static struct instant at(uint64_t moment)
{
	return (struct instant){ moment, moment };
}

static void add(struct namespaces *namespaces, uint32_t tid, uint64_t ino, uint64_t moment)
{
	namespaces_add(namespaces, tid, (struct namespace_id){ 3, ino }, at(moment));
}

static uint64_t find(const struct namespaces *namespaces, uint32_t tid, uint64_t moment)
{
	return namespaces_find(namespaces, tid, instant_after(moment)).ino;
}

static void a_thread_is_in_the_namespace_that_was_told_last_before_a_moment(void **state)
{
	struct namespaces namespaces = { 0 };

	add(&namespaces, 7, 20, 20);
	add(&namespaces, 7, 10, 10); /* rings are read one after another */
	add(&namespaces, 8, 5, 1);
	assert_int_equal(find(&namespaces, 7, 9), 0);
	assert_int_equal(find(&namespaces, 7, 10), 10);
	assert_int_equal(find(&namespaces, 7, 19), 10);
	assert_int_equal(find(&namespaces, 7, 20), 20);
	assert_int_equal(find(&namespaces, 8, 20), 5);
	assert_int_equal(find(&namespaces, 9, 20), 0);
	namespaces_done(&namespaces);
}

static void what_is_over_is_forgotten_and_so_are_threads_that_are_not_there(void **state)
{
	struct namespaces namespaces = { 0 };
	struct threads threads = { 0 };

	threads_name(&threads, 7, 7, "seven", at(1));
	add(&namespaces, 7, 10, 10);
	add(&namespaces, 7, 20, 20);
	add(&namespaces, 7, 30, 30);
	add(&namespaces, 8, 5, 1);
	namespaces_forget(&namespaces, &threads, 25);
	assert_int_equal(find(&namespaces, 7, 15), 0);
	assert_int_equal(find(&namespaces, 7, 26), 20);
	assert_int_equal(find(&namespaces, 7, 30), 30);
	assert_int_equal(find(&namespaces, 8, 30), 0);
	namespaces_done(&namespaces);
	threads_done(&threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_in_the_namespace_that_was_told_last_before_a_moment),
		cmocka_unit_test(what_is_over_is_forgotten_and_so_are_threads_that_are_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
