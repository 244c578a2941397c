/* stages.c - see stages.h. */
#include "stage/stages.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/str.h"
#include "data/stage.h"
#include "data/writer.h"

struct link {
	struct stage *stage;
	struct str made; /* what the record at hand became; as it is where the stage only notes */
};

struct stages {
	struct stage stage;
	struct link *items;
	size_t count, capacity;
};

static struct stages *stages_of(struct stage *stage)
{
	return (struct stages *)stage;
}

static void begin(struct stage *stage, const struct writer_event *events, size_t count)
{
	struct stages *stages = stages_of(stage);
	struct writer_event *coming = xcalloc(count, sizeof(*coming));

	for (size_t k = 0; k < count; k++)
		coming[k] = events[k];
	for (size_t i = 0; i < stages->count; i++) {
		struct stage *one = stages->items[i].stage;

		if (one->begin)
			one->begin(one, coming, count);
		for (size_t k = 0; one->change_attr && k < count; k++)
			one->change_attr(one, &coming[k].attr);
	}
	free(coming);
}

static void change_attr(struct stage *stage, struct attr *attr)
{
	struct stages *stages = stages_of(stage);

	for (size_t i = 0; i < stages->count; i++)
		if (stages->items[i].stage->change_attr)
			stages->items[i].stage->change_attr(stages->items[i].stage, attr);
}

static void fill(struct stage *stage, unsigned percent)
{
	struct stages *stages = stages_of(stage);

	for (size_t i = 0; i < stages->count; i++)
		if (stages->items[i].stage->fill)
			stages->items[i].stage->fill(stages->items[i].stage, percent);
}

static void look(struct stage *stage, const struct perf_event_header *header)
{
	struct stages *stages = stages_of(stage);

	for (size_t i = 0; i < stages->count; i++)
		if (stages->items[i].stage->look)
			stages->items[i].stage->look(stages->items[i].stage, header);
}

static void settle(struct stage *stage)
{
	struct stages *stages = stages_of(stage);

	for (size_t i = 0; i < stages->count; i++)
		if (stages->items[i].stage->settle)
			stages->items[i].stage->settle(stages->items[i].stage);
}

/* One of the stages takes whole records: what becomes of them is in @made, or they are as they
 * were.
 */
static void take_all(struct link *link, const char *records, size_t size)
{
	size_t at = 0;

	str_clear(&link->made);
	while (at < size) {
		const struct perf_event_header *header = (const void *)(records + at);

		if (link->stage->pass)
			link->stage->pass(link->stage, header, &link->made);
		else if (link->stage->note)
			link->stage->note(link->stage, header);
		at += header->size;
	}
}

static void pass(struct stage *stage, const struct perf_event_header *header, struct str *out)
{
	struct stages *stages = stages_of(stage);
	const char *records = (const char *)header;
	size_t size = header->size;

	for (size_t i = 0; i < stages->count; i++) {
		struct link *link = &stages->items[i];

		take_all(link, records, size);
		if (!link->stage->pass)
			continue;
		records = link->made.text;
		size = link->made.size;
	}
	if (size > 0)
		str_add_bytes(out, records, size);
}

static void note(struct stage *stage, const struct perf_event_header *header)
{
	struct stages *stages = stages_of(stage);

	for (size_t i = 0; i < stages->count; i++)
		if (stages->items[i].stage->note)
			stages->items[i].stage->note(stages->items[i].stage, header);
}

struct stages *stages_new(void)
{
	struct stages *stages = xnew(struct stages);

	stages->stage = (struct stage){ .begin = begin,
					.change_attr = change_attr,
					.fill = fill,
					.look = look,
					.settle = settle,
					.note = note };
	return stages;
}

void stages_free(struct stages *stages)
{
	if (!stages)
		return;
	for (size_t i = 0; i < stages->count; i++)
		str_done(&stages->items[i].made);
	free(stages->items);
	free(stages);
}

void stages_add(struct stages *stages, struct stage *stage)
{
	grow(stages);
	stages->items[stages->count++] = (struct link){ .stage = stage };
	if (stage->pass) {
		stages->stage.pass = pass;
		stages->stage.note = NULL;
	}
}

struct stage *stages_stage(struct stages *stages)
{
	return &stages->stage;
}
