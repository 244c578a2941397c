#include "../test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "analyze/script-fields.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/events.h"

enum { ALWAYS = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

static struct event_desc event_of(uint32_t type, uint64_t sample_type)
{
	return (struct event_desc){
		.name = "event",
		.attr = { .type = type, .sample_type = sample_type, .sample_period = 1 },
	};
}

static int fit(struct script_fields *fields, const struct event_desc *event)
{
	return script_fields_fit(fields, &event, 1, true, NULL);
}

static bool has(const struct script_fields *fields, enum script_field field)
{
	return script_fields_has(fields, SCRIPT_SOFTWARE, field);
}

static void defaults_without_data_are_dropped(void **state)
{
	struct script_fields fields = script_fields_default();
	struct event_desc event = event_of(PERF_TYPE_SOFTWARE, ALWAYS);

	assert_true(has(&fields, SCRIPT_CPU));
	assert_int_equal(fit(&fields, &event), 0);
	assert_false(has(&fields, SCRIPT_CPU));
	assert_true(has(&fields, SCRIPT_TIME));
}

static void what_was_asked_for_must_be_there(void **state)
{
	struct script_fields fields = script_fields_default();
	struct event_desc event = event_of(PERF_TYPE_SOFTWARE, ALWAYS);

	assert_int_equal(script_fields_parse(&fields, "comm,cpu", NULL, NULL), 0);
	assert_int_equal(fit(&fields, &event), -EINVAL);
}

static void signs_change_the_defaults(void **state)
{
	struct script_fields fields = script_fields_default();

	assert_int_equal(script_fields_parse(&fields, "-comm,+weight", NULL, NULL), 0);
	assert_false(has(&fields, SCRIPT_COMM));
	assert_true(has(&fields, SCRIPT_WEIGHT));
	assert_true(has(&fields, SCRIPT_TID));
	assert_int_equal(script_fields_parse(&fields, "comm,-tid", NULL, NULL), -EINVAL);
	assert_int_equal(script_fields_parse(&fields, "comn", NULL, NULL), -EINVAL);
	assert_int_equal(script_fields_parse(&fields, "", NULL, NULL), -EINVAL);
}

static void a_prefix_sets_one_type_of_event(void **state)
{
	struct script_fields fields = script_fields_default();

	assert_int_equal(script_fields_parse(&fields, "hw:ip", NULL, NULL), 0);
	assert_true(has(&fields, SCRIPT_COMM));
	assert_false(script_fields_has(&fields, SCRIPT_HARDWARE, SCRIPT_COMM));
	assert_int_equal(script_fields_parse(&fields, "sw:", NULL, NULL), 0);
	assert_true(fields.suppressed[SCRIPT_SOFTWARE]);
	assert_int_equal(script_fields_parse(&fields, "ip", NULL, NULL), 0);
	assert_false(fields.suppressed[SCRIPT_SOFTWARE]);
}

static void events_with_a_prefix_must_be_there(void **state)
{
	static const struct {
		const char *first, *second;
		int result;
	} rows[] = {
		{ "sw:ip", NULL, 0 },    { "hw:ip", NULL, -EINVAL }, { "trace:", NULL, -EINVAL },
		{ "synth:ip", NULL, 0 }, { "hw:ip", "comm", 0 },     { "comm", "hw:ip", -EINVAL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct script_fields fields = script_fields_default();
		struct event_desc event = event_of(PERF_TYPE_SOFTWARE, ALWAYS);

		assert_int_equal(script_fields_parse(&fields, rows[i].first, NULL, NULL), 0);
		if (rows[i].second)
			assert_int_equal(script_fields_parse(&fields, rows[i].second, NULL, NULL),
					 0);
		assert_int_equal(fit(&fields, &event), rows[i].result);
	}
}

static void fields_of_other_types_are_remarked_on(void **state)
{
	struct script_fields fields = script_fields_default();
	_cleanup_(str_done) struct str remarks = { 0 };

	assert_int_equal(script_fields_parse(&fields, "trace", &remarks, NULL), 0);
	assert_non_null(
		strstr(str_text(&remarks), "'trace' not valid for software events. Ignoring.\n"));
	assert_int_equal(script_fields_parse(&fields, "sw:trace", NULL, NULL), -EINVAL);
}

static void instructions_of_branches_need_all_branches(void **state)
{
	struct script_fields fields = script_fields_default();
	struct event_desc event = event_of(PERF_TYPE_SOFTWARE, ALWAYS | PERF_SAMPLE_BRANCH_STACK);

	assert_int_equal(script_fields_parse(&fields, "ip,brstackinsn", NULL, NULL), 0);
	assert_true(script_fields_any_code(&fields));
	assert_int_equal(fit(&fields, &event), -EINVAL);
	event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	assert_int_equal(fit(&fields, &event), 0);
}

static void some_fields_need_another(void **state)
{
	struct event_desc event = event_of(PERF_TYPE_SOFTWARE, ALWAYS);
	struct script_fields fields = script_fields_default();

	assert_int_equal(script_fields_parse(&fields, "comm,srcline", NULL, NULL), 0);
	assert_int_equal(fit(&fields, &event), -EINVAL);
	assert_int_equal(script_fields_parse(&fields, "ip,srcline", NULL, NULL), 0);
	assert_int_equal(fit(&fields, &event), 0);
	assert_int_equal(script_fields_parse(&fields, "ip,symoff", NULL, NULL), 0);
	assert_int_equal(fit(&fields, &event), -EINVAL);
}

static void kinds_without_events_want_nothing(void **state)
{
	struct event_desc software = event_of(PERF_TYPE_SOFTWARE, ALWAYS);
	struct event_desc tracepoint = event_of(PERF_TYPE_TRACEPOINT, ALWAYS);
	struct script_fields fields = script_fields_default();

	assert_int_equal(script_fields_parse(&fields, "+symoff", NULL, NULL), 0);
	assert_int_equal(fit(&fields, &software), 0);
	assert_true(has(&fields, SCRIPT_SYMOFF));
	assert_int_equal(fit(&fields, &tracepoint), -EINVAL);
}

static void programs_get_what_was_listed_and_no_more(void **state)
{
	struct script_fields fields = script_fields_default();

	assert_int_equal(script_fields_parse(&fields, "hw:ip", NULL, NULL), 0);
	script_fields_widen(&fields);
	assert_false(script_fields_has(&fields, SCRIPT_HARDWARE, SCRIPT_UREGS));
	assert_true(script_fields_has(&fields, SCRIPT_SOFTWARE, SCRIPT_UREGS));
}

static void programs_get_all_but_what_was_taken_away(void **state)
{
	struct event_desc event = event_of(PERF_TYPE_SOFTWARE, ALWAYS);
	struct script_fields fields = script_fields_default();

	assert_int_equal(script_fields_parse(&fields, "-comm", NULL, NULL), 0);
	script_fields_widen(&fields);
	assert_int_equal(fit(&fields, &event), 0);
	assert_true(script_fields_has(&fields, SCRIPT_SOFTWARE, SCRIPT_UREGS));
	assert_false(script_fields_has(&fields, SCRIPT_SOFTWARE, SCRIPT_COMM));
	assert_false(script_fields_has(&fields, SCRIPT_SOFTWARE, SCRIPT_TRACE));
	/* What one event has no data for, another of its kind may have: each sample tells. */
	assert_false(script_fields_are_in(SCRIPT_UREGS, event.attr.sample_type));
	assert_true(script_fields_are_in(SCRIPT_UREGS, PERF_SAMPLE_REGS_USER));
	assert_true(script_fields_are_in(SCRIPT_COMM, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_without_data_are_dropped),
		cmocka_unit_test(what_was_asked_for_must_be_there),
		cmocka_unit_test(signs_change_the_defaults),
		cmocka_unit_test(a_prefix_sets_one_type_of_event),
		cmocka_unit_test(events_with_a_prefix_must_be_there),
		cmocka_unit_test(fields_of_other_types_are_remarked_on),
		cmocka_unit_test(instructions_of_branches_need_all_branches),
		cmocka_unit_test(some_fields_need_another),
		cmocka_unit_test(kinds_without_events_want_nothing),
		cmocka_unit_test(programs_get_what_was_listed_and_no_more),
		cmocka_unit_test(programs_get_all_but_what_was_taken_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
