/*
 * trace-live.c - see trace-live.h.
 *
 * What is recorded goes to a stream (data/stream.h) and is analyzed as that of a pipe is
 * (analyze/live.h), but through a queue: the rings are emptied before lines are made, so that a
 * burst waits in memory, and is not lost.
 */
#include "cmd/trace-live.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "analyze/calls.h"
#include "analyze/live.h"
#include "analyze/profile.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/ending.h"
#include "cmd/record-header.h"
#include "cmd/record-options.h"
#include "cmd/record-prepare.h"
#include "cmd/remark.h"
#include "cmd/trace-options.h"
#include "cmd/trace-print.h"
#include "collect/callfeed.h"
#include "collect/drain.h"
#include "collect/notes.h"
#include "collect/recording.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/stream.h"
#include "format/callplan.h"
#include "format/callspec.h"

enum {
	RING_SIZE = 32 << 20,
	SLICE = 1 << 20, /* bytes of the queue that are made lines of at a time */
};

struct queue {
	struct str bytes;
	size_t taken;
};

struct trace {
	struct trace_config *config;
	struct trace_print print;
	struct callfeed *feed;
	struct recording *recording;
	struct drain_visitor visitor;
	struct stream *stream;
	struct queue queue;
	struct live *live; /* NULL: the events are not told yet */
	struct calls *calls;
	struct callcopy_plan *plans; /* CALLCOPY_CALLS of 64 bits, and as many of 32 */
	bool shows_begun;            /* what goes on was shown, and nothing has come since */
};

static int queue_up(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	struct trace *trace = context;

	str_add_bytes(&trace->queue.bytes, bytes, size);
	return 0;
}

static int take_call(void *context, const struct calls_call *call)
{
	struct trace *trace = context;

	return trace_print_call(&trace->print, call);
}

static int take_sample(void *context, const struct profile_sample *sample)
{
	struct trace *trace = context;

	trace->shows_begun = false;
	if (calls_is_event(sample->event))
		return calls_take(trace->calls, sample);
	return 0;
}

static int take_other(void *context, const struct record *record, const struct sample *trailer,
		      const struct event_desc *event)
{
	struct trace *trace = context;
	const struct record_comm *comm = (const void *)record->header;
	const struct record_task *task = (const void *)record->header;
	const struct record_lost *lost = (const void *)record->header;

	switch (record->header->type) {
	case PERF_RECORD_COMM:
		if (record_fits(record->header, sizeof(*comm)) &&
		    record->header->misc & PERF_RECORD_MISC_COMM_EXEC)
			calls_exec(trace->calls, comm->tid);
		break;
	case PERF_RECORD_EXIT:
		if (record_fits(record->header, sizeof(*task)))
			calls_forget(trace->calls, task->tid);
		break;
	case PERF_RECORD_LOST:
		if (record_fits(record->header, sizeof(*lost)))
			trace_print_lost(&trace->print, lost->lost, trailer->time);
		break;
	}
	return 0;
}

static void changed(void *context)
{
}

static int settled(void *context)
{
	return 0;
}

/* The recorder has told its events: now they can be taken. */
static int begin(struct trace *trace)
{
	const struct live_options live = { take_sample, take_other, changed, settled, trace };
	const struct resolver_options names = { .demangle = true };

	trace->live = live_new(trace->stream, &names);
	live_start(trace->live, &live);
	return 0;
}

static void forget(struct trace *trace)
{
	struct hash dsos = { 0 };

	live_forget(trace->live, &dsos);
	hash_done(&dsos);
}

/* A slice of what waits. 1: there are enough lines. */
static int take_slice(struct trace *trace, struct strobe_err *err)
{
	struct queue *queue = &trace->queue;
	size_t left = queue->bytes.size - queue->taken;
	size_t size = left < SLICE ? left : SLICE;
	int r = 0;

	if (size > 0)
		r = stream_feed(trace->stream, queue->bytes.text + queue->taken, size, err);
	queue->taken += size;
	if (queue->taken == queue->bytes.size) {
		str_clear(&queue->bytes);
		queue->taken = 0;
	}
	if (r == 0 && !trace->live && datafile_is_told(stream_file(trace->stream)))
		r = begin(trace);
	if (r < 0 || !trace->live)
		return r;
	r = live_take(trace->live);
	if (live_is_heavy(trace->live))
		forget(trace);
	return r;
}

static bool is_waiting(const struct trace *trace)
{
	return trace->queue.taken < trace->queue.bytes.size;
}

/* Nothing has come: what there is, is all. */
static int go_quiet(struct trace *trace)
{
	int r = live_take_all(trace->live);

	if (r == 0 && !trace->shows_begun)
		r = calls_show_begun(trace->calls);
	trace->shows_begun = true;
	return r;
}

static int visit(struct drain_visitor *visitor, bool readable, struct strobe_err *err)
{
	struct trace *trace = visitor->context;
	bool is_quiet = !is_waiting(trace);
	int r = take_slice(trace, err);

	if (r == 0 && is_quiet && trace->live)
		r = go_quiet(trace);
	if (!is_waiting(trace))
		trace_print_flush(&trace->print);
	/* At once, if there is more; else when something comes, or has not come for a while. */
	visitor->due_ns = is_waiting(trace) ? 1 : 0;
	return r != 0 ? r : trace_print_is_done(&trace->print);
}

/* What there is when it ends. */
static int take_rest(struct trace *trace, struct strobe_err *err)
{
	int r = 0;

	while (r == 0 && is_waiting(trace))
		r = take_slice(trace, err);
	if (r == 0 && trace->live)
		r = live_take_all(trace->live);
	if (r == 0 && trace->live)
		r = calls_show_begun(trace->calls);
	return r < 0 ? r : 0;
}

static void make_plans(struct trace *trace)
{
	const struct trace_config *c = trace->config;
	const struct callplan_options options = { .text_size = c->string_limit };

	trace->plans = xcalloc((size_t)2 * CALLCOPY_CALLS, sizeof(*trace->plans));
	for (unsigned i = 0; i < 2 * CALLCOPY_CALLS; i++) {
		bool is_32 = i >= CALLCOPY_CALLS;
		unsigned number = i % CALLCOPY_CALLS;
		const struct callspec *spec = NULL;
		enum callabi abi;

		if (callspec_abi(c->machine, is_32, &abi))
			spec = callspec_find(abi, number);
		if (spec)
			callplan_make(spec, abi, &options, &trace->plans[i]);
		trace->plans[i].is_wanted = callchoice_wants(&c->choice, is_32, number);
	}
}

static int open_feed(struct trace *trace, struct strobe_err *err)
{
	struct trace_config *c = trace->config;
	const struct record_config *record = &c->record;
	const struct target_request *target = &record->recording.target;
	struct callfeed_options options = {
		.by_thread = target_wants_threads(target) ||
			     (record->recording.argv && !target_wants_any(target)),
		.follows = !record->attrs.no_inherit && !(target->tids && !target->pids),
		.cpus = target->cpus,
		.ring_size = record->recording.ring_size,
		.wants_other = !c->choice.is_named,
		.wide = trace->plans,
		.narrow = trace->plans + CALLCOPY_CALLS,
	};

	return callfeed_open(&options, &trace->feed, err);
}

static void print_notes(const struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		remark("%s", notes->items[i]);
}

/* An output that is closed ends it by an error and not by SIGPIPE, so that a command is stopped. */
static void block_pipe_signal(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	(void)sigprocmask(how, &set, NULL);
}

static int watch(struct trace *trace, struct strobe_err *err)
{
	struct recording_result result = { 0 };
	int r;

	block_pipe_signal(SIG_BLOCK);
	r = recording_run(trace->recording, err);
	if (r == 0)
		r = take_rest(trace, err);
	if (r == 0)
		r = recording_finish(trace->recording, &result, err);
	block_pipe_signal(SIG_UNBLOCK);
	if (r < 0)
		return r;
	trace->config->record.ended_by = result.signal;
	return result.exit_code;
}

static int prepare(struct trace *trace, const char **argv, struct notes *notes,
		   struct strobe_err *err)
{
	struct record_config *record = &trace->config->record;
	struct recording_options *rec = &record->recording;
	int r;

	if (!rec->argv && !target_wants_any(&rec->target))
		rec->target.all_cpus = true;
	if (!rec->ring_size)
		rec->ring_size = RING_SIZE;
	make_plans(trace);
	r = open_feed(trace, err);
	if (r < 0)
		return r;
	callfeed_events(&record->events);
	record->attrs.has_clockid = true;
	record->attrs.clockid = CLOCK_MONOTONIC;
	record->attrs.no_bpf_events = true;
	r = record_prepare(record, notes, err);
	if (r < 0)
		return r;
	record_prepare_header(record, argv);
	rec->sink = queue_up;
	rec->sink_context = trace;
	rec->keeps_stdout = true;
	rec->visitor = &trace->visitor;
	rec->feed = callfeed_feed(trace->feed);
	rec->synthesize.what = SYNTHESIZE_TASKS;
	return 0;
}

static int start(struct trace *trace, const char **argv, struct notes *notes,
		 struct strobe_err *err)
{
	struct record_config *record = &trace->config->record;
	struct calls_options calls = {
		.each = take_call,
		.context = trace,
		.machine = trace->config->machine,
		.only_whole = trace->config->failure || trace->config->duration_ms > 0,
	};
	int r = prepare(trace, argv, notes, err);

	if (r == 0)
		r = recording_open(&record->recording, &record->events, notes, &trace->recording,
				   err);
	if (r == 0)
		r = record_header_begin(&record->header, trace->recording, err);
	if (r < 0)
		return r;
	print_notes(notes);
	calls.starts_as = (uint32_t)recording_command(trace->recording);
	trace->calls = calls_new(&calls);
	return watch(trace, err);
}

static void done(struct trace *trace)
{
	calls_free(trace->calls);
	live_free(trace->live);
	stream_free(trace->stream);
	recording_free(trace->recording);
	callfeed_close(trace->feed);
	str_done(&trace->queue.bytes);
	free(trace->plans);
}

int trace_live(struct trace_config *config, const char **argv, struct strobe_err *err)
{
	struct trace trace = { .config = config, .visitor = { .fd = -1, .visit = visit } };
	struct notes notes = { 0 };
	int r, closed;

	trace.visitor.context = &trace;
	trace.stream = stream_new("trace");
	r = trace_print_open(&trace.print, config, err);
	if (r == 0)
		r = start(&trace, argv, &notes, err);
	done(&trace);
	notes_done(&notes);
	closed = trace_print_close(&trace.print, r < 0 ? NULL : err);
	return r < 0 ? r : closed < 0 ? closed : r;
}
