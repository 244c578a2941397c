/* test-enums.c - kernel/enums.h */
#include "../test.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "kernel/enums.h"

/* Type information of two enums in a file, whose name it makes of @path. */
static void write_types(char *path)
{
	struct btf *btf = btf__new_empty();
	int fd = mkstemp(path);
	const void *bytes;
	uint32_t size;

	assert_non_null(btf);
	assert_true(fd >= 0);
	assert_true(btf__add_struct(btf, "colour", 0) > 0);
	assert_true(btf__add_enum(btf, "colour", 4) > 0);
	assert_int_equal(btf__add_enum_value(btf, "COLOUR_NONE", -1), 0);
	assert_int_equal(btf__add_enum_value(btf, "COLOUR_RED", 7), 0);
	assert_true(btf__add_enum64(btf, "size", 8, false) > 0);
	assert_int_equal(btf__add_enum64_value(btf, "SIZE_HUGE", UINT64_C(1) << 40), 0);
	bytes = btf__raw_data(btf, &size);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(close(fd), 0);
	btf__free(btf);
}

static void add_text(void *context, const char *name, uint64_t value)
{
	str_addf(context, "%s=%lld ", name, (long long)value);
}

static void enumerators_are_handed_out_by_the_name_of_their_enum(void **state)
{
	char path[] = "/tmp/strobe-test-XXXXXX";
	_cleanup_(enums_closep) struct enums *enums = NULL;
	_cleanup_(str_done) struct str found = { 0 };

	write_types(path);
	assert_int_equal(enums_open(path, &enums), 0);
	assert_int_equal(enums_each(enums, "colour", add_text, &found), 0);
	assert_int_equal(enums_each(enums, "size", add_text, &found), 0);
	assert_string_equal(str_text(&found),
			    "COLOUR_NONE=-1 COLOUR_RED=7 SIZE_HUGE=1099511627776 ");
	assert_int_equal(enums_each(enums, "COLOUR_RED", add_text, &found), -ENOENT);
	assert_int_equal(unlink(path), 0);
}

static void what_is_no_type_information_is_an_error(void **state)
{
	struct enums *enums = NULL;

	assert_true(enums_open("/proc/self/exe", &enums) < 0);
	assert_int_equal(enums_open("/does/not/exist", &enums), -ENOENT);
	assert_null(enums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enumerators_are_handed_out_by_the_name_of_their_enum),
		cmocka_unit_test(what_is_no_type_information_is_an_error),
	};

	return cmocka_run_group_tests_name("enums", tests, NULL, NULL);
}
