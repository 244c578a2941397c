/* test-fields.c - which columns a report has, and what it is ordered by. */
#include "../test.h"

#include <errno.h>

#include "analyze/fields.h"
#include "analyze/sortkey.h"
#include "base/err.h"
#include "base/str.h"

/* "Children Self comm dso symbol": measures by title, keys by name. */
static const char *names(const struct field_list *list, struct str *out)
{
	str_clear(out);
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			str_add_char(out, ' ');
		str_add(out, list->items[i].key ? list->items[i].key->name
						: measure_title(list->items[i].measure));
	}
	return str_text(out);
}

static void check(const struct fields_options *options, const char *columns, const char *order)
{
	struct fields fields = { 0 };
	struct str text = { 0 };

	assert_int_equal(fields_parse(options, &fields, NULL), 0);
	assert_string_equal(names(&fields.columns, &text), columns);
	assert_string_equal(names(&fields.order, &text), order);
	str_done(&text);
	fields_done(&fields);
}

static void the_default_is_overhead_then_comm_dso_and_symbol(void **state)
{
	check(&(struct fields_options){ 0 }, "Overhead comm dso symbol",
	      "Overhead comm dso symbol");
	check(&(struct fields_options){ .children = true }, "Children Overhead comm dso symbol",
	      "Children Overhead comm dso symbol");
	check(&(struct fields_options){ .branches = true },
	      "Overhead comm dso_from symbol_from symbol_to cycles",
	      "Overhead comm dso_from symbol_from symbol_to cycles");
}

static void of_tracepoints_the_default_is_their_text(void **state)
{
	check(&(struct fields_options){ .traces = true }, "Overhead trace", "Overhead trace");
	check(&(struct fields_options){ .traces = true, .sort = "comm" }, "Overhead comm",
	      "Overhead comm");
}

static void numbers_stand_before_keys_but_order_after_them(void **state)
{
	check(&(struct fields_options){ .show_samples = true }, "Overhead Samples comm dso symbol",
	      "Overhead comm dso symbol Samples");
}

static void sort_that_begins_with_plus_adds(void **state)
{
	check(&(struct fields_options){ .sort = "+cpu" }, "Overhead comm dso symbol cpu",
	      "Overhead comm dso symbol cpu");
	check(&(struct fields_options){ .sort = "+cpu", .traces = true }, "Overhead trace cpu",
	      "Overhead trace cpu");
}

static void fields_alone_are_columns_and_order(void **state)
{
	check(&(struct fields_options){ .fields = "comm,overhead,period", .children = true },
	      "comm Overhead Period", "comm Overhead Period");
	check(&(struct fields_options){ .fields = "overhead,sym", .sort = "dso" },
	      "Overhead symbol dso", "dso Overhead symbol");
}

static void an_overhead_named_in_sort_is_the_only_one(void **state)
{
	check(&(struct fields_options){ .sort = "comm,overhead", .children = true },
	      "Overhead comm", "comm Overhead");
	check(&(struct fields_options){ .sort = "overhead_us,comm", .children = true }, "usr comm",
	      "usr comm");
}

static void aliases_are_their_keys(void **state)
{
	check(&(struct fields_options){ .sort = "overhead,symbol,shared_object" },
	      "Overhead symbol dso ipc_null", "Overhead symbol dso ipc_null");
	check(&(struct fields_options){ .sort = "function,thread" }, "Overhead symbol pid",
	      "Overhead symbol pid");
}

static void an_unknown_key_is_refused_with_the_nearest(void **state)
{
	struct strobe_err err = { 0 };
	struct fields fields;

	assert_int_equal(fields_parse(&(struct fields_options){ .sort = "sybmol" }, &fields, &err),
			 -EINVAL);
	assert_string_equal(err.text, "unknown sort key 'sybmol'");
	assert_string_equal(err.hint, "did you mean 'symbol'?");
	assert_int_equal(
		fields_parse(&(struct fields_options){ .sort = "symbol_from" }, &fields, &err),
		-EINVAL);
}

static void an_elided_column_stays_a_key(void **state)
{
	struct fields fields = { 0 };
	struct str text = { 0 };

	assert_int_equal(fields_parse(&(struct fields_options){ 0 }, &fields, NULL), 0);
	fields_elide(&fields, "dso", "libc.so.6");
	fields_unelide_all(&fields);
	assert_string_equal(names(&fields.columns, &text), "Overhead comm symbol");
	assert_true(fields_have_key(&fields.order, "dso"));
	assert_int_equal(fields.elided_count, 1);
	fields_elide(&fields, "comm", "a");
	fields_elide(&fields, "symbol", "b");
	fields_unelide_all(&fields);
	assert_string_equal(names(&fields.columns, &text), "Overhead comm dso symbol");
	assert_int_equal(fields.elided_count, 3);
	str_done(&text);
	fields_done(&fields);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_is_overhead_then_comm_dso_and_symbol),
		cmocka_unit_test(of_tracepoints_the_default_is_their_text),
		cmocka_unit_test(numbers_stand_before_keys_but_order_after_them),
		cmocka_unit_test(sort_that_begins_with_plus_adds),
		cmocka_unit_test(fields_alone_are_columns_and_order),
		cmocka_unit_test(an_overhead_named_in_sort_is_the_only_one),
		cmocka_unit_test(aliases_are_their_keys),
		cmocka_unit_test(an_unknown_key_is_refused_with_the_nearest),
		cmocka_unit_test(an_elided_column_stays_a_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
