/* fields.c - see fields.h. */
#include "analyze/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/extras.h"
#include "analyze/fields-check.h"
#include "analyze/sortkey.h"
#include "analyze/trace-key.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"

static const char default_sort[] = "comm,dso,symbol";
static const char default_trace_sort[] = "trace";
static const char default_memory_sort[] =
	"local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,"
	"local_p_stage_cyc";
static const char default_branch_sort[] = "comm,dso_from,symbol_from,symbol_to,cycles";

const char *fields_name(size_t i)
{
	const struct sortkey *key;

	for (size_t k = 0; (key = sortkey_at(k)) != NULL; k++) {
		if (i-- == 0)
			return key->name;
		if (key->alias && i-- == 0)
			return key->alias;
	}
	return i + 1 < MEASURE_COUNT ? measure_name((enum measure)(i + 1)) : NULL;
}

/* Keys of one id are one column under two names. */
static bool is_same(struct field left, struct field right)
{
	if (left.key && right.key)
		return left.key->id == right.key->id;
	return left.measure == right.measure && left.key == right.key;
}

static bool list_has(const struct field_list *list, struct field field)
{
	for (size_t i = 0; i < list->count; i++) {
		if (is_same(list->items[i], field))
			return true;
	}
	return false;
}

static void list_add(struct field_list *list, struct field field)
{
	if (list_has(list, field))
		return;
	grow(list);
	list->items[list->count++] = field;
}

static void list_add_measure(struct field_list *list, enum measure measure)
{
	list_add(list, (struct field){ .measure = measure });
}

static void list_append(struct field_list *list, const struct field_list *others)
{
	for (size_t i = 0; i < others->count; i++)
		list_add(list, others->items[i]);
}

/* What perf's reports know, and strobe's cannot. */
static const struct {
	const char *name, *why;
} absent[] = {
	{ "simd", "it comes from hardware traces, which strobe does not decode" },
};

static int err_unknown(struct str_part part, bool is_field, const struct trace_source *source,
		       struct strobe_err *err)
{
	_cleanup_(str_done) struct str name = { 0 };
	struct suggest suggest = { 0 };

	str_add_bytes(&name, part.text, part.size);
	suggest.typed = str_text(&name);
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		if (strcmp(suggest.typed, absent[i].name) == 0)
			return err_set(err, -EINVAL, "perf has '%s', strobe has not: %s",
				       absent[i].name, absent[i].why);
	}
	for (size_t i = 0; fields_name(i); i++)
		suggest_try(&suggest, fields_name(i));
	trace_keys_suggest(source, &suggest);
	err_set(err, -EINVAL, "unknown %s '%s'", is_field ? "field" : "sort key", suggest.typed);
	if (suggest.name)
		return err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	return err_hint(err, -EINVAL, "'strobe help report' lists them");
}

/* Fields of tracepoints. */
static int add_traced(struct field_list *list, struct str_part part, bool is_field, bool joined,
		      const struct fields_options *options, struct trace_keys *traced,
		      struct strobe_err *err)
{
	struct trace_found found = { 0 };
	int r = trace_keys_find(traced, &options->source, part, &found, err);

	for (size_t i = 0; i < found.count; i++)
		list_add(list, (struct field){ .key = found.items[i], .joined = joined });
	free(found.items);
	return r == 0 ? err_unknown(part, is_field, &options->source, err) : r;
}

static int add_named(struct field_list *list, struct str_part part, bool is_field, bool joined,
		     const struct fields_options *options, struct trace_keys *traced,
		     struct strobe_err *err)
{
	struct field field = { .measure = measure_find(part, is_field), .joined = joined };
	enum data_src_kind kind;

	if (field.measure == MEASURE_NONE)
		field.key = sortkey_find(part.text, part.size);
	if (field.measure == MEASURE_NONE && !field.key)
		return add_traced(list, part, is_field, joined, options, traced, err);
	if (field.key) {
		int r = fields_check_key(field.key, options, err);

		if (r < 0)
			return r;
	}
	if (measure_is_latency(field.measure) && !options->latency)
		return fields_check_latency(measure_name(field.measure), err);
	if (extras_kind_of(field.measure, &kind)) {
		int r = fields_check_class(field.measure, is_field, options, err);

		if (r < 0)
			return r;
	}
	list_add(list, field);
	return 0;
}

/* Takes blanks and braces off a field's ends, and tells of each end whether it had a brace. */
static struct str_part strip(struct str_part part, bool *ret_begins, bool *ret_ends)
{
	*ret_begins = *ret_ends = false;
	while (part.size > 0 && (part.text[0] == ' ' || part.text[0] == '{')) {
		*ret_begins |= part.text[0] == '{';
		part.text++;
		part.size--;
	}
	while (part.size > 0 &&
	       (part.text[part.size - 1] == ' ' || part.text[part.size - 1] == '}')) {
		*ret_ends |= part.text[part.size - 1] == '}';
		part.size--;
	}
	return part;
}

static int add_list(struct field_list *list, const char *names, bool is_field,
		    const struct fields_options *options, struct trace_keys *traced,
		    struct strobe_err *err)
{
	struct str_part part;
	bool joined = false, begins, ends;

	while (str_split(&names, ',', &part)) {
		int r = 0;

		part = strip(part, &begins, &ends);
		if (part.size > 0)
			r = add_named(list, part, is_field, joined && !begins, options, traced,
				      err);
		if (r < 0)
			return r;
		joined = (joined || begins) && !ends;
	}
	return 0;
}

/* -s that says where overhead or latency stands says all about them. */
static bool names_measures(const struct fields_options *options)
{
	return options->sort &&
	       (strstr(options->sort, "overhead") || strstr(options->sort, "latency"));
}

static void list_done(struct field_list *list)
{
	free(list->items);
}

/* The measures that rows are ordered by, in front of all keys. */
static void add_weights(const struct fields_options *options, struct field_list *list)
{
	static const enum measure pairs[2][2] = { { MEASURE_CHILDREN, MEASURE_LATENCY_CHILDREN },
						  { MEASURE_OVERHEAD, MEASURE_LATENCY } };

	for (size_t i = options->children ? 0 : 1; i < 2; i++) {
		if (options->latency && options->latency_first)
			list_add_measure(list, pairs[i][1]);
		list_add_measure(list, pairs[i][0]);
		if (options->latency)
			list_add_measure(list, pairs[i][1]);
	}
}

/* Whether -s leaves overheads where it names them. */
static bool places_weights(const struct fields_options *options)
{
	return names_measures(options) && !options->latency_first;
}

/*
 * The columns that are there without being named. As in perf, the place of those that -s names says
 * what rows are ordered by; as columns they are the first all the same.
 */
static void add_default_columns(const struct fields_options *options,
				const struct field_list *order, struct field_list *columns)
{
	_cleanup_(list_done) struct field_list weights = { 0 };

	add_weights(options, &weights);
	for (size_t i = 0; i < weights.count; i++) {
		if (!places_weights(options) || list_has(order, weights.items[i]))
			list_add(columns, weights.items[i]);
	}
	if (options->show_cpu) {
		list_add_measure(columns, MEASURE_SYS);
		list_add_measure(columns, MEASURE_US);
	}
	if (options->show_samples)
		list_add_measure(columns, MEASURE_SAMPLES);
	if (options->show_period)
		list_add_measure(columns, MEASURE_PERIOD);
}

static const char *default_keys(const struct fields_options *options)
{
	if (options->traces)
		return default_trace_sort;
	if (options->memory)
		return default_memory_sort;
	if (options->branches)
		return default_branch_sort;
	return options->default_sort ? options->default_sort : default_sort;
}

static bool has_branches(const struct fields_options *options)
{
	return options->branches || options->branch_history;
}

/* -s, with what it leaves out. */
static char *whole_sort(const struct fields_options *options)
{
	const char *more = options->sort && options->sort[0] == '+' ? options->sort + 1 : NULL;
	struct str text = { 0 };

	str_add(&text, options->sort && !more ? options->sort : default_keys(options));
	if (more)
		str_addf(&text, ",%s", more);
	/* As in perf: who asks for "symbol" by its whole name also gets its IPC. */
	if (options->sort && strstr(options->sort, "symbol"))
		str_add(&text,
			has_branches(options) && !options->stream ? ",ipc_lbr" : ",ipc_null");
	return str_take(&text);
}

/* What rows are ordered by: overheads before all else, unless they were named at a place. */
static int add_sort(const struct fields_options *options, bool strict, const char *sort,
		    struct fields *fields, struct strobe_err *err)
{
	_cleanup_(list_done) struct field_list list = { 0 };
	int r = add_list(&list, sort, false, options, &fields->traced, err);

	if (r < 0)
		return r;
	if (!strict && !places_weights(options))
		add_weights(options, &fields->order);
	list_append(&fields->order, &list);
	return 0;
}

int fields_parse(const struct fields_options *options, struct fields *ret_fields,
		 struct strobe_err *err)
{
	_cleanup_(fields_done) struct fields fields = { 0 };
	bool strict = options->fields && options->fields[0] != '+';
	int r = 0;

	fields.self_is_named = options->children && !strict;
	fields.latency_is_asked = options->latency_first || strict || names_measures(options) ||
				  (options->fields && strstr(options->fields, "latency"));
	/* -F alone says what rows are told apart by, too. */
	if (!strict || options->sort) {
		fields.sort_text = whole_sort(options);
		r = add_sort(options, strict, fields.sort_text, &fields, err);
	}
	if (!strict)
		add_default_columns(options, &fields.order, &fields.columns);
	if (r == 0 && options->fields)
		r = add_list(&fields.columns, options->fields + !strict, true, options,
			     &fields.traced, err);
	if (r < 0)
		return r;
	if (options->parent)
		list_add(&fields.order, (struct field){ .key = sortkey_find("parent", 6) });
	list_append(&fields.columns, &fields.order);
	list_append(&fields.order, &fields.columns);
	list_append(&fields.all_columns, &fields.columns);
	*ret_fields = fields;
	fields.columns.items = fields.all_columns.items = NULL;
	fields.order.items = NULL;
	fields.sort_text = NULL;
	fields.traced = (struct trace_keys){ 0 };
	return 0;
}

static struct field_list list_of_events(const struct field_list *list, size_t first, size_t count)
{
	struct field_list some = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		const struct sortkey *key = list->items[i].key;

		if (!key || !key->traced || key->traced->event - first < count)
			list_add(&some, list->items[i]);
	}
	return some;
}

void fields_of_events(const struct fields *fields, size_t first, size_t count,
		      struct fields *ret_some)
{
	*ret_some = *fields;
	ret_some->columns = list_of_events(&fields->columns, first, count);
	ret_some->all_columns = list_of_events(&fields->all_columns, first, count);
	ret_some->order = list_of_events(&fields->order, first, count);
}

void fields_done_some(struct fields *some)
{
	list_done(&some->columns);
	list_done(&some->all_columns);
	list_done(&some->order);
}

static void drop_latency(struct field_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (!measure_is_latency(list->items[i].measure))
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

void fields_drop_latency(struct fields *fields)
{
	drop_latency(&fields->columns);
	drop_latency(&fields->all_columns);
	drop_latency(&fields->order);
}

static bool begins_level(struct field field)
{
	return field.key && !field.joined;
}

size_t fields_level_count(const struct fields *fields)
{
	size_t count = 0;

	for (size_t i = 0; i < fields->all_columns.count; i++)
		count += begins_level(fields->all_columns.items[i]);
	return count;
}

size_t fields_level(const struct fields *fields, const struct sortkey *key)
{
	size_t count = 0;

	for (size_t i = 0; i < fields->all_columns.count; i++) {
		count += begins_level(fields->all_columns.items[i]);
		if (fields->all_columns.items[i].key == key)
			break;
	}
	return count > 0 ? count - 1 : 0;
}

void fields_elide(struct fields *fields, const char *name, const char *value)
{
	struct field_list *columns = &fields->columns;

	for (size_t i = 0; i < columns->count; i++) {
		if (!columns->items[i].key || strcmp(columns->items[i].key->name, name) != 0)
			continue;
		columns->count--;
		memmove(&columns->items[i], &columns->items[i + 1],
			(columns->count - i) * sizeof(*columns->items));
		fields->elided[fields->elided_count++] = (struct field_elided){ name, value };
		return;
	}
}

void fields_restore(struct fields *fields)
{
	fields->columns.count = 0;
	list_append(&fields->columns, &fields->all_columns);
}

void fields_unelide_all(struct fields *fields)
{
	for (size_t i = 0; i < fields->columns.count; i++) {
		if (fields->columns.items[i].key)
			return;
	}
	fields_restore(fields);
}

void fields_done(struct fields *fields)
{
	free(fields->all_columns.items);
	free(fields->columns.items);
	free(fields->order.items);
	free(fields->sort_text);
	trace_keys_done(&fields->traced);
	*fields = (struct fields){ 0 };
}

bool fields_want_history(const struct field_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].key && list->items[i].key->of_history)
			return true;
	}
	return false;
}

bool fields_want_modes(const struct field_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!list->items[i].key && list->items[i].measure >= MEASURE_SYS &&
		    list->items[i].measure <= MEASURE_GUEST_US)
			return true;
	}
	return false;
}

bool fields_want_data(const struct field_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].key && list->items[i].key->of_data)
			return true;
	}
	return false;
}

bool fields_want_source(const struct field_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].key && list->items[i].key->of_source)
			return true;
	}
	return false;
}

bool fields_have_key(const struct field_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].key && strcmp(list->items[i].key->name, name) == 0)
			return true;
	}
	return false;
}
