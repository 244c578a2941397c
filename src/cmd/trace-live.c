/*
 * trace-live.c - see trace-live.h.
 *
 * What is recorded goes to a stream (data/stream.h) and is analyzed as that of a pipe is
 * (analyze/live.h), but through a queue: the rings are emptied before lines are made, so that a
 * burst waits in memory, and is not lost. When much waits the rings are left alone until it has
 * become less, so that a flood fills them and no more, and the kernel counts what finds no room.
 */
#include "cmd/trace-live.h"

#include <errno.h>
#include <signal.h>

#include "analyze/live.h"
#include "base/hash.h"
#include "base/mem.h"
#include "cmd/record-header.h"
#include "cmd/record-options.h"
#include "cmd/remark.h"
#include "cmd/running.h"
#include "cmd/trace-options.h"
#include "cmd/trace-queue.h"
#include "cmd/trace-session.h"
#include "cmd/trace-setup.h"
#include "collect/drain.h"
#include "collect/notes.h"
#include "collect/recording.h"
#include "data/datafile.h"
#include "data/stream.h"

struct trace {
	struct trace_config *config;
	struct trace_session session;
	struct trace_setup setup;
	struct recording *recording;
	struct drain_visitor visitor;
	struct stream *stream;
	struct trace_queue queue;
	struct running running;
	struct live *live; /* NULL: the events are not told yet */
};

static int queue_up(void *context, const void *bytes, size_t size, struct strobe_err *err)
{
	struct trace *trace = context;

	trace_queue_add(&trace->queue, bytes, size);
	return 0;
}

/* Lines are written when there is nothing else to do. */
static int settled(void *context)
{
	return 0;
}

/* The recorder has told its events: now they can be taken. */
static int begin(struct trace *trace, struct strobe_err *err)
{
	const struct live_options live = { trace_session_each, trace_session_other,
					   trace_session_changed, settled, &trace->session };
	struct resolver_options names = { .demangle = true };

	running_describe(&trace->running, stream_file(trace->stream), &names);
	trace->live = live_new(trace->stream, &names);
	live_start(trace->live, &live);
	return trace_session_begin(&trace->session, live_profile(trace->live),
				   trace->config->machine, err);
}

static void forget(struct trace *trace)
{
	struct hash dsos = { 0 };

	trace_session_forget(&trace->session, &dsos);
	live_forget(trace->live, &dsos);
	hash_done(&dsos);
}

/* A piece of what waits. 1: there are enough lines. */
static int take_piece(struct trace *trace, struct strobe_err *err)
{
	const void *bytes;
	size_t size = trace_queue_first(&trace->queue, &bytes);
	int r = 0;

	if (size > 0) {
		r = stream_feed(trace->stream, bytes, size, err);
		trace_queue_drop(&trace->queue);
	}
	if (r == 0 && !trace->live && datafile_is_told(stream_file(trace->stream)))
		r = begin(trace, err);
	if (r < 0 || !trace->live)
		return r;
	r = live_take(trace->live);
	if (live_is_heavy(trace->live))
		forget(trace);
	return r;
}

static bool is_waiting(const struct trace *trace)
{
	return trace->queue.size > 0;
}

/* Nothing has come: what there is, is all. */
static int go_quiet(struct trace *trace)
{
	int r = live_take_all(trace->live);

	return r == 0 ? trace_session_quiet(&trace->session) : r;
}

static int visit(struct drain_visitor *visitor, bool readable, struct strobe_err *err)
{
	struct trace *trace = visitor->context;
	bool is_quiet = !is_waiting(trace);
	int r = take_piece(trace, err);

	if (r == 0 && is_quiet && trace->live)
		r = go_quiet(trace);
	if (!is_waiting(trace))
		trace_print_flush(&trace->session.print);
	/* At once, if there is more; else when something comes, or has not come for a while. */
	visitor->due_ns = is_waiting(trace) ? 1 : 0;
	visitor->is_behind = trace->queue.size > trace->config->record.recording.ring_size / 2;
	return r != 0 ? r : trace_print_is_done(&trace->session.print);
}

/* What there is when it ends. */
static int take_rest(struct trace *trace, struct strobe_err *err)
{
	int r = 0;

	while (r == 0 && is_waiting(trace))
		r = take_piece(trace, err);
	if (r == 0 && trace->live)
		r = live_take_all(trace->live);
	if (r >= 0)
		trace_session_end(&trace->session);
	return r < 0 ? r : 0;
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

static int start(struct trace *trace, const char **argv, struct notes *notes,
		 struct strobe_err *err)
{
	struct record_config *record = &trace->config->record;
	struct recording_options *rec = &record->recording;
	int r = trace_setup_prepare(&trace->setup, trace->config, argv, notes, err);

	if (r < 0)
		return r;
	rec->sink = queue_up;
	rec->sink_context = trace;
	rec->keeps_stdout = true;
	rec->visitor = &trace->visitor;
	r = recording_open(rec, &record->events, notes, &trace->recording, err);
	if (r == 0)
		r = record_header_begin(&record->header, trace->recording, err);
	if (r < 0)
		return r;
	print_notes(notes);
	return watch(trace, err);
}

static void done(struct trace *trace)
{
	live_free(trace->live);
	stream_free(trace->stream);
	recording_free(trace->recording);
	trace_setup_done(&trace->setup);
	trace_queue_done(&trace->queue);
}

int trace_live(struct trace_config *config, const char **argv, struct strobe_err *err)
{
	struct trace trace = { .config = config, .visitor = { .fd = -1, .visit = visit } };
	struct notes notes = { 0 };
	int r, closed;

	trace.visitor.context = &trace;
	trace.stream = stream_new("trace");
	r = trace_session_open(&trace.session, config, err);
	if (r == 0)
		r = start(&trace, argv, &notes, err);
	closed = trace_session_close(&trace.session, r < 0 ? NULL : err);
	done(&trace);
	notes_done(&notes);
	return r < 0 ? r : closed < 0 ? closed : r;
}
