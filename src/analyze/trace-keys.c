/* trace-keys.c - see trace-keys.h. */
#include "analyze/trace-keys.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace-key.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "data/events.h"
#include "format/tracepoint.h"

void trace_keys_done(struct trace_keys *keys)
{
	for (size_t i = 0; i < keys->count; i++)
		free(keys->items[i]);
	free(keys->items);
	*keys = (struct trace_keys){ 0 };
}

static const struct tracepoint *tracepoint_at(const struct trace_source *source, size_t event)
{
	const struct event_desc *desc = events_at(source->events, event);

	if (desc->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	return tracepoint_set_find(source->formats, desc->attr.config);
}

static size_t event_count(const struct trace_source *source)
{
	return source->events && source->formats ? events_count(source->events) : 0;
}

static struct trace_key *key_of(struct trace_keys *keys, size_t event,
				const struct tracepoint_field *field)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (keys->items[i]->event == event && keys->items[i]->field == field)
			return keys->items[i];
	}
	return NULL;
}

static size_t count_of(const struct trace_keys *keys, size_t event)
{
	size_t count = 0;

	for (size_t i = 0; i < keys->count; i++)
		count += keys->items[i]->event == event;
	return count;
}

static struct trace_key *new_key(struct trace_keys *keys, size_t event,
				 const struct tracepoint *tracepoint,
				 const struct tracepoint_field *field, bool raw)
{
	const char *name = tracepoint_field_name(field);
	struct trace_key *key = xnew(struct trace_key);

	*key = (struct trace_key){
		.key = { .name = name, .header = name, .right = true, .traced = key },
		.event = event,
		.slot = count_of(keys, event),
		.tracepoint = tracepoint,
		.field = field,
		.raw = raw,
	};
	key->key.id = SORTKEY_COUNT + (unsigned)keys->count;
	grow(keys);
	keys->items[keys->count++] = key;
	return key;
}

/* What a name asks for, taken apart. */
struct wanted {
	const char *event; /* NULL: any */
	const char *field; /* NULL: all */
	bool raw;
};

static void add_key(struct trace_keys *keys, const struct trace_source *source, size_t event,
		    const struct tracepoint_field *field, const struct wanted *wanted,
		    struct trace_found *found)
{
	struct trace_key *key = key_of(keys, event, field);

	if (!key)
		key = new_key(keys, event, tracepoint_at(source, event), field,
			      wanted->raw || source->raw);
	grow(found);
	found->items[found->count++] = &key->key;
}

/* The wanted fields of one event; how many. */
static int add_event(struct trace_keys *keys, const struct trace_source *source, size_t event,
		     const struct wanted *wanted, struct trace_found *found)
{
	const struct tracepoint *tracepoint = tracepoint_at(source, event);
	const struct tracepoint_field *field;
	int count = 0;

	if (!tracepoint)
		return 0;
	if (wanted->field) {
		field = tracepoint_field_find(tracepoint, wanted->field);
		if (field)
			add_key(keys, source, event, field, wanted, found);
		return field != NULL;
	}
	while ((field = tracepoint_field_at(tracepoint, (size_t)count)) != NULL) {
		add_key(keys, source, event, field, wanted, found);
		count++;
	}
	return count;
}

/* How well an event answers to a name. */
enum match { MATCH_NONE, MATCH_PART, MATCH_WHOLE };

static enum match match(const struct trace_source *source, size_t event, const char *name)
{
	const struct tracepoint *tracepoint = tracepoint_at(source, event);
	_cleanup_(str_done) struct str whole = { 0 };
	uint64_t number;

	if (!tracepoint)
		return MATCH_NONE;
	if (name[0] == '%')
		return str_to_u64(name + 1, &number) && number == event + 1 ? MATCH_WHOLE
									    : MATCH_NONE;
	str_addf(&whole, "%s:%s", tracepoint_system(tracepoint), tracepoint_name(tracepoint));
	if (strcmp(str_text(&whole), name) == 0 || strcmp(tracepoint_name(tracepoint), name) == 0)
		return MATCH_WHOLE;
	return strstr(str_text(&whole), name) ? MATCH_PART : MATCH_NONE;
}

static int err_event(const char *name, size_t count, struct strobe_err *err)
{
	if (count == 0) {
		err_set(err, -EINVAL, "no tracepoint '%s' in the recording", name);
		return err_hint(err, -EINVAL, "'strobe evlist' lists what was recorded");
	}
	err_set(err, -EINVAL, "'%s' is a part of the names of %zu tracepoints", name, count);
	return err_hint(err, -EINVAL, "write the whole name, or %%1 for the first event");
}

static void suggest_fields(const struct tracepoint *tracepoint, struct suggest *suggest)
{
	const struct tracepoint_field *field;

	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)) != NULL; i++)
		suggest_try(suggest, tracepoint_field_name(field));
}

static int err_field(const struct trace_source *source, size_t event, const struct wanted *wanted,
		     struct strobe_err *err)
{
	const struct tracepoint *tracepoint = tracepoint_at(source, event);
	struct suggest suggest = { .typed = wanted->field };

	suggest_fields(tracepoint, &suggest);
	err_set(err, -EINVAL, "'%s:%s' has no field '%s'", tracepoint_system(tracepoint),
		tracepoint_name(tracepoint), wanted->field);
	if (suggest.name)
		return err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	return err_hint(err, -EINVAL, "'strobe evlist --trace-fields' lists them");
}

/* Of the events that go by the name; a part of a name must be of one only. */
static int add_named(struct trace_keys *keys, const struct trace_source *source,
		     const struct wanted *wanted, struct trace_found *found, struct strobe_err *err)
{
	size_t counts[MATCH_WHOLE + 1] = { 0 }, last = 0;
	enum match least;
	int count = 0;

	for (size_t i = 0; i < event_count(source); i++)
		counts[match(source, i, wanted->event)]++;
	least = counts[MATCH_WHOLE] ? MATCH_WHOLE : MATCH_PART;
	if (counts[MATCH_WHOLE] == 0 && counts[MATCH_PART] != 1)
		return err_event(wanted->event, counts[MATCH_PART], err);
	for (size_t i = 0; i < event_count(source); i++) {
		if (match(source, i, wanted->event) < least)
			continue;
		last = i;
		count += add_event(keys, source, i, wanted, found);
	}
	if (count == 0 && wanted->field)
		return err_field(source, last, wanted, err);
	return count;
}

/* Takes @name apart, in place. */
static struct wanted parse(char *name)
{
	struct wanted wanted = { .field = name };
	char *slash = strchr(name, '/'), *dot = strchr(name, '.');

	if (slash && strcmp(slash, "/raw") == 0) {
		*slash = '\0';
		wanted.raw = true;
	}
	if (dot && dot > name) {
		*dot = '\0';
		wanted.event = name;
		wanted.field = strcmp(dot + 1, "*") == 0 ? NULL : dot + 1;
	} else if (strcmp(name, "trace_fields") == 0) {
		wanted.field = NULL;
	}
	return wanted;
}

int trace_keys_find(struct trace_keys *keys, const struct trace_source *source,
		    struct str_part name, struct trace_found *found, struct strobe_err *err)
{
	_cleanup_(str_done) struct str copy = { 0 };
	struct wanted wanted;
	int count = 0;

	if (event_count(source) == 0 || name.size == 0)
		return 0;
	str_add_bytes(&copy, name.text, name.size);
	wanted = parse(copy.text);
	if (wanted.event)
		return add_named(keys, source, &wanted, found, err);
	for (size_t i = 0; i < event_count(source); i++)
		count += add_event(keys, source, i, &wanted, found);
	return count;
}

void trace_keys_suggest(const struct trace_source *source, struct suggest *suggest)
{
	for (size_t i = 0; i < event_count(source); i++) {
		const struct tracepoint *tracepoint = tracepoint_at(source, i);

		if (tracepoint)
			suggest_fields(tracepoint, suggest);
	}
}
