/* tracepoint.c - see tracepoint.h. */
#include "format/tracepoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/fieldbytes.h"
#include "format/formattext.h"
#include "format/printfmt.h"
#include "format/printks.h"
#include "format/tracing-data.h"

struct tracepoint {
	struct tep_event *event;
	struct printfmt *format; /* NULL: it is printed field by field */
	const struct tracepoint_set *set;
};

/* struct tracepoint_field is never defined: a pointer to one is libtraceevent's under our name. */
struct tracepoint_set {
	struct tep_handle *tep;
	struct printks printks;
	struct hash by_id;
	struct {
		struct tracepoint **items;
		size_t count, capacity;
	} all;
};

static struct tep_format_field *field_of(const struct tracepoint_field *field)
{
	return (struct tep_format_field *)field;
}

void tracepoint_set_free(struct tracepoint_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->all.count; i++) {
		printfmt_free(set->all.items[i]->format);
		free(set->all.items[i]);
	}
	free(set->all.items);
	hash_done(&set->by_id);
	printks_done(&set->printks);
	tep_free(set->tep);
	free(set);
}

/*
 * libtraceevent gets the fields only, with an empty print format, for it trusts that to be the
 * kernel's. Its list of events is sorted anew for each question, so ours has its own.
 */
static void parse_format(struct tracepoint_set *set, const char *system,
			 struct tracing_data_part format)
{
	_cleanup_(str_done) struct str fields = { 0 };
	struct tracepoint *tracepoint;
	struct tep_event *event = NULL;
	struct hash_entry *entry;
	size_t print_at;
	bool is_new;

	if (!formattext_is_whole(format.text, format.size, &print_at))
		return;
	str_add_bytes(&fields, format.text, print_at);
	str_add(&fields, "\"\"\n");
	if (tep_parse_format(set->tep, &event, fields.text, fields.size, system) !=
		    TEP_ERRNO__SUCCESS ||
	    !event)
		return;
	tracepoint = xnew(struct tracepoint);
	*tracepoint = (struct tracepoint){
		.event = event,
		.format = printfmt_new(format.text + print_at, format.size - print_at, event),
		.set = set,
	};
	grow(&set->all);
	set->all.items[set->all.count++] = tracepoint;
	entry = hash_add(&set->by_id, (uint64_t)event->id, &is_new);
	if (is_new)
		entry->pointer = tracepoint;
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
	while (tracing_data_next(walk, &system, &format))
		parse_format(set, system, format);
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
	if (r < 0 && set->all.count == 0)
		return r;
	printks_parse(tail.printk_formats.text, tail.printk_formats.size, &set->printks);
	*ret_set = take(set);
	return 0;
}

const struct tracepoint *tracepoint_set_find(const struct tracepoint_set *set, uint64_t id)
{
	const struct hash_entry *entry = hash_find(&set->by_id, id);

	return entry ? entry->pointer : NULL;
}

const char *tracepoint_system(const struct tracepoint *tracepoint)
{
	return tracepoint->event->system;
}

const char *tracepoint_name(const struct tracepoint *tracepoint)
{
	return tracepoint->event->name;
}

bool tracepoint_field_bytes(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    const void **ret_bytes, size_t *ret_size)
{
	const struct fieldbytes_record record = { raw, raw_size };
	struct fieldbytes bytes;

	if (!fieldbytes_find(field_of(field), &record, &bytes))
		return false;
	*ret_bytes = bytes.bytes;
	*ret_size = bytes.size;
	return true;
}

/* libtraceevent trusts the record: every field must lie inside it before its text is made. */
static bool all_fields_fit(const struct tep_event *event, const void *raw, size_t raw_size)
{
	const struct fieldbytes_record record = { raw, raw_size };
	struct fieldbytes bytes;

	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (!fieldbytes_find(f, &record, &bytes))
			return false;
	return true;
}

/* What cannot be printed by its format, as libtraceevent prints it. */
static void print_fields(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
			 struct str *text)
{
	str_add(text, "[FAILED TO PARSE]");
	for (const struct tep_format_field *f = tracepoint->event->format.fields; f; f = f->next) {
		str_addf(text, " %s=", f->name);
		tracepoint_field_print((const struct tracepoint_field *)f, raw, raw_size, text);
	}
}

void tracepoint_print(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
		      uint32_t cpu, struct str *text)
{
	const struct fieldbytes_record record = { raw, raw_size };

	if (!all_fields_fit(tracepoint->event, raw, raw_size))
		return;
	if (tracepoint->format)
		printfmt_print(tracepoint->format, &record, &tracepoint->set->printks, text);
	else
		print_fields(tracepoint, raw, raw_size, text);
}

const struct tracepoint_field *tracepoint_field_at(const struct tracepoint *tracepoint, size_t i)
{
	struct tep_format_field *field = tracepoint->event->format.fields;

	while (field && i-- > 0)
		field = field->next;
	return (struct tracepoint_field *)field;
}

const struct tracepoint_field *tracepoint_field_find(const struct tracepoint *tracepoint,
						     const char *name)
{
	return (struct tracepoint_field *)tep_find_any_field(tracepoint->event, name);
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
	_cleanup_(freep) char *ended = NULL;
	const void *bytes;
	size_t size;
	struct trace_seq seq;

	if (raw_size > INT32_MAX || !tracepoint_field_bytes(field, raw, raw_size, &bytes, &size))
		return;
	/* A text in the last field may lack its NUL: printing must not run on behind the record. */
	ended = xcalloc(1, raw_size + 1);
	memcpy(ended, raw, raw_size);
	trace_seq_init(&seq);
	tep_print_field_content(&seq, ended, (int)raw_size, field_of(field));
	str_add_bytes(text, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
}

void tracepoint_print_raw(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
			  struct str *text)
{
	const struct tracepoint_field *field;

	if (raw_size > INT32_MAX)
		return;
	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)) != NULL; i++) {
		str_addf(text, " %s=", tracepoint_field_name(field));
		tracepoint_field_print(field, raw, raw_size, text);
	}
}
