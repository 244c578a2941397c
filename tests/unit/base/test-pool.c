/* test-pool.c - a row of jobs is done, by however many threads. */
#include "../test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/str.h"

enum { JOBS = 1000 };

struct fixture {
	atomic_int done[JOBS];
	size_t written, stop_at;
};

static void do_job(void *context, size_t job, size_t thread)
{
	struct fixture *fixture = context;

	atomic_fetch_add(&fixture->done[job], 1);
	assert_in_range(thread, 0, 3);
}

/* Some take much longer than others. */
static void make_text(void *context, size_t job, size_t thread, struct str *text)
{
	do_job(context, job, thread);
	if (job % 17 == 3)
		(void)usleep(1000);
	assert_int_equal(text->size, 0);
	str_add_decimal(text, job, 0, ' ');
}

/* Called by one thread at a time, so what it counts needs no lock. */
static int take_text(void *context, const struct str *text)
{
	struct fixture *fixture = context;
	size_t job = fixture->written++;

	assert_int_equal(strtoul(str_text(text), NULL, 10), job);
	return job == fixture->stop_at ? 7 : 0;
}

static void each_job_is_done_once(void **state)
{
	static struct fixture fixture;

	for (size_t threads = 1; threads <= 4; threads++) {
		fixture = (struct fixture){ 0 };
		pool_run(threads, JOBS, do_job, &fixture);
		for (size_t i = 0; i < JOBS; i++)
			assert_int_equal(atomic_load(&fixture.done[i]), 1);
	}
}

static void texts_are_taken_in_order(void **state)
{
	static struct fixture fixture;

	for (size_t threads = 1; threads <= 4; threads++) {
		fixture = (struct fixture){ .stop_at = JOBS };
		assert_int_equal(pool_run_texts(threads, JOBS, make_text, take_text, &fixture), 0);
		assert_int_equal(fixture.written, JOBS);
	}
}

static void the_first_that_fails_ends_the_row(void **state)
{
	static struct fixture fixture;

	for (size_t threads = 1; threads <= 4; threads++) {
		fixture = (struct fixture){ .stop_at = 20 };
		assert_int_equal(pool_run_texts(threads, JOBS, make_text, take_text, &fixture), 7);
		assert_int_equal(fixture.written, 21);
		assert_int_equal(atomic_load(&fixture.done[JOBS - 1]), 0);
	}
}

static void there_is_always_a_thread(void **state)
{
	assert_in_range(pool_threads(), 1, POOL_MAX);
	pool_run(1, 0, do_job, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_job_is_done_once),
		cmocka_unit_test(texts_are_taken_in_order),
		cmocka_unit_test(the_first_that_fails_ends_the_row),
		cmocka_unit_test(there_is_always_a_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
