/* What the print formats of this machine's tracepoints print: libtraceevent is the oracle. */
#include "../test.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/formattext.h"
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
		struct tracefields_record record = { raw, fill(event, raw, seed) };

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

/* Both know the same of each field. */
static void check_fields(const struct tep_event *event, const struct tracefields *fields)
{
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		const struct tracefield *field = tracefields_find(fields, f->name);
		unsigned long flags = f->flags;

		if (!field)
			fail_msg("%s has no %s", event->name, f->name);
		assert_int_equal(field->offset, f->offset);
		assert_int_equal(field->size, f->size);
		assert_int_equal(field->is_signed, (flags & TEP_FIELD_IS_SIGNED) != 0);
		assert_int_equal(field->is_array,
				 (flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC)) != 0);
		assert_int_equal(field->is_text, (flags & TEP_FIELD_IS_STRING) != 0);
		assert_int_equal(field->is_dynamic, (flags & TEP_FIELD_IS_DYNAMIC) != 0);
		assert_int_equal(field->is_pointer, (flags & TEP_FIELD_IS_POINTER) != 0);
	}
}

static void try_format(struct tep_handle *tep, const char *path, struct counts *counts)
{
	_cleanup_(freep) char *text = xcalloc(1, FORMAT_SIZE);
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	struct tep_event *event = NULL;
	struct formattext ours = { .fields = { .long_size = 8 } };
	struct arena arena = { 0 };
	struct printfmt *format;
	bool understood;

	if (!file || fread(text, 1, FORMAT_SIZE - 1, file) == 0)
		return;
	assert_true(formattext_parse(text, strlen(text), &arena, &ours));
	if (tep_parse_format(tep, &event, text, strlen(text), "any") != TEP_ERRNO__SUCCESS)
		goto done;
	check_fields(event, &ours.fields);
	format = printfmt_new(ours.print.text, ours.print.size, &ours.fields);
	understood = !((unsigned)event->flags & TEP_EVENT_FL_FAILED);
	if (format && understood && !names_constants(ours.print.text))
		compare(event, format, counts);
	if (!format && understood) {
		counts->refused++;
		print_message("# %s is refused: %s\n", event->name, ours.print.text);
	}
	printfmt_free(format);
done:
	tracefields_done(&ours.fields);
	arena_done(&arena);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_of_this_machine_print_as_libtraceevent_prints_them),
	};

	return cmocka_run_group_tests_name("printfmt-oracle", tests, NULL, NULL);
}
