/* test-callnames-more.c - format/callnames-more.h */
#include "../test.h"

#include <string.h>

#include "format/callnames-more.h"

static const struct callname items[] = {
	{ 0, UINT64_MAX, "COLOUR_RED" },
	{ 1, UINT64_MAX, "COLOUR_GREEN" },
};
static const struct callnames colours = {
	.prefix = "COLOUR_", .kind = CALLNAMES_ENUM, .items = items, .count = 2, .btf = "colour"
};
static const struct callnames others = { .kind = CALLNAMES_ENUM, .items = items, .count = 2 };

static void each(void *context, const char *name,
		 void (*add)(void *add_context, const char *name, uint64_t value),
		 void *add_context)
{
	(*(int *)context)++;
	assert_string_equal(name, "colour");
	add(add_context, "COLOUR_VIOLET", 0);
	add(add_context, "COLOUR_BLUE", 2);
	add(add_context, "SHAPE_ROUND", 3);
	add(add_context, "COLOUR_MAX", 4);
	add(add_context, "__COLOUR_LAST", 5);
}

static void the_kernel_is_asked_once_for_what_the_table_has_not(void **state)
{
	int asked = 0;
	const struct callnames_source source = { each, &asked };
	_cleanup_(callnames_more_freep) struct callnames_more *more = callnames_more_new(&source);
	const struct callnames *found = callnames_more_find(more, &colours, 1);

	assert_ptr_equal(found, &colours);
	assert_int_equal(asked, 0);
	found = callnames_more_find(more, &colours, 2);
	assert_string_equal(callnames_find(found, 2), "COLOUR_BLUE");
	assert_string_equal(callnames_short(found, callnames_find(found, 2)), "BLUE");
	/* The table's own names stay. */
	assert_string_equal(callnames_find(found, 0), "COLOUR_RED");
	for (uint64_t value = 3; value < 6; value++)
		assert_null(callnames_find(callnames_more_find(more, &colours, value), value));
	assert_int_equal(asked, 1);
}

static void who_has_no_enum_in_the_kernel_stays_as_it_is(void **state)
{
	int asked = 0;
	const struct callnames_source source = { each, &asked };
	_cleanup_(callnames_more_freep) struct callnames_more *more = callnames_more_new(&source);

	assert_ptr_equal(callnames_more_find(more, &others, 2), &others);
	assert_ptr_equal(callnames_more_find(NULL, &colours, 2), &colours);
	assert_int_equal(asked, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_is_asked_once_for_what_the_table_has_not),
		cmocka_unit_test(who_has_no_enum_in_the_kernel_stays_as_it_is),
	};

	return cmocka_run_group_tests_name("callnames-more", tests, NULL, NULL);
}
