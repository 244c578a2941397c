#include "../test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/err.h"
#include "kernel/perfevent.h"
#include "kernel/ring.h"

/* A ring without a kernel: the page is ours. */
struct fake {
	struct perf_event_mmap_page page;
	char data[64];
};

static void an_empty_ring_has_no_spans(void **state)
{
	struct fake fake = { .page = { .data_head = 640, .data_tail = 640 } };
	struct ring ring = { .page = &fake.page, .base = fake.data, .size = 64 };
	struct iovec spans[2];

	assert_int_equal(ring_spans(&ring, spans), 0);
}

static void what_wraps_comes_in_two_spans(void **state)
{
	struct fake fake = { .page = { .data_head = 64 + 16, .data_tail = 48 } };
	struct ring ring = { .page = &fake.page, .base = fake.data, .size = 64 };
	struct iovec spans[2];

	assert_int_equal(ring_spans(&ring, spans), 2);
	assert_ptr_equal(spans[0].iov_base, fake.data + 48);
	assert_int_equal(spans[0].iov_len, 16);
	assert_ptr_equal(spans[1].iov_base, fake.data);
	assert_int_equal(spans[1].iov_len, 16);
	ring_consume(&ring, 24);
	assert_int_equal(fake.page.data_tail, 72);
	assert_int_equal(ring_spans(&ring, spans), 1);
	assert_ptr_equal(spans[0].iov_base, fake.data + 8);
	assert_int_equal(spans[0].iov_len, 8);
}

static void a_full_ring_is_one_span_or_two(void **state)
{
	struct fake fake = { .page = { .data_head = 64 } };
	struct ring ring = { .page = &fake.page, .base = fake.data, .size = 64 };
	struct iovec spans[2];

	assert_int_equal(ring_spans(&ring, spans), 1);
	assert_int_equal(spans[0].iov_len, 64);
}

static void a_head_that_cannot_be_is_not_believed(void **state)
{
	struct fake fake = { .page = { .data_head = 1000 } };
	struct ring ring = { .page = &fake.page, .base = fake.data, .size = 64 };
	struct iovec spans[2];

	assert_int_equal(ring_spans(&ring, spans), 0);
}

static void every_errno_has_a_sentence_that_names_the_event(void **state)
{
	static const int codes[] = { -EACCES, -EPERM, -ENOENT, -EOPNOTSUPP, -ENODEV, -ENXIO,
				     -EINVAL, -EBUSY, -E2BIG,  -EOVERFLOW,  -ENOSPC, -EIO };
	struct perfevent_request request = { .name = "cycles:u", .pid = 7, .is_hardware = true };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct strobe_err err = { 0 };

		assert_int_equal(perfevent_explain(codes[i], &request, &err), codes[i]);
		assert_int_equal(err.code, codes[i]);
		assert_non_null(strstr(err.text, "cycles:u"));
		assert_true(err.hint[0] || codes[i] == -EIO);
	}
}

static void too_many_files_names_the_number_needed(void **state)
{
	struct perfevent_request request = { .name = "x", .fd_count = 4711 };
	struct strobe_err err;

	(void)perfevent_explain(-EMFILE, &request, &err);
	assert_non_null(strstr(err.text, "4711"));
	assert_non_null(strstr(err.hint, "ulimit -Hn"));
}

static void a_dead_process_is_named(void **state)
{
	struct perfevent_request request = { .name = "x", .pid = 4242 };
	struct strobe_err err;

	assert_int_equal(perfevent_explain(-ESRCH, &request, &err), -ESRCH);
	assert_string_equal(err.text, "no process or thread 4242");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_ring_has_no_spans),
		cmocka_unit_test(what_wraps_comes_in_two_spans),
		cmocka_unit_test(a_full_ring_is_one_span_or_two),
		cmocka_unit_test(a_head_that_cannot_be_is_not_believed),
		cmocka_unit_test(every_errno_has_a_sentence_that_names_the_event),
		cmocka_unit_test(too_many_files_names_the_number_needed),
		cmocka_unit_test(a_dead_process_is_named),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
