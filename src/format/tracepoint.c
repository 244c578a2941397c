/* tracepoint.c - see tracepoint.h. */
#include "format/tracepoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/formattext.h"
#include "format/printfmt.h"
#include "format/tracing-data.h"

/*
 * struct tracepoint and struct tracepoint_field are never defined: a pointer to one is
 * libtraceevent's event or field under our name.
 */
struct tracepoint_set {
	struct tep_handle *tep;
	size_t count;
};

static struct tep_event *event_of(const struct tracepoint *tracepoint)
{
	return (struct tep_event *)tracepoint;
}

static struct tep_format_field *field_of(const struct tracepoint_field *field)
{
	return (struct tep_format_field *)field;
}

void tracepoint_set_free(struct tracepoint_set *set)
{
	if (!set)
		return;
	tep_free(set->tep);
	free(set);
}

/* `0xffffffff81234567 : "text\n"`: libtraceevent looks before and behind what is shorter. */
enum { PRINTK_SIZE_MIN = 4 };

static bool is_printk(struct str_part line)
{
	const char *colon = memchr(line.text, ':', line.size);
	const char *end = line.text + line.size;

	return colon && colon > line.text && end - colon > 3 + PRINTK_SIZE_MIN && colon[1] == ' ' &&
	       colon[2] == '"' && !memchr(line.text, '\0', line.size);
}

static void parse_printks(struct tep_handle *tep, struct tracing_data_part part)
{
	_cleanup_(str_done) struct str lines = { 0 };
	const char *at = part.text, *end = at + part.size;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		struct str_part line = { at, (size_t)((stop ? stop : end) - at) };

		if (is_printk(line)) {
			str_add_bytes(&lines, line.text, line.size);
			str_add_char(&lines, '\n');
		}
		at = stop ? stop + 1 : end;
	}
	if (lines.size > 0)
		(void)tep_parse_printk_formats(tep, str_text(&lines));
}

static void parse_cmdlines(struct tep_handle *tep, struct tracing_data_part part)
{
	_cleanup_(str_done) struct str lines = { 0 };

	if (part.size == 0)
		return;
	str_add_bytes(&lines, part.text, part.size);
	(void)tep_parse_saved_cmdlines(tep, str_text(&lines));
}

/* All formats. The byte order must be set before the first is parsed. */
static void parse_formats(struct tracepoint_set *set, struct tracing_data *walk)
{
	struct tracing_data_part format;
	const char *system;

	tep_set_file_bigendian(set->tep,
			       walk->head.big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(set->tep, walk->head.long_size);
	tep_set_page_size(set->tep, (int)walk->head.page_size);
	while (tracing_data_next(walk, &system, &format)) {
		if (formattext_is_whole(format.text, format.size) &&
		    tep_parse_event(set->tep, format.text, format.size, system) ==
			    TEP_ERRNO__SUCCESS)
			set->count++;
	}
}

/* Such an event is printed as libtraceevent prints what it cannot read: field by field. */
static void leave_unsound_formats(struct tracepoint_set *set)
{
	struct tep_event **events = tep_list_events(set->tep, TEP_EVENT_SORT_ID);

	for (; events && *events; events++)
		if (!printfmt_is_sound(*events))
			(*events)->flags |= (int)TEP_EVENT_FL_FAILED;
}

int tracepoint_set_new(const void *bytes, size_t size, struct tracepoint_set **ret_set,
		       struct strobe_err *err)
{
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *set = xnew(struct tracepoint_set);
	struct tracing_data walk;
	struct tracing_data_tail tail;
	int r = tracing_data_begin(&walk, bytes, size, err);

	if (r < 0)
		return r;
	set->tep = tep_alloc();
	if (!set->tep)
		return err_set(err, -ENOMEM, "cannot start libtraceevent");
	tep_set_loglevel(TEP_LOG_NONE);
	parse_formats(set, &walk);
	r = tracing_data_end(&walk, &tail, err);
	if (r < 0 && set->count == 0)
		return r;
	leave_unsound_formats(set);
	parse_printks(set->tep, tail.printk_formats);
	parse_cmdlines(set->tep, tail.saved_cmdlines);
	*ret_set = take(set);
	return 0;
}

const struct tracepoint *tracepoint_set_find(const struct tracepoint_set *set, uint64_t id)
{
	return id > INT32_MAX ? NULL : (struct tracepoint *)tep_find_event(set->tep, (int)id);
}

const char *tracepoint_system(const struct tracepoint *tracepoint)
{
	return event_of(tracepoint)->system;
}

const char *tracepoint_name(const struct tracepoint *tracepoint)
{
	return event_of(tracepoint)->name;
}

/*
 * A dynamic array's own bytes are a number: the low half says where the array lies (from the
 * record's start, or with __rel_loc from behind the field), the high half how long it is.
 */
static void follow_dynamic(const struct tep_format_field *field, const void *raw, size_t *at,
			   size_t *size)
{
	uint64_t location = tep_read_number(field->event->tep, (const char *)raw + *at, (int)*size);
	size_t behind = *at + *size;

	*size = (location >> 16) & 0xffff;
	*at = location & 0xffff;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		*at += behind;
}

bool tracepoint_field_bytes(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    const void **ret_bytes, size_t *ret_size)
{
	const struct tep_format_field *f = field_of(field);
	size_t at = (size_t)f->offset, size = (size_t)f->size;

	if (f->offset < 0 || f->size < 0 || at > raw_size || size > raw_size - at)
		return false;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		if (size != 4 && size != 8)
			return false;
		follow_dynamic(f, raw, &at, &size);
		if (at > raw_size || size > raw_size - at)
			return false;
	}
	*ret_bytes = (const char *)raw + at;
	*ret_size = size;
	return true;
}

/* libtraceevent trusts the record: every field must lie inside it before its text is made. */
static bool all_fields_fit(const struct tep_event *event, const void *raw, size_t raw_size)
{
	const void *bytes;
	size_t size;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (!tracepoint_field_bytes((const struct tracepoint_field *)f, raw, raw_size,
					    &bytes, &size))
			return false;
	return true;
}

void tracepoint_print(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
		      uint32_t cpu, struct str *text)
{
	struct tep_event *event = event_of(tracepoint);
	_cleanup_(freep) char *ended = NULL;
	struct tep_record record = { .cpu = (int)cpu, .size = (int)raw_size };
	struct trace_seq seq;

	if (raw_size > INT32_MAX || !all_fields_fit(event, raw, raw_size))
		return;
	/* A text in the last field may lack its NUL: printing must not run on behind the record. */
	record.data = ended = xcalloc(1, raw_size + 1);
	memcpy(ended, raw, raw_size);
	trace_seq_init(&seq);
	tep_print_event(event->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	str_add_bytes(text, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
}

const struct tracepoint_field *tracepoint_field_at(const struct tracepoint *tracepoint, size_t i)
{
	struct tep_format_field *field = event_of(tracepoint)->format.fields;

	while (field && i-- > 0)
		field = field->next;
	return (struct tracepoint_field *)field;
}

const struct tracepoint_field *tracepoint_field_find(const struct tracepoint *tracepoint,
						     const char *name)
{
	return (struct tracepoint_field *)tep_find_any_field(event_of(tracepoint), name);
}

const char *tracepoint_field_name(const struct tracepoint_field *field)
{
	return field_of(field)->name;
}

bool tracepoint_field_is_text(const struct tracepoint_field *field)
{
	return field_of(field)->flags & TEP_FIELD_IS_STRING;
}

bool tracepoint_field_is_array(const struct tracepoint_field *field)
{
	return field_of(field)->flags & TEP_FIELD_IS_ARRAY;
}

bool tracepoint_field_is_signed(const struct tracepoint_field *field)
{
	return field_of(field)->flags & TEP_FIELD_IS_SIGNED;
}

bool tracepoint_field_number(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			     uint64_t *ret_value)
{
	const void *bytes;
	size_t size;

	if (tracepoint_field_is_array(field) ||
	    !tracepoint_field_bytes(field, raw, raw_size, &bytes, &size) ||
	    (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	*ret_value = tep_read_number(field_of(field)->event->tep, bytes, (int)size);
	return true;
}

void tracepoint_field_print(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    struct str *text)
{
	const void *bytes;
	size_t size;
	struct trace_seq seq;

	if (!tracepoint_field_bytes(field, raw, raw_size, &bytes, &size))
		return;
	trace_seq_init(&seq);
	tep_print_field_content(&seq, (void *)raw, (int)raw_size, field_of(field));
	str_add_bytes(text, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
}
