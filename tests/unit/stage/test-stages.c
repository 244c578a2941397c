/* test-stages.c - stage/stages.h: several stages as one. */
#include "../test.h"

#include <linux/perf_event.h>

#include "base/str.h"
#include "data/stage.h"
#include "stage/stages.h"

/* Makes two records of each, of the next type. */
static void pass_twice(struct stage *stage, const struct perf_event_header *header, struct str *out)
{
	struct perf_event_header made = *header;

	made.type++;
	str_add_bytes(out, &made, sizeof(made));
	str_add_bytes(out, &made, sizeof(made));
}

static void drop(struct stage *stage, const struct perf_event_header *header, struct str *out)
{
}

struct noting {
	struct stage stage;
	unsigned looked, noted, settled;
	uint32_t last_type;
};

static void note(struct stage *stage, const struct perf_event_header *header)
{
	struct noting *noting = (struct noting *)stage;

	noting->noted++;
	noting->last_type = header->type;
}

static void look(struct stage *stage, const struct perf_event_header *header)
{
	((struct noting *)stage)->looked++;
}

static void settle(struct stage *stage)
{
	((struct noting *)stage)->settled++;
}

static const struct perf_event_header record = { .type = 10, .size = sizeof(record) };

static void what_comes_out_of_one_goes_into_the_next(void **state)
{
	struct noting before = { .stage.note = note }, after = { .stage.note = note };
	struct stage first = { .pass = pass_twice }, second = { .pass = pass_twice };
	struct stages *stages = stages_new();
	struct stage *stage = stages_stage(stages);
	struct str out = { 0 };

	stages_add(stages, &before.stage);
	stages_add(stages, &first);
	stages_add(stages, &second);
	stages_add(stages, &after.stage);
	assert_null(stage->note);
	stage->pass(stage, &record, &out);
	assert_int_equal(out.size, 4 * sizeof(record));
	assert_int_equal(((const struct perf_event_header *)(void *)out.text)->type, 12);
	assert_true(before.noted == 1 && before.last_type == 10);
	assert_true(after.noted == 4 && after.last_type == 12);
	str_done(&out);
	stages_free(stages);
}

static void what_is_dropped_is_not_noted_behind_that(void **state)
{
	struct noting after = { .stage.note = note };
	struct stage dropping = { .pass = drop };
	struct stages *stages = stages_new();
	struct stage *stage = stages_stage(stages);
	struct str out = { 0 };

	stages_add(stages, &dropping);
	stages_add(stages, &after.stage);
	stage->pass(stage, &record, &out);
	assert_int_equal(out.size, 0);
	assert_int_equal(after.noted, 0);
	stages_free(stages);
}

static void stages_that_only_note_copy_nothing(void **state)
{
	struct noting one = { .stage = { .look = look, .settle = settle, .note = note } };
	struct noting other = { .stage.note = note };
	struct stages *stages = stages_new();
	struct stage *stage = stages_stage(stages);

	stages_add(stages, &one.stage);
	stages_add(stages, &other.stage);
	assert_null(stage->pass);
	stage->begin(stage, NULL, 0);
	stage->change_attr(stage, NULL);
	stage->look(stage, &record);
	stage->settle(stage);
	stage->note(stage, &record);
	assert_true(one.looked == 1 && one.settled == 1 && one.noted == 1);
	assert_true(other.looked == 0 && other.settled == 0 && other.noted == 1);
	stages_free(stages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_out_of_one_goes_into_the_next),
		cmocka_unit_test(what_is_dropped_is_not_noted_behind_that),
		cmocka_unit_test(stages_that_only_note_copy_nothing),
	};

	return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
