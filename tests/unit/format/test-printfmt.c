/* What print formats print of a record. */
#include "../test.h"

#include <sys/socket.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/formattext.h"
#include "format/printfmt.h"
#include "format/printks.h"

static const char FIELDS[] =
	"name: shop\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int amount;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 big;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:char name[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 mac[6];\toffset:24;\tsize:6;\tsigned:0;\n"
	"\tfield:u16 pair[2];\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc u8[] bytes;\toffset:36;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 ip6[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\nprint fmt: \"\"\n";

static const struct shop_record {
	uint16_t type, padding;
	int32_t amount;
	uint64_t big;
	char name[8];
	uint8_t mac[6], padding_2[2];
	uint16_t pair[2];
	uint32_t bytes;
	uint8_t ip6[16];
	char text[8];
} RECORD = {
	.type = 9,
	.amount = -3,
	.big = 0x1000,
	.name = "plum",
	.mac = { 1, 2, 3, 0xaa, 0xbb, 0xcc },
	.pair = { 7, 0x8001 },
	.bytes = 56 | 4 << 16,
	.ip6 = { 0xfe, 0x80, [15] = 1 },
	.text = "fig",
};

static void print_of(const struct shop_record *shop_record, bool foreign, const char *format_text,
		     struct str *text)
{
	const struct tracefields_record record = { shop_record, sizeof(*shop_record) };
	struct formattext shop = { .fields = { .long_size = 8, .foreign = foreign } };
	const struct printks none = { 0 };
	struct arena arena = { 0 };
	struct printfmt *format;

	assert_true(formattext_parse(FIELDS, strlen(FIELDS), &arena, &shop));
	format = printfmt_new(format_text, strlen(format_text), &shop.fields);
	if (format)
		printfmt_print(format, &record, &none, text);
	else
		str_add(text, "refused");
	printfmt_free(format);
	tracefields_done(&shop.fields);
	arena_done(&arena);
}

/* The text of a print format, "refused" if it is not understood. */
static void print(const char *format_text, struct str *text)
{
	print_of(&RECORD, false, format_text, text);
}

struct example {
	const char *format, *text;
};

static void check(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		_cleanup_(str_done) struct str text = { 0 };

		print(examples[i].format, &text);
		if (strcmp(str_text(&text), examples[i].text) != 0)
			fail_msg("%s\ngot %s\nnot %s", examples[i].format, str_text(&text),
				 examples[i].text);
	}
}

#define CHECK(examples) check(examples, sizeof(examples) / sizeof((examples)[0]))

static void numbers_are_printed_as_c_prints_them(void **state)
{
	static const struct example examples[] = {
		{ "\"%d %u %x\", REC->amount, REC->amount, REC->amount", "-3 4294967293 fffffffd" },
		{ "\"[%5d|%-5d|%05d|%+d|% d]\", 42, 42, -42, 42, 42",
		  "[   42|42   |-0042|+42| 42]" },
		{ "\"%#x %#o %X %.4d %8.4x|\", 255, 8, 255, 7, 255", "0xff 010 FF 0007     00ff|" },
		{ "\"%hhd %hd %ld %llu\", 257, 65537, -1, -1", "1 1 -1 18446744073709551615" },
		{ "\"%c%c 100%%\", 'x', REC->amount > 0 ? 'y' : 'n'", "xy 100%" },
		{ "\"%*d|%-*d|\", 4, 7, 4, 7", "   7|7   |" },
	};

	CHECK(examples);
}

static void operators_bind_as_in_c(void **state)
{
	static const struct example examples[] = {
		{ "\"%d\", 2 + 3 * 4 - 1", "13" },
		{ "\"%d\", 10 - 3 - 2", "5" },
		{ "\"%d\", 1 << 2 + 1 | 1", "9" },
		{ "\"%d\", 1 == 1 && 2 != 2 || !0", "1" },
		{ "\"%d\", 0 ? 1 : 0 ? 2 : 3", "3" },
		{ "\"%d %d\", 7 / 0, 7 % 0", "0 0" },
		{ "\"%x\", ~0 & 0xff ^ 0x0f", "f0" },
		{ "\"%d\", (u8)300", "44" },
		{ "\"%d %d\", (int)sizeof(u16), sizeof(REC->name)", "2 8" },
		{ "\"%d\", __builtin_expect(REC->big >= 4096, 0)", "1" },
		{ "\"%llu\", ((REC)->big >> 4)", "256" },
	};

	CHECK(examples);
}

static void texts_come_from_fields_calls_and_choices(void **state)
{
	static const struct example examples[] = {
		{ "\"%s|%6s|%-6s|%.2s\", REC->name, REC->name, REC->name, REC->name",
		  "plum|  plum|plum  |pl" },
		{ "\"%s %.*s\", __get_str(bytes), 2, __get_str(bytes)", "fig fi" },
		{ "\"%s\", REC->amount ? \"so\" \"me\" : \"none\"", "some" },
		{ "\"%s\", __print_flags(REC->big | 5, \"|\", { 1, \"a\" }, { 4, \"b\" }, { HIGH, "
		  "\"c\" })",
		  "a|b|0x1000" },
		{ "\"%s\", __print_symbolic(REC->pair[0], { LOW, \"no\" }, { 7, \"yes\" }, { -1, "
		  "NULL })",
		  "yes" },
		{ "\"%s %s\", __print_hex(REC->mac, 3), "
		  "__print_hex_str(__get_dynamic_array(bytes), 99)",
		  "01 02 03 66696700" },
		{ "\"%s\", __print_array(REC->pair, 2, 2)", "{0x7,0x8001}" },
		{ "\"%x %x\", REC->pair[1], REC->pair[2]", "8001 0" },
		{ "\"%c%d\", ((u8 *)__get_dynamic_array(bytes))[1], __get_dynamic_array_len(bytes)",
		  "i4" },
		{ "\"%s %s\", __get_bitmask(bytes), __get_cpumask(bytes)",
		  "00676966 1-2,5-6,8,11,13-14,16-18,21-22" },
		{ "\"a\\tb\\n\"", "a\tb\n" },
	};

	CHECK(examples);
}

static void pointers_are_followed_as_the_kernel_follows_them(void **state)
{
	static const struct example examples[] = {
		{ "\"%p %p %pS\", REC->big, 0, (void *)REC->big", "0x1000 (nil) 0x1000" },
		{ "\"%pM %pm %pMF %pMR\", REC->mac, REC->mac, REC->mac, REC->mac",
		  "01:02:03:aa:bb:cc 010203aabbcc 01-02-03-aa-bb-cc cc:bb:aa:03:02:01" },
		{ "\"%pI4 %pi4 %pI4\", REC->pair, REC->pair, REC->mac",
		  "7.0.1.128 007.000.001.128 INVALIDIPv4" },
		{ "\"%pI6c %pI6\", REC->ip6, REC->ip6",
		  "fe80::1 fe80:0000:0000:0000:0000:0000:0000:0001" },
		{ "\"%pU\", REC->ip6", "fe800000-0000-0000-0000-000000000001" },
		{ "\"%*phC %*phN\", 2, REC->mac, 99, REC->mac", "01:02 010203aabbcc" },
		{ "\"%*pbl\", 4, REC->pair", "0-2" },
		{ "\"%*pbl %*pbl\", 9, REC->pair, -1, REC->pair", "0-2 0-2,16,31" },
		{ "\"%pISpc|\", REC->ip6", "|" },
	};

	CHECK(examples);
}

static void the_kind_of_an_address_is_in_the_order_of_the_recorder(void **state)
{
	static const uint8_t port_and_address[] = { 0x1f, 0x90, 127, 0, 0, 1 };
	const bool orders[] = { false, true };

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		_cleanup_(str_done) struct str text = { 0 };
		uint16_t family = orders[i] ? __builtin_bswap16(AF_INET) : AF_INET;
		struct shop_record record = RECORD;

		memset(record.ip6, 0, sizeof(record.ip6));
		memcpy(record.ip6, &family, sizeof(family));
		memcpy(record.ip6 + 2, port_and_address, sizeof(port_and_address));
		print_of(&record, orders[i], "\"%pISpc\", REC->ip6", &text);
		assert_string_equal(str_text(&text), "127.0.0.1:8080");
	}
}

static void what_kernels_do_not_write_is_refused(void **state)
{
	static const struct example examples[] = {
		{ "", "refused" },
		{ "\"%d\"", "refused" },
		{ "\"%n\", REC->big", "refused" },
		{ "\"%d\", REC->nothing", "refused" },
		{ "\"%d\", REC->big +", "refused" },
		{ "\"%d\", \"a\" + 1", "refused" },
		{ "\"%d\", unknown(1)", "refused" },
		{ "\"%s\", __get_str(name)", "refused" },
		{ "\"%s\", __print_hex(5, 5)", "refused" },
		{ "\"%s\", __print_flags(1, \"|\", { 1 })", "refused" },
		{ "\"%99999d\", 1", "refused" },
		{ "\"%d\", 5[0]", "refused" },
		{ "\"%d\", 1) ", "refused" },
		{ "\"unended", "refused" },
	};

	CHECK(examples);
}

/* "((((...1...))))" and "1+1+1+...": whoever walks down such trees must not run out of stack. */
static void what_is_nested_too_deep_is_refused(void **state)
{
	_cleanup_(str_done) struct str deep = { 0 }, wide = { 0 }, text = { 0 };

	str_add(&deep, "\"%d\", ");
	str_add_repeat(&deep, '(', 100000);
	print(deep.text, &text);
	assert_string_equal(text.text, "refused");
	str_add(&wide, "\"%d\", 1");
	for (size_t i = 0; i < 100000; i++)
		str_add(&wide, "+1");
	str_clear(&text);
	print(wide.text, &text);
	assert_string_equal(text.text, "refused");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_printed_as_c_prints_them),
		cmocka_unit_test(operators_bind_as_in_c),
		cmocka_unit_test(texts_come_from_fields_calls_and_choices),
		cmocka_unit_test(pointers_are_followed_as_the_kernel_follows_them),
		cmocka_unit_test(the_kind_of_an_address_is_in_the_order_of_the_recorder),
		cmocka_unit_test(what_kernels_do_not_write_is_refused),
		cmocka_unit_test(what_is_nested_too_deep_is_refused),
	};

	return cmocka_run_group_tests_name("printfmt", tests, NULL, NULL);
}
