#include "../test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "format/metric-formula.h"
#include "strobe/err.h"

/* Of a formula in which a is 6, b is 3 and c is 0, named in this order. */
static double value_of(const char *text)
{
	static const double values[] = { 6, 3, 0 };
	_cleanup_(metric_formula_freep) struct metric_formula *formula = NULL;
	double value;

	assert_int_equal(metric_formula_parse(text, &formula, NULL), 0);
	return metric_formula_value(formula, values, &value) ? value : (double)NAN;
}

static void operators_bind_as_usual(void **state)
{
	assert_true(value_of("1 + 2 * 3") == 7);
	assert_true(value_of("(1 + 2) * 3") == 9);
	assert_true(value_of("10 - 4 - 3") == 3);
	assert_true(value_of("100 / 10 / 5") == 2);
	assert_true(value_of("2 * -3 + 1") == -5);
	assert_true(value_of("--2 - -1") == 3);
	assert_true(value_of("-a / b") == -2);
	assert_true(value_of("0.5 * a") == 3);
	assert_true(value_of("100*a/(a+b)-c") - 66.6666 < 0.0001);
	assert_true(value_of("min(a, b) + max(a, b) * min(1, 2)") == 9);
	assert_true(value_of("max(min(a, b + 1), c)") == 4);
}

static void what_has_no_value_says_so(void **state)
{
	assert_true(isnan(value_of("a / (b - b)")));
	assert_true(isnan(value_of("(a + b) / 0")));
	assert_true(isnan(value_of("max(a / 0, 1)")));
}

static void names_are_told_once_and_in_order(void **state)
{
	_cleanup_(metric_formula_freep) struct metric_formula *formula = NULL;

	assert_int_equal(
		metric_formula_parse("l2.miss / ('topdown-x' + l2.miss) * A_1", &formula, NULL), 0);
	assert_int_equal(metric_formula_count(formula), 3);
	assert_string_equal(metric_formula_name(formula, 0), "l2.miss");
	assert_string_equal(metric_formula_name(formula, 1), "topdown-x");
	assert_string_equal(metric_formula_name(formula, 2), "A_1");
}

static void what_is_no_formula_is_refused_at_its_place(void **state)
{
	static const struct {
		const char *text;
		size_t at;
	} cases[] = {
		{ "", 0 },       { "a +", 3 },        { "a b", 2 },       { "(a", 2 },
		{ "a)", 1 },     { "a,b", 1 },        { "(a,b)", 2 },     { "min(a)", 5 },
		{ "a ++", 3 },   { "min(a,b,c)", 7 }, { "'a", 0 },        { "''", 0 },
		{ "sin(a)", 0 }, { "a $ b", 2 },      { "1.2.3 + a", 3 }, { "*a", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct metric_formula *formula = NULL;
		struct strobe_err err = { 0 };
		char where[64];

		assert_int_equal(metric_formula_parse(cases[i].text, &formula, &err), -EINVAL);
		assert_null(formula);
		(void)snprintf(where, sizeof(where), "%s\n%*s^", cases[i].text, (int)cases[i].at,
			       "");
		assert_string_equal(err.where, where);
	}
}

static void nesting_has_an_end(void **state)
{
	struct metric_formula *formula = NULL;
	char text[4096];

	(void)memset(text, '(', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(metric_formula_parse(text, &formula, NULL), -EINVAL);
	(void)memset(text, '-', sizeof(text) - 1);
	assert_int_equal(metric_formula_parse(text, &formula, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_bind_as_usual),
		cmocka_unit_test(what_has_no_value_says_so),
		cmocka_unit_test(names_are_told_once_and_in_order),
		cmocka_unit_test(what_is_no_formula_is_refused_at_its_place),
		cmocka_unit_test(nesting_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
