/* survey.c - see survey.h. */
#include "data/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "data/normalizer.h"
#include "data/record.h"
#include "data/walk.h"

enum { LEAST = 2 * 1024 * 1024, OF_THREAD = 4 }; /* bytes of a stretch; stretches */

/* A part of the file, which begins with a record if all is well. */
struct stretch {
	_Alignas(MEM_APART) struct walk walk;
	size_t begin, limit;
	bool is_normal;
	uint64_t unknown_count;
	size_t telling_end;
};

/* What is told of stacks stands everywhere, and is no property of an event. */
static bool tells_of_event(const struct walk_record *record)
{
	uint64_t kind;

	if (record->header.size < sizeof(record->header) + sizeof(kind))
		return false;
	memcpy(&kind, record->bytes + sizeof(record->header), sizeof(kind));
	return kind != RECORD_UPDATE_STACK && kind != RECORD_UPDATE_STACKS;
}

/* Records that datafile collects from; they stand at the beginning. */
static bool is_telling(const struct walk_record *record)
{
	uint32_t type = record->header.type;

	return type == RECORD_HEADER_ATTR || type == RECORD_HEADER_FEATURE ||
	       type == RECORD_HEADER_TRACING_DATA ||
	       (type == RECORD_EVENT_UPDATE && tells_of_event(record));
}

/* Stops at the first record that cannot be used where it lies. */
static void look(struct stretch *stretch)
{
	struct walk *walk = &stretch->walk;
	struct walk_record record;

	walk->end = walk->offset;
	walk_samples(walk, stretch->limit);
	while (walk->offset < stretch->limit && walk_next(walk, &record)) {
		if (walk->uneven || walk->skipped_count || normalizer_is_compressed(&record.header))
			return;
		if (!record_type_name(record.header.type))
			stretch->unknown_count++;
		else if (is_telling(&record))
			stretch->telling_end = walk->end;
		walk_samples(walk, stretch->limit);
	}
	stretch->is_normal = true;
}

static void look_at_stretch(void *context, size_t job, size_t thread)
{
	struct stretch *stretch = (struct stretch *)context + job;

	if (job > 0 && !walk_find(&stretch->walk, stretch->begin, stretch->limit))
		return;
	stretch->begin = stretch->walk.offset;
	look(stretch);
}

/* Whether the records of all are those that one finds from the first on. */
static bool hang_together(const struct stretch *stretches, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!stretches[i].is_normal)
			return false;
		if (i > 0 && stretches[i].begin != stretches[i - 1].walk.offset)
			return false;
	}
	return true;
}

static struct stretch *divide(const uint8_t *bytes, size_t begin, size_t end, size_t count)
{
	struct stretch *stretches = xaligned(MEM_APART, count, sizeof(*stretches));
	size_t size = (end - begin) / count / 8 * 8;

	for (size_t i = 0; i < count; i++) {
		size_t from = begin + i * size;

		stretches[i] = (struct stretch){
			.walk = { .bytes = bytes, .size = end, .offset = from },
			.begin = from,
			.limit = i + 1 < count ? from + size : end,
		};
	}
	return stretches;
}

static void sum_up(const struct stretch *stretches, size_t count, struct survey *survey)
{
	const struct walk *last = &stretches[count - 1].walk;

	*survey = (struct survey){
		.is_normal = hang_together(stretches, count),
		.skipped_count = last->skipped_count,
		.ignored_size = last->ignored_size,
		.end = last->end,
		.stretches = xcalloc(count, sizeof(*survey->stretches)),
		.stretch_count = count,
	};
	for (size_t i = 0; i < count; i++) {
		survey->stretches[i] = stretches[i].begin;
		survey->unknown_count += stretches[i].unknown_count;
		if (stretches[i].telling_end > survey->telling_end)
			survey->telling_end = stretches[i].telling_end;
	}
}

void survey_take(const uint8_t *bytes, uint64_t begin, uint64_t end, struct survey *ret_survey)
{
	size_t threads = pool_threads(), count = threads > 1 ? OF_THREAD * threads : 1;
	struct stretch *stretches;

	if (count > (end - begin) / LEAST)
		count = (end - begin) / LEAST + 1;
	stretches = divide(bytes, begin, end, count);
	pool_run(threads, count, look_at_stretch, stretches);
	sum_up(stretches, count, ret_survey);
	free(stretches);
	if (ret_survey->is_normal || count == 1)
		return;
	free(ret_survey->stretches);
	stretches = divide(bytes, begin, end, 1);
	look(stretches);
	sum_up(stretches, 1, ret_survey);
	free(stretches);
}
