/* call-json.c - see call-json.h. */
#include "view/call-json.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/calls.h"
#include "base/json.h"
#include "base/str.h"
#include "format/callnames.h"
#include "format/calltables.h"

enum { DEPTH = 16 };

static bool has_parts(const struct callvalue *value)
{
	return value->kind == CALLVALUE_STRUCT || value->kind == CALLVALUE_LIST ||
	       value->kind == CALLVALUE_ALL_BUT;
}

static void add_cut(struct json *json, const struct callvalue *value)
{
	if (value->is_cut)
		json_bool(json, "cut", true);
}

/* One of several is a number, and flags are bits. */
static void add_names(struct json *json, const char *name, const struct callvalue *value)
{
	const struct callnames *names = value->names;
	const struct callname *item;
	uint64_t rest = value->number;
	size_t at = 0;

	json_begin(json, name);
	if (names->kind == CALLNAMES_ENUM)
		json_i64(json, "value", (int64_t)value->number);
	else
		json_addr(json, "value", value->number);
	json_begin_list(json, "names");
	while ((item = callnames_next(names, value->number, &rest, &at)))
		json_text(json, NULL, item->name);
	json_end_list(json);
	json_end(json);
}

static void add_text(struct json *json, const char *name, const struct callvalue *value)
{
	json_begin(json, name);
	json_bytes(json, "text", value->text, value->size);
	add_cut(json, value);
	json_end(json);
}

static void add_fd(struct json *json, const char *name, const struct callvalue *value)
{
	json_begin(json, name);
	json_i64(json, "fd", (int64_t)value->number);
	if (value->text)
		json_text(json, "path", value->text);
	json_end(json);
}

/* What has no parts. */
static void add_simple(struct json *json, const char *name, const struct callvalue *value)
{
	switch (value->kind) {
	case CALLVALUE_SIGNED:
		json_i64(json, name, (int64_t)value->number);
		break;
	case CALLVALUE_UNSIGNED:
	case CALLVALUE_OCTAL:
		json_u64(json, name, value->number);
		break;
	case CALLVALUE_HEX:
	case CALLVALUE_POINTER:
		json_addr(json, name, value->number);
		break;
	case CALLVALUE_NAMES:
		add_names(json, name, value);
		break;
	case CALLVALUE_WORD:
		json_text(json, name, value->text);
		break;
	case CALLVALUE_TEXT:
		add_text(json, name, value);
		break;
	case CALLVALUE_FD:
		add_fd(json, name, value);
		break;
	default:
		/* Deeper than anything is. */
		json_null(json, name);
		break;
	}
}

static void open_parts(struct json *json, const char *name, const struct callvalue *value)
{
	json_begin(json, name);
	if (value->kind == CALLVALUE_STRUCT)
		json_begin(json, "struct");
	else
		json_begin_list(json, value->kind == CALLVALUE_LIST ? "list" : "all_but");
}

static void close_parts(struct json *json, const struct callvalue *value)
{
	if (value->kind == CALLVALUE_STRUCT)
		json_end(json);
	else
		json_end_list(json);
	add_cut(json, value);
	json_end(json);
}

/* A value with all its parts. @name: NULL for a list's element. */
static void add_value(struct json *json, const char *name, const struct callvalue *value)
{
	const struct callvalue *end = value + value->span, *open[DEPTH];
	size_t depth = 0;

	while (value < end) {
		if (depth > 0)
			name = open[depth - 1]->kind == CALLVALUE_STRUCT ? value->name : NULL;
		if (has_parts(value) && depth < DEPTH) {
			open_parts(json, name, value);
			open[depth++] = value++;
		} else {
			add_simple(json, name, value);
			value += value->span;
		}
		while (depth > 0 && value == open[depth - 1] + open[depth - 1]->span)
			close_parts(json, open[--depth]);
	}
}

static void add_args(struct json *json, const struct calls_call *call, struct callvalues *values)
{
	json_begin(json, "args");
	if (call->values.enter) {
		callvalues_args(values, &call->values, CALLVALUES_ALL);
		for (size_t i = 0; i < values->count; i += values->items[i].span)
			add_value(json, values->items[i].name, &values->items[i]);
	}
	json_end(json);
}

static void add_result(struct json *json, const struct calls_call *call, struct callvalues *values)
{
	if (call->error) {
		json_i64(json, "errno", call->error);
		json_text(json, "error", callnames_find(&calltables_errno, (uint64_t)call->error));
		return;
	}
	callvalues_result(values, &call->values);
	add_value(json, "result", values->items);
}

static const char *outcome_of(const struct calls_call *call)
{
	if (call->part == CALLS_FINAL)
		return "never";
	return call->has_returned ? "returned" : "not_yet";
}

void call_json_add(struct json *json, const struct calls_call *call, struct callvalues *values)
{
	json_text(json, "name", call->values.spec->name);
	json_u64(json, "number", call->number);
	json_text(json, "outcome", outcome_of(call));
	if (call->start_ns)
		json_u64(json, "time_ns", call->start_ns);
	else
		json_null(json, "time_ns");
	if (call->end_ns)
		json_u64(json, "end_ns", call->end_ns);
	add_args(json, call, values);
	if (call->has_returned)
		add_result(json, call, values);
}
