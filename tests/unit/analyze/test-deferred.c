#include "../test.h"

#include <errno.h>
#include <string.h>

#include "analyze/deferred.h"
#include "data/record.h"
#include "data/sample.h"

struct late {
	struct perf_event_header header;
	uint64_t cookie, count, ips[3];
};

static struct late late(uint64_t cookie, uint64_t count)
{
	return (struct late){
		.header = { .type = RECORD_CALLCHAIN_DEFERRED, .size = sizeof(struct late) },
		.cookie = cookie,
		.count = count,
		.ips = { cookie + 1, cookie + 2, cookie + 3 },
	};
}

static int add(struct deferred *deferred, const struct late *record, uint32_t tid)
{
	const struct sample trailer = { .tid = tid };

	return deferred_add(deferred, &(struct record){ &record->header, 0 }, &trailer);
}

static void a_chain_belongs_to_a_thread_and_its_cookie(void **state)
{
	struct deferred deferred = { 0 };
	struct late first = late(70, 2), second = late(70, 3), third = late(80, 1);
	size_t count = 0;

	assert_int_equal(add(&deferred, &first, 5), 0);
	assert_int_equal(add(&deferred, &second, 6), 0);
	assert_int_equal(add(&deferred, &third, 5), 0);
	assert_ptr_equal(deferred_find(&deferred, 5, 70, &count), first.ips);
	assert_int_equal(count, 2);
	assert_ptr_equal(deferred_find(&deferred, 6, 70, &count), second.ips);
	assert_int_equal(count, 3);
	assert_ptr_equal(deferred_find(&deferred, 5, 80, &count), third.ips);
	assert_null(deferred_find(&deferred, 6, 80, &count));
	assert_null(deferred_find(&deferred, 7, 70, &count));
	deferred_done(&deferred);
}

static void what_does_not_fit_into_its_record_is_damaged(void **state)
{
	struct deferred deferred = { 0 };
	struct late longer = late(1, 4), huge = late(2, UINT64_MAX), shorter = late(3, 1);
	size_t count;

	shorter.header.size = 16;
	assert_int_equal(add(&deferred, &longer, 5), -EBADMSG);
	assert_int_equal(add(&deferred, &huge, 5), -EBADMSG);
	assert_int_equal(add(&deferred, &shorter, 5), -EBADMSG);
	assert_null(deferred_find(&deferred, 5, 1, &count));
	deferred_done(&deferred);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_belongs_to_a_thread_and_its_cookie),
		cmocka_unit_test(what_does_not_fit_into_its_record_is_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
