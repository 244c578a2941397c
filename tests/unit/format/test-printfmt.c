/* What print formats print; of those of this machine's tracepoints, libtraceevent is the oracle. */
#include "../test.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/mem.h"
#include "base/str.h"
#include "format/fieldbytes.h"
#include "format/printfmt.h"
#include "format/printks.h"

/* libtraceevent leaks pieces of the formats on which it gives up. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

enum { RECORD_SIZE = 2048, ARRAY_SIZE = 16, FORMAT_SIZE = 1 << 20 };

/* Numbers of all sizes and texts of some letters, always the same. */
static uint32_t next_number(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void fill_text(uint8_t *bytes, size_t size, uint32_t *seed)
{
	for (size_t i = 0; i + 1 < size; i++)
		bytes[i] = (uint8_t)('a' + next_number(seed) % 26);
	bytes[size - 1] = '\0';
}

/* libtraceevent takes lengths from records, so none is larger than an array. */
static void fill_number(uint8_t *bytes, size_t size, uint32_t *seed)
{
	uint64_t value = next_number(seed) % (ARRAY_SIZE + 1);

	memset(bytes, 0, size);
	memcpy(bytes, &value, size < sizeof(value) ? size : sizeof(value));
}

static void fill_field(const struct tep_format_field *field, uint8_t *raw, size_t *end,
		       uint32_t *seed)
{
	uint8_t *bytes = raw + field->offset;
	uint32_t place;

	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		place = (uint32_t)*end;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			place -= (uint32_t)(field->offset + field->size);
		place |= ARRAY_SIZE << 16;
		memcpy(bytes, &place, sizeof(place));
		fill_text(raw + *end, ARRAY_SIZE, seed);
		*end += ARRAY_SIZE;
	} else if (field->flags & TEP_FIELD_IS_STRING && field->size > 0) {
		fill_text(bytes, (size_t)field->size, seed);
	} else {
		fill_number(bytes, (size_t)field->size, seed);
	}
}

/* The size of a whole record of the event; 0 if it has no room. */
static size_t fill(const struct tep_event *event, uint8_t *raw, uint32_t seed)
{
	size_t end = 0;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (f->offset + f->size > RECORD_SIZE / 2)
			return 0;
		if ((size_t)(f->offset + f->size) > end)
			end = (size_t)(f->offset + f->size);
	}
	end = (end + 7) / 8 * 8;
	memset(raw, 0, RECORD_SIZE);
	memcpy(raw, &event->id, sizeof(uint16_t));
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		fill_field(f, raw, &end, &seed);
	return end;
}

static void print_theirs(struct tep_event *event, uint8_t *raw, size_t size, struct str *text)
{
	struct tep_record record = { .data = raw, .size = (int)size };
	struct trace_seq seq;

	trace_seq_init(&seq);
	tep_print_event(event->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	str_add_bytes(text, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
}

struct counts {
	size_t formats, different, refused;
};

/* Names of numbers, which libtraceevent takes for 0 or for none. */
static bool names_constants(const char *print)
{
	bool quoted = false, in_word = false;

	for (const char *at = print; *at; at++) {
		bool is_letter = isalnum((unsigned char)*at) || *at == '_';

		quoted ^= *at == '"' && at[-1] != '\\';
		if (!quoted && !in_word && isupper((unsigned char)*at) &&
		    strncmp(at, "REC->", 5) != 0)
			return true;
		in_word = is_letter;
	}
	return false;
}

/* libtraceevent fills up columns with some texts only. */
static void squeeze(struct str *text)
{
	size_t size = 0;

	for (size_t i = 0; i < text->size; i++)
		if (text->text[i] != ' ' || (i + 1 < text->size && text->text[i + 1] != ' '))
			text->text[size++] = text->text[i];
	str_cut(text, size);
}

static void compare(struct tep_event *event, const struct printfmt *format, struct counts *counts)
{
	_Alignas(8) uint8_t raw[RECORD_SIZE];
	const struct printks none = { 0 };

	counts->formats++;
	for (uint32_t seed = 1; seed <= 16; seed++) {
		_cleanup_(str_done) struct str ours = { 0 }, theirs = { 0 };
		struct fieldbytes_record record = { raw, fill(event, raw, seed) };

		if (record.size == 0)
			return;
		printfmt_print(format, &record, &none, &ours);
		print_theirs(event, raw, record.size, &theirs);
		squeeze(&ours);
		squeeze(&theirs);
		if (strcmp(str_text(&ours), str_text(&theirs)) == 0)
			continue;
		counts->different++;
		print_message("# %s\n#   ours   %s\n#   theirs %s\n", event->name, str_text(&ours),
			      str_text(&theirs));
		return;
	}
}

static void try_format(struct tep_handle *tep, const char *path, struct counts *counts)
{
	_cleanup_(freep) char *text = xcalloc(1, FORMAT_SIZE);
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	struct tep_event *event = NULL;
	struct printfmt *format;
	const char *print;
	bool understood;

	if (!file || fread(text, 1, FORMAT_SIZE - 1, file) == 0)
		return;
	print = strstr(text, "print fmt: ");
	assert_non_null(print);
	if (tep_parse_format(tep, &event, text, strlen(text), "any") != TEP_ERRNO__SUCCESS)
		return;
	print += strlen("print fmt: ");
	format = printfmt_new(print, strlen(print), event);
	understood = !((unsigned)event->flags & TEP_EVENT_FL_FAILED);
	if (format && understood && !names_constants(print))
		compare(event, format, counts);
	if (!format && understood) {
		counts->refused++;
		print_message("# %s is refused: %s\n", event->name, print);
	}
	printfmt_free(format);
}

static void formats_of_this_machine_print_as_libtraceevent_prints_them(void **state)
{
	struct tep_handle *tep = tep_alloc();
	struct counts counts = { 0 };
	glob_t files;

	if (glob("/sys/kernel/tracing/events/*/*/format", 0, NULL, &files) != 0)
		skip();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	for (size_t i = 0; i < files.gl_pathc; i++)
		try_format(tep, files.gl_pathv[i], &counts);
	/* Those that differ: libtraceevent gets ?: in ?:, %c, %*pbl and long arrays wrong. */
	print_message("# %zu formats, %zu differ, %zu are refused\n", counts.formats,
		      counts.different, counts.refused);
	assert_true(counts.different * 50 <= counts.formats);
	assert_true(counts.refused * 50 <= counts.formats);
	globfree(&files);
	tep_free(tep);
}

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

static const struct {
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

/* The text of a print format, "refused" if it is not understood. */
static void print(const char *format_text, struct str *text)
{
	const struct fieldbytes_record record = { &RECORD, sizeof(RECORD) };
	const struct printks none = { 0 };
	struct tep_handle *tep = tep_alloc();
	struct tep_event *event = NULL;
	struct printfmt *format;

	tep_set_long_size(tep, 8);
	assert_int_equal(tep_parse_format(tep, &event, FIELDS, strlen(FIELDS), "any"), 0);
	format = printfmt_new(format_text, strlen(format_text), event);
	if (format)
		printfmt_print(format, &record, &none, text);
	else
		str_add(text, "refused");
	printfmt_free(format);
	tep_free(tep);
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
		{ "\"%pISpc|\", REC->ip6", "|" },
	};

	CHECK(examples);
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
		cmocka_unit_test(what_kernels_do_not_write_is_refused),
		cmocka_unit_test(what_is_nested_too_deep_is_refused),
		cmocka_unit_test(formats_of_this_machine_print_as_libtraceevent_prints_them),
	};

	return cmocka_run_group_tests_name("printfmt", tests, NULL, NULL);
}
