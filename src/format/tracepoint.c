/* tracepoint.c - see tracepoint.h. */
#include "format/tracepoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/formattext.h"
#include "format/printfmt.h"
#include "format/printks.h"
#include "format/tracefields.h"
#include "format/tracing-data.h"

struct tracepoint_field {
	const struct tracepoint *of;
	const struct tracefield *field;
};

struct tracepoint {
	const char *system, *name;
	struct tracefields fields;
	struct tracepoint_field *list; /* one for each of fields, those that are common last */
	size_t own_count;              /* that are not common */
	struct printfmt *format;       /* NULL: it is printed field by field */
	const struct tracepoint_set *set;
};

struct tracepoint_set {
	struct arena arena; /* names */
	struct printks printks;
	struct hash by_id;
	struct {
		struct tracepoint **items;
		size_t count, capacity;
	} all;
};

static void tracepoint_free(struct tracepoint *tracepoint)
{
	tracefields_done(&tracepoint->fields);
	printfmt_free(tracepoint->format);
	free(tracepoint->list);
	free(tracepoint);
}

void tracepoint_set_free(struct tracepoint_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->all.count; i++)
		tracepoint_free(set->all.items[i]);
	free(set->all.items);
	hash_done(&set->by_id);
	printks_done(&set->printks);
	arena_done(&set->arena);
	free(set);
}

static size_t list_some(struct tracepoint *tracepoint, size_t at, bool common)
{
	for (size_t i = 0; i < tracepoint->fields.count; i++) {
		const struct tracefield *field = &tracepoint->fields.items[i];

		if (field->is_common == common)
			tracepoint->list[at++] = (struct tracepoint_field){ tracepoint, field };
	}
	return at;
}

static void list_fields(struct tracepoint *tracepoint)
{
	tracepoint->list = xcalloc(tracepoint->fields.count + 1, sizeof(*tracepoint->list));
	tracepoint->own_count = list_some(tracepoint, 0, false);
	(void)list_some(tracepoint, tracepoint->own_count, true);
}

static void add_format(struct tracepoint_set *set, const struct tracing_data_head *head,
		       const char *system, struct tracing_data_part part)
{
	struct formattext format = { .fields = { .long_size = head->long_size } };
	struct tracepoint *tracepoint;
	struct hash_entry *entry;
	bool is_new;

	format.fields.foreign = head->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (!formattext_parse(part.text, part.size, &set->arena, &format)) {
		tracefields_done(&format.fields);
		return;
	}
	tracepoint = xnew(struct tracepoint);
	*tracepoint = (struct tracepoint){
		.system = arena_strdup(&set->arena, system),
		.name = arena_strndup(&set->arena, format.name.text, format.name.size),
		.fields = format.fields,
		.set = set,
	};
	list_fields(tracepoint);
	tracepoint->format =
		printfmt_new(format.print.text, format.print.size, &tracepoint->fields);
	grow(&set->all);
	set->all.items[set->all.count++] = tracepoint;
	entry = hash_add(&set->by_id, format.id, &is_new);
	if (is_new)
		entry->pointer = tracepoint;
}

int tracepoint_set_new(const void *bytes, size_t size, struct tracepoint_set **ret_set,
		       struct strobe_err *err)
{
	_cleanup_(tracepoint_set_freep) struct tracepoint_set *set = xnew(struct tracepoint_set);
	struct tracing_data walk;
	struct tracing_data_tail tail;
	struct tracing_data_part format;
	const char *system;
	int r = tracing_data_begin(&walk, bytes, size, err);

	if (r < 0)
		return r;
	while (tracing_data_next(&walk, &system, &format))
		add_format(set, &walk.head, system, format);
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
	return tracepoint->system;
}

const char *tracepoint_name(const struct tracepoint *tracepoint)
{
	return tracepoint->name;
}

/* A record that is cut off prints nothing, rather than texts that are not what was recorded. */
static bool all_fields_fit(const struct tracepoint *tracepoint,
			   const struct tracefields_record *record)
{
	const struct tracefields *fields = &tracepoint->fields;
	struct tracefields_bytes bytes;

	for (size_t i = 0; i < fields->count; i++)
		if (!fields->items[i].is_common &&
		    !tracefields_bytes(fields, &fields->items[i], record, &bytes))
			return false;
	return true;
}

static void print_all(const struct tracepoint *tracepoint, const struct tracefields_record *record,
		      struct str *text)
{
	size_t begin = text->size;

	for (size_t i = 0; i < tracepoint->own_count; i++) {
		const struct tracefield *field = tracepoint->list[i].field;

		str_addf(text, " %s=", field->name);
		tracefields_print(&tracepoint->fields, field, record, text);
		if (tracefields_cut(text, begin, record))
			return;
	}
}

/* In the words of libtraceevent, which people know from perf. */
static void print_fields(const struct tracepoint *tracepoint,
			 const struct tracefields_record *record, struct str *text)
{
	str_add(text, "[FAILED TO PARSE]");
	print_all(tracepoint, record, text);
}

void tracepoint_print(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
		      struct str *text)
{
	const struct tracefields_record record = { raw, raw_size };

	if (!all_fields_fit(tracepoint, &record))
		return;
	if (tracepoint->format)
		printfmt_print(tracepoint->format, &record, &tracepoint->set->printks, text);
	else
		print_fields(tracepoint, &record, text);
}

const struct tracepoint_field *tracepoint_field_at(const struct tracepoint *tracepoint, size_t i)
{
	return i < tracepoint->own_count ? &tracepoint->list[i] : NULL;
}

const struct tracepoint_field *tracepoint_field_find(const struct tracepoint *tracepoint,
						     const char *name)
{
	const struct tracefield *field = tracefields_find(&tracepoint->fields, name);
	size_t i = 0;

	if (!field)
		return NULL;
	while (tracepoint->list[i].field != field)
		i++;
	return &tracepoint->list[i];
}

const char *tracepoint_field_name(const struct tracepoint_field *field)
{
	return field->field->name;
}

bool tracepoint_field_is_text(const struct tracepoint_field *field)
{
	return field->field->is_text;
}

bool tracepoint_field_is_signed(const struct tracepoint_field *field)
{
	return field->field->is_signed;
}

bool tracepoint_field_bytes(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    const void **ret_bytes, size_t *ret_size)
{
	const struct tracefields_record record = { raw, raw_size };
	struct tracefields_bytes bytes;

	if (!tracefields_bytes(&field->of->fields, field->field, &record, &bytes))
		return false;
	*ret_bytes = bytes.bytes;
	*ret_size = bytes.size;
	return true;
}

static bool is_number_size(size_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static uint64_t read_number(const struct tracepoint_field *field, const void *bytes, size_t size)
{
	uint64_t value = tracefields_number(&field->of->fields, bytes, size);
	unsigned above = 64 - 8 * (unsigned)size; /* bits */

	if (!tracepoint_field_is_signed(field))
		return value;
	return (uint64_t)((int64_t)(value << above) >> above);
}

bool tracepoint_field_number(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			     uint64_t *ret_value)
{
	const void *bytes;
	size_t size;

	if (field->field->is_array ||
	    !tracepoint_field_bytes(field, raw, raw_size, &bytes, &size) || !is_number_size(size))
		return false;
	*ret_value = read_number(field, bytes, size);
	return true;
}

bool tracepoint_field_element(const struct tracepoint_field *field, const void *raw,
			      size_t raw_size, size_t i, uint64_t *ret_value)
{
	const void *bytes;
	size_t size, element = field->field->element;

	if (!field->field->is_array || tracepoint_field_is_text(field) ||
	    !is_number_size(element) ||
	    !tracepoint_field_bytes(field, raw, raw_size, &bytes, &size) || i >= size / element)
		return false;
	*ret_value = read_number(field, (const char *)bytes + i * element, element);
	return true;
}

void tracepoint_field_print(const struct tracepoint_field *field, const void *raw, size_t raw_size,
			    struct str *text)
{
	const struct tracefields_record record = { raw, raw_size };

	tracefields_print(&field->of->fields, field->field, &record, text);
}

void tracepoint_print_raw(const struct tracepoint *tracepoint, const void *raw, size_t raw_size,
			  struct str *text)
{
	const struct tracefields_record record = { raw, raw_size };

	if (raw_size <= INT32_MAX)
		print_all(tracepoint, &record, text);
}
