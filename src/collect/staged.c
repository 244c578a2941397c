/* staged.c - see staged.h. */
#include "collect/staged.h"

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/ringset.h"
#include "collect/tally.h"
#include "data/stage.h"
#include "data/writer.h"

enum { WRITE_SIZE = 1 << 20 }; /* bytes that are written at once */

/* What one ring has, record by record; those that the ring's end cuts in two are put together. */
struct ring_content {
	struct iovec spans[2];
	size_t span_count, size, at;
	uint64_t **whole; /* room for a record, which few rounds need; of all rings */
};

struct stage_round {
	struct stage *stage;
	struct writer *writer;
	struct ring_content *contents; /* of each ring */
	struct str out;
	uint64_t *written_ns;
};

/* NULL at the end, and where the bytes are no records. */
static const struct perf_event_header *next_record(struct ring_content *contents)
{
	size_t at = contents->at, left = contents->size - at, first = contents->spans[0].iov_len;
	struct perf_event_header header = { 0 };
	const char *bytes;

	if (left < sizeof(header))
		return NULL;
	ring_copy(contents->spans, contents->span_count, at, &header, sizeof(header));
	if (header.size < sizeof(header) || header.size > left || header.size % 8)
		return NULL;
	contents->at += header.size;
	if (at < first && first - at < header.size) {
		if (!*contents->whole)
			*contents->whole = xcalloc(1, UINT16_MAX + 1);
		ring_copy(contents->spans, contents->span_count, at, *contents->whole, header.size);
		return (const void *)*contents->whole;
	}
	bytes = at < first ? (const char *)contents->spans[0].iov_base + at
			   : (const char *)contents->spans[1].iov_base + (at - first);
	return (const void *)bytes;
}

static int write_spans(struct stage_round *round, const struct iovec *spans, size_t count,
		       struct strobe_err *err)
{
	uint64_t start = clock_now_ns();
	int r = writer_records(round->writer, spans, count, err);

	*round->written_ns += clock_now_ns() - start;
	return r;
}

static int write_out(struct stage_round *round, struct strobe_err *err)
{
	struct iovec span = { round->out.text, round->out.size };
	int r = span.iov_len ? write_spans(round, &span, 1, err) : 0;

	str_clear(&round->out);
	return r;
}

static void open_contents(struct ring_content *contents, const struct ringset *rings, size_t index)
{
	contents->span_count = ringset_spans(rings, index, contents->spans);
	for (size_t i = 0; i < contents->span_count; i++)
		contents->size += contents->spans[i].iov_len;
}

static void look_at(struct stage_round *round, struct ring_content *contents)
{
	const struct perf_event_header *header;

	while (round->stage->look && (header = next_record(contents)))
		round->stage->look(round->stage, header);
	contents->at = 0;
}

/* They go out where they lie. */
static int note_all(struct stage_round *round, struct ring_content *contents,
		    struct strobe_err *err)
{
	const struct perf_event_header *header;

	while (round->stage->note && (header = next_record(contents)))
		round->stage->note(round->stage, header);
	return write_spans(round, contents->spans, contents->span_count, err);
}

static int take_all(struct stage_round *round, struct ring_content *contents,
		    struct strobe_err *err)
{
	const struct perf_event_header *header;
	int r = 0;

	while (r == 0 && (header = next_record(contents))) {
		round->stage->pass(round->stage, header, &round->out);
		if (round->out.size >= WRITE_SIZE)
			r = write_out(round, err);
	}
	return r == 0 ? write_out(round, err) : r;
}

static int take_rings(struct stage_round *round, const struct ringset *rings, struct tally *tally,
		      struct strobe_err *err)
{
	int r = 0, any = 0;

	for (size_t i = 0; r == 0 && i < rings->count; i++) {
		struct ring_content *contents = &round->contents[i];

		if (contents->size == 0)
			continue;
		any = 1;
		tally_add(tally, contents->spans, contents->span_count);
		r = round->stage->pass ? take_all(round, contents, err)
				       : note_all(round, contents, err);
		if (r == 0)
			ring_consume(&rings->items[i].ring, contents->size);
	}
	return r < 0 ? r : any;
}

static void tell_fill(struct stage *stage, const struct ring_content *contents,
		      const struct ringset *rings)
{
	size_t highest = 0;

	for (size_t i = 0; i < rings->count; i++) {
		size_t size = rings->items[i].ring.size;
		size_t percent = size ? contents[i].size * 100 / size : 0;

		if (percent > highest)
			highest = percent;
	}
	if (stage->fill)
		stage->fill(stage, (unsigned)highest);
}

int staged_round(struct stage *stage, const struct ringset *rings, struct tally *tally,
		 struct writer *writer, uint64_t *written_ns, struct strobe_err *err)
{
	_cleanup_(freep) struct ring_content *contents =
		xcalloc(rings->count + 1, sizeof(*contents));
	_cleanup_(freep) uint64_t *whole = NULL;
	struct stage_round round = { .stage = stage, .writer = writer, .contents = contents };
	int r;

	round.written_ns = written_ns;
	/* All of them before anything else: the round is of one moment. */
	for (size_t i = 0; i < rings->count; i++)
		open_contents(&contents[i], rings, i);
	tell_fill(stage, contents, rings);
	for (size_t i = 0; i < rings->count; i++) {
		contents[i].whole = &whole;
		look_at(&round, &contents[i]);
	}
	if (stage->settle)
		stage->settle(stage);
	r = take_rings(&round, rings, tally, err);
	str_done(&round.out);
	return r;
}

void staged_show(struct stage *stage, const void *records, size_t size)
{
	struct ring_content contents = { .spans = { { (void *)(uintptr_t)records,
						      size } }, // NOLINT
					 .span_count = 1,
					 .size = size };
	const struct perf_event_header *header;

	while (stage->look && (header = next_record(&contents)))
		stage->look(stage, header);
	if (stage->settle)
		stage->settle(stage);
}
