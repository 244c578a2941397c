#include "../test.h"

#include <errno.h>
#include <unistd.h>

#include "collect/ringsize.h"
#include "strobe/err.h"

static size_t size_of(const char *text)
{
	size_t size = 0;

	assert_int_equal(ringsize_parse(text, &size, NULL), 0);
	return size;
}

static void a_number_is_pages_and_a_size_is_bytes(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(size_of("1"), page);
	assert_int_equal(size_of("128"), 128 * page);
	assert_int_equal(size_of("4M"), 4 << 20);
	assert_int_equal(size_of("1B"), page);
	assert_int_equal(ringsize_default(), 512 * 1024);
}

static void a_ring_has_a_power_of_two_of_pages(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(size_of("129"), 256 * page);
	assert_int_equal(size_of("3M"), 4 << 20);
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const texts[] = { "", "0", "0K", "-1", "12Q", "K", "17179869184G" };
	struct strobe_err err;
	size_t size;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(ringsize_parse(texts[i], &size, &err), -EINVAL);
	assert_int_equal(ringsize_parse("18446744073709551615", &size, &err), -EINVAL);
	assert_non_null(strstr(err.text, "larger than any memory"));
}

static void copies_of_stacks_have_more_room(void **state)
{
	assert_int_equal(ringsize_for_copies(8192), 1 << 20);
	assert_int_equal(ringsize_for_copies(65528), 8 << 20);
	assert_int_equal(ringsize_for_copies(8), ringsize_default());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_pages_and_a_size_is_bytes),
		cmocka_unit_test(a_ring_has_a_power_of_two_of_pages),
		cmocka_unit_test(copies_of_stacks_have_more_room),
		cmocka_unit_test(what_is_no_size_is_refused),
	};

	return cmocka_run_group_tests_name("ringsize", tests, NULL, NULL);
}
