/* call-text.c - see call-text.h. */
#include "view/call-text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "analyze/calls.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/callnames.h"
#include "format/calltables.h"

enum { ALIGNMENT = 70, DEPTH = 16 };

void call_text_init(struct call_text *text)
{
	*text = (struct call_text){ .show_time = true,
				    .show_duration = true,
				    .show_comm = true,
				    .show_names = true,
				    .alignment = ALIGNMENT };
}

void call_text_done(struct call_text *text)
{
	callvalues_done(&text->values);
}

/* In milliseconds. */
static void add_ms(uint64_t ns, size_t width, struct str *out)
{
	uint64_t us = (ns + 500) / 1000;

	str_add_decimal(out, us / 1000, width - 4, ' ');
	str_add_char(out, '.');
	str_add_decimal(out, us % 1000, 3, '0');
}

void call_text_begin(struct call_text *text, uint64_t time_ns, uint64_t duration_ns, uint32_t cpu,
		     const char *comm, uint32_t tid, struct str *out)
{
	if (!text->first_ns)
		text->first_ns = time_ns;
	if (text->show_time) {
		uint64_t since = text->full_time ? 0 : text->first_ns;

		if (time_ns)
			add_ms(time_ns > since ? time_ns - since : 0, 10, out);
		else
			str_add(out, "         ?");
		str_add_char(out, ' ');
	}
	if (text->show_duration) {
		if (duration_ns == UINT64_MAX) {
			str_add(out, "(         ): ");
		} else {
			str_add_char(out, '(');
			add_ms(duration_ns, 6, out);
			str_add(out, " ms): ");
		}
	}
	if (text->show_cpu)
		str_addf(out, "[%03" PRIu32 "] ", cpu);
	if (text->show_comm) {
		size_t begin = out->size;

		str_add_bytes(out, comm, strnlen(comm, 14));
		str_one_line(out, begin);
		str_add_char(out, '/');
	}
	str_add_decimal(out, tid, 1, ' ');
	str_add_char(out, ' ');
}

static void add_since(struct call_text *text, uint64_t time_ns, struct str *out)
{
	uint64_t since = text->full_time ? 0 : text->first_ns;

	add_ms(time_ns > since ? time_ns - since : 0, 4, out);
}

void call_text_lost(struct call_text *text, uint64_t count, uint64_t first_ns, uint64_t last_ns,
		    struct str *out)
{
	if (!text->first_ns)
		text->first_ns = first_ns;
	str_addf(out, "LOST %" PRIu64 " records between ", count);
	add_since(text, first_ns, out);
	str_add(out, " and ");
	add_since(text, last_ns, out);
	str_add(out, " ms\n");
}

/* As C writes it; a digit behind an octal number needs all its places. */
static void add_escaped(unsigned char c, unsigned char next, struct str *out)
{
	static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";

	for (size_t i = 0; i + 1 < sizeof(letters); i += 2)
		if ((unsigned char)letters[i] == c) {
			str_add_char(out, '\\');
			str_add_char(out, letters[i + 1]);
			return;
		}
	if (c >= ' ' && c < 0x7f)
		str_add_char(out, (char)c);
	else
		str_addf(out, isdigit(next) ? "\\%03o" : "\\%o", c);
}

static void add_quoted(const char *text, size_t size, bool is_cut, struct str *out)
{
	str_add_char(out, '"');
	for (size_t i = 0; i < size; i++)
		add_escaped((unsigned char)text[i], i + 1 < size ? (unsigned char)text[i + 1] : 0,
			    out);
	str_add(out, is_cut ? "\"..." : "\"");
}

void call_text_quoted(const char *bytes, size_t size, struct str *out)
{
	add_quoted(bytes, size, false, out);
}

static const char *name_of(const struct call_text *text, const struct callnames *names,
			   const char *name)
{
	return text->show_prefix || !names ? name : callnames_short(names, name);
}

static void add_names(const struct call_text *text, const struct callvalue *value, struct str *out)
{
	const struct callnames *names = value->names;
	const struct callname *item;
	uint64_t rest = value->number;
	size_t at = 0;
	bool any = false;

	while ((item = callnames_next(names, value->number, &rest, &at))) {
		if (any)
			str_add_char(out, '|');
		str_add(out, name_of(text, names, item->name));
		any = true;
	}
	if (names->kind == CALLNAMES_ENUM) {
		if (!any)
			str_addf(out, "%" PRId64, (int64_t)value->number);
		return;
	}
	if (any && !rest)
		return;
	if (any)
		str_add_char(out, '|');
	if (names->kind == CALLNAMES_OCTAL)
		str_addf(out, "%#03" PRIo64, rest);
	else if (rest)
		str_addf(out, "%#" PRIx64, rest);
	else
		str_add_char(out, '0');
}

static void add_hex(uint64_t number, struct str *out)
{
	str_add(out, "0x");
	str_add_hexadecimal(out, number, 1, ' ');
}

static void add_signed(int64_t number, struct str *out)
{
	if (number < 0)
		str_add_char(out, '-');
	str_add_decimal(out, number < 0 ? -(uint64_t)number : (uint64_t)number, 1, ' ');
}

static void add_fd(const struct callvalue *value, struct str *out)
{
	add_signed((int64_t)value->number, out);
	if (value->text) {
		size_t begin = out->size;

		str_add_char(out, '<');
		str_add(out, value->text);
		str_add_char(out, '>');
		str_one_line(out, begin);
	}
}

static const char *word_of(const struct call_text *text, const char *word)
{
	const char *rest = NULL;

	if (!text->show_prefix) {
		rest = str_after(word, "AT_FD");
		if (!rest)
			rest = str_after(word, "RLIM_");
	}
	return rest ? rest : word;
}

static void add_pointer(uint64_t number, struct str *out)
{
	if (number)
		add_hex(number, out);
	else
		str_add(out, "NULL");
}

/* What has no parts. */
static void add_simple(const struct call_text *text, const struct callvalue *value, struct str *out)
{
	switch (value->kind) {
	case CALLVALUE_SIGNED:
		add_signed((int64_t)value->number, out);
		break;
	case CALLVALUE_UNSIGNED:
		str_add_decimal(out, value->number, 1, ' ');
		break;
	case CALLVALUE_HEX:
		add_hex(value->number, out);
		break;
	case CALLVALUE_OCTAL:
		str_addf(out, "%#03" PRIo64, value->number);
		break;
	case CALLVALUE_POINTER:
		add_pointer(value->number, out);
		break;
	case CALLVALUE_NAMES:
		add_names(text, value, out);
		break;
	case CALLVALUE_WORD:
		str_add(out, word_of(text, value->text));
		break;
	case CALLVALUE_TEXT:
		add_quoted(value->text, value->size, value->is_cut, out);
		break;
	case CALLVALUE_FD:
		add_fd(value, out);
		break;
	default:
		break;
	}
}

static bool has_parts(const struct callvalue *value)
{
	return value->kind == CALLVALUE_STRUCT || value->kind == CALLVALUE_LIST ||
	       value->kind == CALLVALUE_ALL_BUT;
}

/* Brackets that are open. */
struct brackets {
	size_t left; /* parts that are to come */
	bool any, is_cut, are_braces;
};

static void open_brackets(const struct callvalue *value, struct brackets *brackets, struct str *out)
{
	*brackets = (struct brackets){ .left = value->count,
				       .is_cut = value->is_cut,
				       .are_braces = value->kind == CALLVALUE_STRUCT };
	if (value->kind == CALLVALUE_ALL_BUT)
		str_add_char(out, '~');
	str_add(out, brackets->are_braces ? "{ " : "[");
}

static void close_brackets(const struct brackets *brackets, struct str *out)
{
	if (brackets->is_cut)
		str_add(out, brackets->any ? ", ..." : "...");
	str_add(out, brackets->are_braces ? " }" : "]");
}

static void begin_part(const struct callvalue *part, struct brackets *brackets, struct str *out)
{
	if (brackets->any)
		str_add(out, ", ");
	brackets->any = true;
	if (part->name) {
		str_add_char(out, '.');
		str_add(out, part->name);
		str_add(out, ": ");
	}
}

/* A value with all its parts. */
static void add_value(const struct call_text *text, const struct callvalue *value, struct str *out)
{
	const struct callvalue *end = value + value->span;
	struct brackets open[DEPTH];
	size_t depth = 0;

	while (value < end) {
		if (depth > 0)
			open[depth - 1].left--;
		if (depth > 0 && value->is_detail && !text->show_details) {
			open[depth - 1].is_cut = true;
			value += value->span;
		} else {
			if (depth > 0)
				begin_part(value, &open[depth - 1], out);
			if (has_parts(value) && depth < DEPTH)
				open_brackets(value, &open[depth++], out);
			else
				add_simple(text, value, out);
			value++;
		}
		while (depth > 0 && open[depth - 1].left == 0)
			close_brackets(&open[--depth], out);
	}
}

/* As perf, which leaves out what is 0 and has no name. */
static bool is_zero(const struct callvalue *value)
{
	switch (value->kind) {
	case CALLVALUE_SIGNED:
	case CALLVALUE_UNSIGNED:
	case CALLVALUE_HEX:
	case CALLVALUE_OCTAL:
	case CALLVALUE_POINTER:
		return value->number == 0;
	case CALLVALUE_NAMES:
		return value->number == 0 && value->names->kind != CALLNAMES_ENUM &&
		       !callnames_find(value->names, 0);
	default:
		return false;
	}
}

static void add_args(struct call_text *text, const struct calls_call *call,
		     enum callvalues_which which, struct str *out)
{
	struct callvalues *values = &text->values;
	bool any = false;

	callvalues_args(values, &call->values, which);
	for (size_t i = 0; i < values->count; i += values->items[i].span) {
		const struct callvalue *value = &values->items[i];

		if (!text->show_zeros && is_zero(value))
			continue;
		if (any)
			str_add(out, ", ");
		any = true;
		if (text->show_names) {
			str_add(out, value->name);
			str_add(out, ": ");
		}
		add_value(text, value, out);
	}
}

/* Errors that only a tracer sees have no text of libc's. */
static const char *error_text(int error)
{
	switch (error) {
	case 512:
		return "To be restarted if SA_RESTART is set";
	case 513:
		return "To be restarted";
	case 514:
		return "To be restarted if no handler";
	case 516:
		return "Interrupted by signal";
	default:
		return strerrordesc_np(error);
	}
}

static void add_error(int error, struct str *out)
{
	const char *name = callnames_find(&calltables_errno, (uint64_t)error);
	const char *description = error_text(error);

	str_add(out, error >= 512 ? "?" : "-1");
	if (name)
		str_addf(out, " %s", name);
	else
		str_addf(out, " %d", -error);
	if (description)
		str_addf(out, " (%s)", description);
}

static void add_result(struct call_text *text, const struct calls_call *call, struct str *out)
{
	if (call->error) {
		add_error(call->error, out);
		return;
	}
	callvalues_result(&text->values, &call->values);
	add_value(text, text->values.items, out);
}

/* Blanks up to @before columns before the result's. */
static void fill(size_t begin, size_t alignment, size_t before, struct str *out)
{
	size_t used = out->size - begin + before;

	str_add_repeat(out, ' ', used < alignment ? alignment - used : 0);
}

/* How its line begins. */
static void begin_line(struct call_text *text, const struct calls_call *call, struct str *out)
{
	uint64_t duration =
		call->end_ns && call->start_ns ? call->end_ns - call->start_ns : UINT64_MAX;

	call_text_begin(text, call->start_ns, duration, call->cpu, call->comm, call->tid, out);
}

void call_text_add(struct call_text *text, const struct calls_call *call, struct str *out)
{
	const char *name = call->values.spec->name;
	bool goes_on = call->part == CALLS_ENDED || call->part == CALLS_END;
	size_t begin;

	if (!text->first_ns)
		text->first_ns = call->start_ns ? call->start_ns : call->end_ns;
	begin_line(text, call, out);
	begin = out->size;
	if (goes_on)
		str_add(out, " ... [continued]: ");
	str_add(out, name);
	str_add_char(out, '(');
	if (call->part == CALLS_ENDED)
		add_args(text, call, CALLVALUES_LATE, out);
	else if (call->values.enter)
		add_args(text, call, CALLVALUES_ALL, out);
	str_add_char(out, ')');
	if (call->part == CALLS_BEGUN) {
		fill(begin, text->alignment, 6, out);
		str_add(out, " ...\n");
		return;
	}
	fill(begin, text->alignment, 1, out);
	str_add(out, " = ");
	if (call->part == CALLS_FINAL)
		str_add_char(out, '?');
	else
		add_result(text, call, out);
	str_add_char(out, '\n');
}
