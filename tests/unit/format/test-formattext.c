#include "../test.h"

#include "format/formattext.h"

#define HEAD "name: order\nID: 42\nformat:\n"
#define FIELD "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:1;\n"
#define PRINT "\nprint fmt: \"%s\", REC->comm\n"

static bool whole(const char *text)
{
	size_t print_at;

	return formattext_is_whole(text, strlen(text), &print_at);
}

static void the_print_format_is_found(void **state)
{
	static const char text[] = HEAD FIELD PRINT;
	size_t print_at;

	assert_true(formattext_is_whole(text, strlen(text), &print_at));
	assert_string_equal(text + print_at, "\"%s\", REC->comm\n");
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

	size_t print_at;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (whole(texts[i]))
			fail_msg("%s", texts[i]);
	assert_false(
		formattext_is_whole(HEAD FIELD PRINT "\0", sizeof(HEAD FIELD PRINT), &print_at));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_kernels_write_is_whole),
		cmocka_unit_test(the_print_format_is_found),
		cmocka_unit_test(anything_else_is_not),
	};

	return cmocka_run_group_tests_name("formattext", tests, NULL, NULL);
}
