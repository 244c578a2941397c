/* callreader.c - see callreader.h. */
#include "collect/callreader.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/str.h"
#include "collect/callcopier.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "data/writer.h"
#include "kernel/procmem.h"

enum {
	SOON_NS = 200000,       /* between two looks at the rings, when something happens, */
	LATE_NS = 32 * SOON_NS, /* and when nothing does */
	LATE_PERCENT = 5,       /* of a ring that is filled */
};

struct callreader {
	struct stage stage;
	struct callreader_options options;
	struct events *events;
	size_t enter; /* the index of sys_enter's event */
	bool was_refused;
	bool is_busy;     /* there were samples in this round */
	bool is_late;     /* there are too many */
	struct str items; /* of the sample at hand */
};

static struct callreader *reader_of(struct stage *stage)
{
	return (struct callreader *)stage;
}

static void begin(struct stage *stage, const struct writer_event *events, size_t count)
{
	struct callreader *reader = reader_of(stage);

	for (size_t i = 0; i < count; i++) {
		size_t index = events_add(reader->events, &events[i].attr, events[i].ids,
					  events[i].id_count);

		if (events[i].name && strcmp(events[i].name, "raw_syscalls:sys_enter") == 0)
			reader->enter = index;
	}
}

/* Of one thread. */
struct memory {
	struct callreader *reader;
	pid_t tid;
};

static size_t read_memory(void *context, uint64_t addr, void *bytes, size_t size)
{
	const struct memory *memory = context;
	struct callreader *reader = memory->reader;
	size_t got;

	errno = 0;
	got = procmem_read(memory->tid, addr, bytes, size);
	if (got == 0 && errno == EPERM && !reader->was_refused) {
		reader->was_refused = true;
		reader->options.refused(reader->options.context);
	}
	return got;
}

/* Whose arguments can be had: a sample of the entry of a call that is wanted. */
static const struct callcopy_plan *plan_of(const struct callreader *reader,
					   const struct perf_event_header *header,
					   struct sample *ret_sample)
{
	const struct record record = { .header = header };
	const struct event_desc *event;
	uint64_t number;

	if (header->type != PERF_RECORD_SAMPLE ||
	    events_decode(reader->events, &record, &event, ret_sample) < 0 ||
	    event->index != reader->enter ||
	    ret_sample->raw_size < CALLCOPY_ENTER_SIZE + sizeof(uint32_t))
		return NULL;
	memcpy(&number, (const char *)ret_sample->raw + 8, sizeof(number));
	if (number >= CALLCOPY_CALLS)
		return NULL;
	return ret_sample->regs_user.abi == PERF_SAMPLE_REGS_ABI_32
		       ? &reader->options.narrow[number]
		       : &reader->options.wide[number];
}

/* The items of reader->items lie behind the tracepoint's bytes and the mark, which is where its
 * padding was. */
static void add_sample(struct callreader *reader, const struct perf_event_header *header,
		       const struct sample *sample, uint32_t mark, struct str *out)
{
	struct perf_event_header longer = *header;
	const char *begin = (const char *)header, *raw = sample->raw, *end = raw + sample->raw_size;
	uint32_t raw_size = (uint32_t)(CALLCOPY_ENTER_SIZE + sizeof(mark) + reader->items.size);

	longer.size = (uint16_t)(header->size - sample->raw_size + raw_size);
	str_add_bytes(out, &longer, sizeof(longer));
	str_add_bytes(out, begin + sizeof(longer),
		      (size_t)(raw - begin) - sizeof(longer) - sizeof(raw_size));
	str_add_bytes(out, &raw_size, sizeof(raw_size));
	str_add_bytes(out, raw, CALLCOPY_ENTER_SIZE);
	str_add_bytes(out, &mark, sizeof(mark));
	str_add_bytes(out, reader->items.text, reader->items.size);
	str_add_bytes(out, end, (size_t)(begin + header->size - end));
}

static bool copy_memory(struct callreader *reader, const struct sample *sample,
			const struct callcopy_plan *plan, bool is_32)
{
	struct memory memory = { reader, (pid_t)sample->tid };
	const struct callcopier copier = { .read = read_memory,
					   .context = &memory,
					   .word = is_32 ? 4 : 8 };
	uint64_t args[CALLCOPY_ARGS];

	str_clear(&reader->items);
	memcpy(args, (const char *)sample->raw + 16, sizeof(args));
	return callcopier_enter(&copier, plan, args, &reader->items);
}

static void pass(struct stage *stage, const struct perf_event_header *header, struct str *out)
{
	struct callreader *reader = reader_of(stage);
	struct sample sample;
	const struct callcopy_plan *plan = plan_of(reader, header, &sample);
	uint32_t mark = CALLCOPY_MARK;

	reader->is_busy |= plan != NULL;
	if (!plan || !plan->is_wanted || reader->is_late) {
		str_add_bytes(out, header, header->size);
		return;
	}
	if (sample.regs_user.abi == PERF_SAMPLE_REGS_ABI_32)
		mark |= CALLCOPY_IS_32;
	if (!copy_memory(reader, &sample, plan, mark & CALLCOPY_IS_32))
		mark |= CALLCOPY_IS_FULL;
	if (header->size + reader->items.size > UINT16_MAX)
		str_clear(&reader->items);
	add_sample(reader, header, &sample, mark, out);
}

/* What is not read soon is not read at all: then it is too late, and records would get lost. */
static void fill(struct stage *stage, unsigned percent)
{
	reader_of(stage)->is_late = percent >= LATE_PERCENT;
}

/* The sooner the better, for the threads run on. */
static void settle(struct stage *stage)
{
	struct callreader *reader = reader_of(stage);

	if (reader->is_busy)
		stage->again_ns = SOON_NS;
	else if (stage->again_ns < LATE_NS)
		stage->again_ns *= 2;
	reader->is_busy = false;
}

struct callreader *callreader_new(const struct callreader_options *options)
{
	struct callreader *reader = xnew(struct callreader);

	reader->stage =
		(struct stage){ .begin = begin, .fill = fill, .settle = settle, .pass = pass };
	reader->options = *options;
	reader->events = events_new();
	reader->enter = SIZE_MAX;
	return reader;
}

void callreader_free(struct callreader *reader)
{
	if (!reader)
		return;
	events_free(reader->events);
	str_done(&reader->items);
	free(reader);
}

struct stage *callreader_stage(struct callreader *reader)
{
	return &reader->stage;
}
