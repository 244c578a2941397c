/* test-trace-keys.c - fields of tracepoints as sort keys. */
#include "../test.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tracing.h"
#include "analyze/sortkey.h"
#include "analyze/trace-key.h"
#include "analyze/trace-keys.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strings.h"
#include "base/suggest.h"
#include "data/events.h"
#include "format/tracepoint.h"

/* Two tracepoints with a field of one name. The state is a word in the text of the first. */
static const char *const formats[] = {
	"name: order\nID: 42\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\n"
	"\tfield:char who[8];\toffset:4;\tsize:8;\tsigned:1;\n"
	"\tfield:int state;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"state=%s of %d\", REC->state ? \"open\" : \"closed\", REC->state\n",
	"name: reorder\nID: 43\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\n"
	"\tfield:int state;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"%d\", REC->state\n",
};

struct order {
	uint16_t type, padding;
	char who[8];
	int32_t state;
};

struct fixture {
	struct events *events;
	struct trace_source source;
	struct trace_keys keys;
	struct trace_found found;
	struct strings kept;
};

static struct tracepoint_set *load(void)
{
	struct tracepoint_set *set;
	size_t size;
	_cleanup_(freep) char *section = tracing_section(formats, 2, &size);

	assert_int_equal(tracepoint_set_new(section, size, &set, NULL), 0);
	return set;
}

static int begin(void **state)
{
	struct fixture *fixture = xnew(struct fixture);

	fixture->events = events_new();
	for (uint64_t id = 42; id < 44; id++)
		(void)events_add(fixture->events,
				 &(struct attr){ .type = PERF_TYPE_TRACEPOINT, .config = id }, NULL,
				 0);
	fixture->source = (struct trace_source){ fixture->events, load(), false };
	*state = fixture;
	return 0;
}

static int end(void **state)
{
	struct fixture *fixture = *state;

	trace_keys_done(&fixture->keys);
	strings_done(&fixture->kept);
	tracepoint_set_free((struct tracepoint_set *)fixture->source.formats);
	events_free(fixture->events);
	free(fixture->found.items);
	free(fixture);
	return 0;
}

static int find(struct fixture *fixture, const char *name, struct strobe_err *err)
{
	struct str_part part = { name, strlen(name) };

	return trace_keys_find(&fixture->keys, &fixture->source, part, &fixture->found, err);
}

static struct item take_order(struct fixture *fixture, const char *who, int32_t order_state,
			      size_t size)
{
	struct order order = { .type = 42, .state = order_state };

	memcpy(order.who, who, strlen(who));
	return (struct item){
		.traced = trace_key_take(fixture->keys.items, fixture->keys.count, 0, &order, size,
					 &fixture->kept),
	};
}

static void check_text(const struct sortkey *key, const struct item *item, const char *text)
{
	struct str out = { 0 };

	sortkey_print(key, item, &out, NULL);
	assert_string_equal(str_text(&out), text);
	str_done(&out);
}

static void a_field_is_a_key_of_each_event_that_has_it(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(find(fixture, "state", NULL), 2);
	assert_int_equal(fixture->found.items[0]->traced->event, 0);
	assert_int_equal(fixture->found.items[1]->traced->event, 1);
	assert_int_equal(find(fixture, "who", NULL), 1);
	assert_int_equal(find(fixture, "common_type", NULL), 2);
	assert_int_equal(find(fixture, "price", NULL), 0);
	assert_int_equal(find(fixture, "", NULL), 0);
	assert_int_equal(find(fixture, "trace_fields", NULL), 3);
}

static void one_field_is_one_key(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(find(fixture, "who", NULL), 1);
	assert_int_equal(find(fixture, "shop:order.*", NULL), 2);
	assert_ptr_equal(fixture->found.items[0], fixture->found.items[1]);
	assert_int_equal(fixture->keys.count, 2);
}

static void an_event_goes_by_its_name_its_number_or_a_part_that_only_it_has(void **state)
{
	static const char *const names[] = { "order.state", "shop:order.state", "%1.state",
					     "p:o.state/raw" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(find(fixture, names[i], NULL), 1);
		assert_int_equal(fixture->found.items[i]->traced->event, 0);
	}
	assert_int_equal(find(fixture, "reo.state", NULL), 1);
	assert_int_equal(fixture->found.items[4]->traced->event, 1);
}

static void what_is_not_there_is_an_error(void **state)
{
	static const char *const names[] = { "shop.state", "%0.state", "%3.state", "%x.state",
					     "order.stat", "order.",   "shop:.*" };
	struct fixture *fixture = *state;
	struct strobe_err err;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(find(fixture, names[i], &err), -EINVAL);
	assert_int_equal(fixture->keys.count, 0);
	assert_int_equal(find(fixture, "order.stat", &err), -EINVAL);
	assert_non_null(strstr(err.hint, "'state'"));
}

static void a_value_is_what_the_text_of_the_event_has(void **state)
{
	struct fixture *fixture = *state;
	struct item item;

	assert_int_equal(find(fixture, "order.*", NULL), 2);
	item = take_order(fixture, "ann b", 1, sizeof(struct order));
	check_text(fixture->found.items[0], &item, "ann b");
	check_text(fixture->found.items[1], &item, "open");
	assert_int_equal(sortkey_width(fixture->found.items[0], &item, NULL), 8);
	assert_int_equal(sortkey_width(fixture->found.items[1], &item, NULL), 10);
}

static void a_raw_value_is_its_number(void **state)
{
	struct fixture *fixture = *state;
	struct item item;

	assert_int_equal(find(fixture, "order.state/raw", NULL), 1);
	item = take_order(fixture, "ann", 1, sizeof(struct order));
	check_text(fixture->found.items[0], &item, "1");
}

static void items_without_the_field_come_last(void **state)
{
	struct fixture *fixture = *state;
	struct item a, b, cut, none = { 0 };
	const struct sortkey *key;

	assert_int_equal(find(fixture, "who", NULL), 1);
	key = fixture->found.items[0];
	a = take_order(fixture, "ann", 1, sizeof(struct order));
	b = take_order(fixture, "bob", 0, sizeof(struct order));
	cut = take_order(fixture, "bob", 0, offsetof(struct order, who) + 7);
	assert_true(sortkey_compare(key, &b, &a, NULL) < 0);
	assert_true(sortkey_compare(key, &a, &cut, NULL) < 0);
	assert_true(sortkey_compare(key, &none, &a, NULL) > 0);
	assert_int_equal(sortkey_compare(key, &none, &cut, NULL), 0);
	assert_int_equal(sortkey_hash(key, &none, NULL), sortkey_hash(key, &cut, NULL));
	check_text(key, &cut, "N/A");
	assert_false(trace_key_is_there(key->traced, &cut));
}

static void what_no_key_looks_at_makes_no_difference(void **state)
{
	struct fixture *fixture = *state;
	struct strings others = { 0 };
	struct item a, b;

	assert_int_equal(find(fixture, "who", NULL), 1);
	a = take_order(fixture, "ann", 1, sizeof(struct order));
	b = take_order(fixture, "ann", 2, sizeof(struct order));
	assert_ptr_equal(a.traced, b.traced);
	b.traced = trace_key_keep(a.traced, &others);
	assert_ptr_not_equal(a.traced, b.traced);
	assert_int_equal(sortkey_compare(fixture->found.items[0], &a, &b, NULL), 0);
	assert_null(trace_key_keep(NULL, &others));
	assert_null(trace_key_take(fixture->keys.items, fixture->keys.count, 1, "", 0, &others));
	strings_done(&others);
}

static void a_field_is_suggested(void **state)
{
	struct fixture *fixture = *state;
	struct suggest suggest = { .typed = "staet" };

	trace_keys_suggest(&fixture->source, &suggest);
	assert_string_equal(suggest.name, "state");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_field_is_a_key_of_each_event_that_has_it),
		CASE(one_field_is_one_key),
		CASE(an_event_goes_by_its_name_its_number_or_a_part_that_only_it_has),
		CASE(what_is_not_there_is_an_error),
		CASE(a_value_is_what_the_text_of_the_event_has),
		CASE(a_raw_value_is_its_number),
		CASE(items_without_the_field_come_last),
		CASE(what_no_key_looks_at_makes_no_difference),
		CASE(a_field_is_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
