#include "../test.h"

#include <errno.h>
#include <stdlib.h>

#include "../../lib/tracing.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/tracepoint.h"

/* A tracepoint as tracefs describes it: a number, an array, a text and a text that lies elsewhere.
 */
static const char format[] =
	"name: order\nID: 42\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:int amount;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] where;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"%s takes %d at %s\", REC->comm, REC->amount, __get_str(where)\n";

struct sample_bytes {
	uint16_t type, padding;
	int32_t pid;
	char comm[8];
	int32_t amount;
	uint32_t where;
	char text[8];
};

static const struct sample_bytes good = {
	.type = 42,
	.pid = 7,
	.comm = "ann",
	.amount = -3,
	.where = 24 | 4 << 16,
	.text = "bar",
};

/* With one event. */
static char *section_of(const char *text, size_t *ret_size)
{
	return tracing_section(&text, 1, ret_size);
}

static char *section(size_t *ret_size)
{
	return section_of(format, ret_size);
}

static struct tracepoint_set *load(void)
{
	_cleanup_(freep) char *bytes = NULL;
	struct tracepoint_set *set;
	struct strobe_err err;
	size_t size;

	bytes = section(&size);
	assert_int_equal(tracepoint_set_new(bytes, size, &set, &err), 0);
	return set;
}

static void an_event_is_found_by_its_id(void **state)
{
	struct tracepoint_set *set = load();

	assert_string_equal(tracepoint_name(tracepoint_set_find(set, 42)), "order");
	assert_string_equal(tracepoint_system(tracepoint_set_find(set, 42)), "shop");
	assert_null(tracepoint_set_find(set, 43));
	assert_null(tracepoint_set_find(set, UINT64_MAX));
	tracepoint_set_free(set);
}

static void the_text_is_what_the_print_format_says(void **state)
{
	struct tracepoint_set *set = load();
	struct str text = { 0 };

	tracepoint_print(tracepoint_set_find(set, 42), &good, sizeof(good), &text);
	assert_string_equal(str_text(&text), "ann takes -3 at bar");
	str_done(&text);
	tracepoint_set_free(set);
}

static void fields_have_values_and_texts(void **state)
{
	struct tracepoint_set *set = load();
	const struct tracepoint *order = tracepoint_set_find(set, 42);
	const struct tracepoint_field *amount = tracepoint_field_find(order, "amount");
	const struct tracepoint_field *where = tracepoint_field_find(order, "where");
	struct str text = { 0 };
	const void *bytes;
	uint64_t value;
	size_t size;

	assert_string_equal(tracepoint_field_name(tracepoint_field_at(order, 0)), "comm");
	assert_ptr_equal(tracepoint_field_at(order, 1), amount);
	assert_null(tracepoint_field_at(order, 3));
	assert_true(tracepoint_field_is_signed(amount));
	assert_true(tracepoint_field_number(amount, &good, sizeof(good), &value));
	assert_true((int64_t)value == -3);
	assert_true(tracepoint_field_number(tracepoint_field_find(order, "common_pid"), &good,
					    sizeof(good), &value));
	assert_int_equal(value, 7);
	assert_true(tracepoint_field_is_text(where));
	assert_false(tracepoint_field_number(where, &good, sizeof(good), &value));
	assert_true(tracepoint_field_bytes(where, &good, sizeof(good), &bytes, &size));
	assert_int_equal(size, 4);
	assert_string_equal(bytes, "bar");
	tracepoint_field_print(where, &good, sizeof(good), &text);
	assert_string_equal(str_text(&text), "bar");
	str_done(&text);
	tracepoint_set_free(set);
}

static void a_record_that_is_too_short_prints_nothing(void **state)
{
	struct tracepoint_set *set = load();
	struct sample_bytes bad = good;
	struct str text = { 0 };

	for (size_t size = 0; size < 28; size++)
		tracepoint_print(tracepoint_set_find(set, 42), &good, size, &text);
	bad.where = 0xffff0018;
	tracepoint_print(tracepoint_set_find(set, 42), &bad, sizeof(bad), &text);
	assert_int_equal(text.size, 0);
	/* A text without an end is cut at the record's. */
	bad.where = 24 | 8 << 16;
	memset(bad.text, 'x', sizeof(bad.text));
	tracepoint_print(tracepoint_set_find(set, 42), &bad, sizeof(bad), &text);
	assert_string_equal(str_text(&text), "ann takes -3 at xxxxxxxx");
	str_done(&text);
	tracepoint_set_free(set);
}

static void a_section_cut_anywhere_does_no_harm(void **state)
{
	_cleanup_(freep) char *bytes = NULL;
	size_t whole, usable = 0;

	bytes = section(&whole);
	for (size_t size = 0; size < whole; size++) {
		char *cut = xcalloc(1, size + 1); /* so that a read past the end is seen */
		struct tracepoint_set *set;

		memcpy(cut, bytes, size);
		if (tracepoint_set_new(cut, size, &set, NULL) == 0) {
			usable++;
			assert_non_null(tracepoint_set_find(set, 42));
			tracepoint_set_free(set);
		}
		free(cut);
	}
	assert_int_equal(usable, 16); /* only the three last sizes may be missing */
	assert_int_equal(tracepoint_set_new("nonsense", 8, &(struct tracepoint_set *){ 0 }, NULL),
			 -EBADMSG);
}

static void a_print_format_that_leads_outside_is_not_followed(void **state)
{
	static const char *const prints[] = { "\"%d\", __get_dynamic_array_len(nothing)",
					      "\"%s\", __get_str(amount)",
					      "\"%s\", __get_str(nothing)" };

	for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		_cleanup_(freep) char *bytes = NULL;
		struct tracepoint_set *set;
		struct str text = { 0 };
		char event[1024];
		size_t size;

		(void)snprintf(
			event, sizeof(event),
			"name: order\nID: 42\nformat:\n"
			"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			"\tfield:int amount;\toffset:16;\tsize:4;\tsigned:1;\n"
			"\tfield:__rel_loc u8[] there;\toffset:20;\tsize:4;\tsigned:0;\n"
			"\nprint fmt: %s\n",
			prints[i]);
		bytes = section_of(event, &size);
		assert_int_equal(tracepoint_set_new(bytes, size, &set, NULL), 0);
		tracepoint_print(tracepoint_set_find(set, 42),
				 &(struct sample_bytes){ .amount = -3 },
				 sizeof(struct sample_bytes), &text);
		assert_string_equal(str_text(&text), "[FAILED TO PARSE] amount=-3 there=");
		str_done(&text);
		tracepoint_set_free(set);
	}
}

static void arrays_of_numbers_have_elements(void **state)
{
	static const char with_list[] =
		"name: list\nID: 42\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\n"
		"\tfield:short few[3];\toffset:2;\tsize:6;\tsigned:1;\n"
		"\tfield:u8 name[4];\toffset:8;\tsize:4;\tsigned:0;\n"
		"\nprint fmt: \"%d\", REC->few[0]\n";
	static const struct {
		uint16_t type;
		int16_t few[3];
		char name[4];
	} raw = { 42, { -1, 2, INT16_MIN }, "ann" };
	size_t size;
	_cleanup_(freep) char *section = section_of(with_list, &size);
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *set = NULL;
	const struct tracepoint_field *few, *name;
	uint64_t value;

	assert_int_equal(tracepoint_set_new(section, size, &set, NULL), 0);
	few = tracepoint_field_find(tracepoint_set_find(set, 42), "few");
	name = tracepoint_field_find(tracepoint_set_find(set, 42), "name");
	for (size_t i = 0; i < 3; i++) {
		assert_true(tracepoint_field_element(few, &raw, sizeof(raw), i, &value));
		assert_true((int64_t)value == raw.few[i]);
	}
	assert_false(tracepoint_field_element(few, &raw, sizeof(raw), 3, &value));
	assert_false(tracepoint_field_element(few, &raw, 7, 0, &value));
	assert_false(tracepoint_field_element(name, &raw, sizeof(raw), 0, &value));
}

static const struct tracepoint *load_event(const char *text, struct tracepoint_set **ret_set)
{
	_cleanup_(freep) char *bytes = NULL;
	size_t size;

	bytes = section_of(text, &size);
	assert_int_equal(tracepoint_set_new(bytes, size, ret_set, NULL), 0);
	return tracepoint_set_find(*ret_set, 42);
}

static void add_head(struct str *event)
{
	str_add(event, "name: order\nID: 42\nformat:\n"
		       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n");
}

/* 30000 times the same bytes: gigabytes of text, or of work without any. */
static void a_text_ends_somewhere(void **state)
{
	enum { TIMES = 30000, RAW_SIZE = 60000 };
	static const struct {
		const char *conversion, *arg;
		char byte;
		size_t text_size;
	} examples[] = {
		{ "%s", ", REC->rest", 'x', 64 * 1024 + 8 * RAW_SIZE + 3 },
		{ "%.1s", ", REC->rest", 'x', 1024 * 1024 / RAW_SIZE + 1 + 3 },
		{ "%*pbl", ", 480000, REC->rest", '\0', 3 },
		{ "%s", ", __print_hex(REC->rest, 99999)", '\0', 64 * 1024 + 8 * RAW_SIZE + 3 },
	};

	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		_cleanup_(str_done) struct str event = { 0 }, text = { 0 };
		_cleanup_(freep) char *raw = xcalloc(1, RAW_SIZE);
		struct tracepoint_set *set;
		const struct tracepoint *order;

		memset(raw, examples[i].byte, RAW_SIZE);
		add_head(&event);
		str_add(&event, "\tfield:char rest[];\toffset:8;\tsize:0;\tsigned:0;\n"
				"\nprint fmt: \"");
		for (size_t n = 0; n < TIMES; n++)
			str_add(&event, examples[i].conversion);
		str_add(&event, "\"");
		for (size_t n = 0; n < TIMES; n++)
			str_add(&event, examples[i].arg);
		order = load_event(event.text, &set);
		tracepoint_print(order, raw, RAW_SIZE, &text);
		assert_int_equal(text.size, examples[i].text_size);
		assert_string_equal(text.text + text.size - 3, "...");
		tracepoint_set_free(set);
	}
}

static void add_fields(struct str *event, size_t count)
{
	add_head(event);
	for (size_t i = 0; i < count; i++)
		str_addf(event, "\tfield:char f%zu[];\toffset:0;\tsize:0;\tsigned:0;\n", i);
	str_add(event, "\nprint fmt: \"%s\", what()\n");
}

static void a_thousand_fields_are_enough(void **state)
{
	_cleanup_(str_done) struct str many = { 0 }, too_many = { 0 }, text = { 0 }, fields = { 0 };
	_cleanup_(freep) char *raw = xcalloc(1, 60000);
	struct tracepoint_set *set, *none;
	const struct tracepoint *order;

	add_fields(&many, 1023);
	order = load_event(many.text, &set);
	assert_string_equal(tracepoint_field_name(tracepoint_field_at(order, 1022)), "f1022");
	assert_null(tracepoint_field_at(order, 1023));
	memset(raw, 'x', 60000);
	tracepoint_print(order, raw, 60000, &text);
	tracepoint_print_raw(order, raw, 60000, &fields);
	assert_int_equal(fields.size, 64 * 1024 + 8 * 60000 + 3);
	assert_int_equal(text.size, strlen("[FAILED TO PARSE]") + fields.size);
	tracepoint_set_free(set);

	add_fields(&too_many, 1024);
	assert_null(load_event(too_many.text, &none));
	tracepoint_set_free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_found_by_its_id),
		cmocka_unit_test(the_text_is_what_the_print_format_says),
		cmocka_unit_test(fields_have_values_and_texts),
		cmocka_unit_test(a_record_that_is_too_short_prints_nothing),
		cmocka_unit_test(a_print_format_that_leads_outside_is_not_followed),
		cmocka_unit_test(a_section_cut_anywhere_does_no_harm),
		cmocka_unit_test(arrays_of_numbers_have_elements),
		cmocka_unit_test(a_text_ends_somewhere),
		cmocka_unit_test(a_thousand_fields_are_enough),
	};

	return cmocka_run_group_tests_name("tracepoint", tests, NULL, NULL);
}
