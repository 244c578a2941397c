#include "../test.h"

#include "base/arena.h"
#include "format/formattext.h"

#define HEAD "name: order\nID: 42\nformat:\n"
#define FIELD "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:1;\n"
#define PRINT "\nprint fmt: \"%s\", REC->comm\n"

static bool parse(const char *text, size_t size, struct formattext *format)
{
	struct arena arena = { 0 };
	bool good;

	*format = (struct formattext){ .fields = { .long_size = 8 } };
	good = formattext_parse(text, size, &arena, format);
	tracefields_done(&format->fields);
	arena_done(&arena);
	return good;
}

static bool whole(const char *text)
{
	struct formattext format;

	return parse(text, strlen(text), &format);
}

static void name_number_and_print_format_are_found(void **state)
{
	static const char text[] = HEAD FIELD PRINT;
	struct formattext format;

	assert_true(parse(text, strlen(text), &format));
	assert_true(str_part_is(format.name, "order"));
	assert_int_equal(format.id, 42);
	assert_true(str_part_is(format.print, "\"%s\", REC->comm\n"));
}

static void fields_are_told_apart_by_their_declarations(void **state)
{
	static const char text[] =
		HEAD "\tfield:unsigned int n;\toffset:0;\tsize:4;\tsigned:0;\n"
		     "\tfield:const struct x * p;\toffset:8;\tsize:8;\tsigned:0;\n"
		     "\tfield:u16 pair[2];\toffset:16;\tsize:4;\tsigned:0;\n"
		     "\tfield:__rel_loc u32[] ids;\toffset:20;\tsize:4;\tsigned:0;\n" PRINT;
	struct formattext format = { .fields = { .long_size = 8 } };
	struct arena arena = { 0 };
	const struct tracefield *field;

	assert_true(formattext_parse(text, strlen(text), &arena, &format));
	field = tracefields_find(&format.fields, "n");
	assert_false(field->is_array || field->is_signed || field->is_pointer);
	assert_true(tracefields_find(&format.fields, "p")->is_pointer);
	field = tracefields_find(&format.fields, "pair");
	assert_true(field->is_array && !field->is_text && !field->is_dynamic);
	assert_int_equal(field->element, 2);
	field = tracefields_find(&format.fields, "ids");
	assert_true(field->is_array && field->is_dynamic && field->is_relative);
	assert_int_equal(field->element, 4);
	tracefields_done(&format.fields);
	arena_done(&arena);
}

static void what_kernels_write_is_whole(void **state)
{
	assert_true(whole(HEAD FIELD PRINT));
	assert_true(whole(HEAD "\n" FIELD "\n" PRINT));
	assert_true(whole(HEAD "\tfield:int n;\toffset:0;\tsize:4;\n" PRINT)); /* before signed: */
	assert_true(whole(HEAD
			  "\tfield:__data_loc char[] where;\toffset:0;\tsize:4;\tsigned:1;\n"
			  "\tfield:const struct x * p;\toffset:8;\tsize:8;\tsigned:0;\n" PRINT));
	assert_true(whole(
		HEAD "\tfield:u8 b[((5) > (8) ? 1 : 2)];\toffset:0;\tsize:2;\tsigned:0;\n" PRINT));
}

static void anything_else_is_not(void **state)
{
	static const char *const texts[] = {
		"",
		"name: order\n",
		HEAD,
		HEAD FIELD,
		"ID: 42\nname: order\nformat:\n" FIELD PRINT,
		"name: a\"b\nID: 42\nformat:\n" FIELD PRINT,
		"name: order\nID: x\nformat:\n" FIELD PRINT,
		HEAD "hello\n" PRINT,
		HEAD "\tfield:comm;\toffset:8;\tsize:8;\tsigned:1;\n" PRINT,
		HEAD "\tfield:char comm[8;\toffset:8;\tsize:8;\tsigned:1;\n" PRINT,
		HEAD "\tfield:char comm]8[;\toffset:8;\tsize:8;\tsigned:1;\n" PRINT,
		HEAD "\tfield:char comm[8];\toffset:-8;\tsize:8;\tsigned:1;\n" PRINT,
		HEAD "\tfield:char comm[8];\toffset:8;\tsize:99999999999;\tsigned:1;\n" PRINT,
		HEAD "\tfield:char comm[8];\tsize:8;\toffset:8;\tsigned:1;\n" PRINT,
		HEAD "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:1;x\n" PRINT,
	};

	struct formattext format;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (whole(texts[i]))
			fail_msg("%s", texts[i]);
	assert_false(parse(HEAD FIELD PRINT "\0", sizeof(HEAD FIELD PRINT), &format));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_kernels_write_is_whole),
		cmocka_unit_test(name_number_and_print_format_are_found),
		cmocka_unit_test(fields_are_told_apart_by_their_declarations),
		cmocka_unit_test(anything_else_is_not),
	};

	return cmocka_run_group_tests_name("formattext", tests, NULL, NULL);
}
