/* recording.c - see recording.h. */
#include "collect/recording.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "collect/drain.h"
#include "collect/eventset.h"
#include "collect/feed.h"
#include "collect/notes.h"
#include "collect/recordbuf.h"
#include "collect/ringset.h"
#include "collect/tally.h"
#include "collect/wakeup.h"
#include "collect/workload.h"
#include "data/record.h"
#include "data/sample.h"
#include "data/stage.h"
#include "data/writer.h"
#include "event/eventlist.h"
#include "kernel/privileges.h"

struct recording {
	const struct recording_options *options;
	struct eventlist *list;
	struct wakeup wakeup;
	bool takes_signals;
	struct target target;
	struct workload workload;
	bool watches_workload; /* else it only says how long */
	struct eventset set;
	struct ringset rings;
	struct writer *writer;
	struct writer_event *events; /* as the writer got them */
	uint64_t *ids;               /* of all events */
	struct tally tally;
	struct drain drain;
	int end; /* enum drain_end */
	uint64_t lost_count;
};

static int open_target(struct recording *rec, struct strobe_err *err)
{
	const struct recording_options *options = rec->options;
	int r = target_resolve(&options->target, &rec->target, err);
	bool stdout_taken;

	if (r < 0 || !options->argv)
		return r;
	rec->watches_workload = !target_wants_any(&options->target);
	stdout_taken =
		!options->keeps_stdout && (options->sink || strcmp(options->output, "-") == 0);
	r = workload_start(&rec->workload, options->argv, &rec->wakeup.before, stdout_taken, err);
	if (r == 0 && rec->watches_workload)
		target_add(&rec->target, rec->workload.pid, rec->workload.pid);
	return r;
}

static int open_writer(struct recording *rec, struct strobe_err *err)
{
	const struct recording_options *options = rec->options;

	if (!options->sink)
		return writer_open(options->output, &rec->writer, err);
	rec->writer = writer_new(options->sink, options->sink_context);
	return 0;
}

static int write_events(struct recording *rec, struct strobe_err *err)
{
	size_t count = rec->list->count;
	size_t id_count = rec->set.cpu_count * rec->set.thread_count;
	struct writer_event *events = xcalloc(count, sizeof(*events));
	struct stage *stage = rec->options->stage;
	uint64_t *ids = xcalloc(count * id_count, sizeof(*ids));

	rec->events = events;
	rec->ids = ids;
	for (size_t i = 0; i < count; i++)
		events[i] = (struct writer_event){
			.attr = rec->list->items[i].attr,
			.name = rec->list->items[i].name,
			.ids = ids + i * id_count,
			.id_count = eventset_ids(&rec->set, i, ids + i * id_count),
		};
	if (stage && stage->begin)
		stage->begin(stage, events, count);
	for (size_t i = 0; stage && stage->change_attr && i < count; i++)
		stage->change_attr(stage, &events[i].attr);
	return writer_events(rec->writer, events, count, err);
}

int recording_open(const struct recording_options *options, struct eventlist *list,
		   struct notes *notes, struct recording **ret_recording, struct strobe_err *err)
{
	_cleanup_(recording_freep) struct recording *rec = xnew(struct recording);
	struct eventset_options events = { .exclude_self = options->exclude_self };
	int r;

	rec->options = options;
	rec->list = list;
	r = wakeup_open(&rec->wakeup, err);
	if (r < 0)
		return r;
	rec->takes_signals = true;
	r = open_target(rec, err);
	if (r == 0)
		r = eventset_open(&rec->set, list, &rec->target, &events, notes, err);
	if (r == 0)
		r = ringset_open(&rec->rings, &rec->set, options->ring_size, notes, err);
	if (r == 0)
		r = open_writer(rec, err);
	if (r == 0)
		r = write_events(rec, err);
	if (r == 0)
		*ret_recording = take(rec);
	return r;
}

static int refuse_realtime(int code, struct strobe_err *err)
{
	err_set(err, code, "cannot read the rings with real-time priority: %s", strerror(-code));
	return err_hint(err, code, "-r takes 1 to 99, and needs root or CAP_SYS_NICE");
}

static pid_t watched_command(const struct recording *rec)
{
	return rec->watches_workload ? rec->workload.pid : 0;
}

static int turn_on(struct recording *rec, struct strobe_err *err)
{
	int r = eventset_enable(&rec->set, err);

	if (r == 0 && rec->options->feed)
		rec->options->feed->turn(rec->options->feed, true);
	return r;
}

/* Events first, /proc after them, the command last. */
static int start(struct recording *rec, struct strobe_err *err)
{
	struct synthesize_options synthesize = rec->options->synthesize;
	struct feed *feed = rec->options->feed;
	int r = 0;

	/* The command is a process of its own already. */
	if (rec->options->realtime)
		r = privileges_realtime(rec->options->realtime);
	if (r < 0)
		return refuse_realtime(r, err);
	synthesize.stage = rec->options->stage;
	synthesize.waiting = watched_command(rec);
	if (feed)
		r = feed->watch(feed, &rec->target, watched_command(rec), err);
	if (r == 0 && !schedule_is_delayed(&rec->options->schedule))
		r = turn_on(rec, err);
	if (r == 0)
		r = synthesize_start(&synthesize, &rec->set, rec->writer, err);
	if (r == 0)
		r = writer_checkpoint(rec->writer, err);
	if (r == 0 && rec->workload.pid)
		r = workload_go(&rec->workload, rec->options->argv[0], err);
	return r;
}

/* Of those that the event has where it is open, which need not be everywhere; 0: none. */
static uint64_t first_id(const struct writer_event *event)
{
	for (size_t i = 0; i < event->id_count; i++)
		if (event->ids[i])
			return event->ids[i];
	return 0;
}

/* What the kernel counted as lost, event by event, so that a reader can say whose it was. */
static int write_lost(struct recording *rec, struct strobe_err *err)
{
	struct recordbuf buf = { 0 };
	int r;

	for (size_t i = 0; i < rec->list->count; i++) {
		const struct attr *attr = &rec->list->items[i].attr;
		size_t id_at = sample_trailer_id_offset(attr);
		uint64_t id = first_id(&rec->events[i]);
		uint64_t lost = eventset_lost(&rec->set, i);

		if (!lost)
			continue;
		rec->lost_count += lost;
		buf.trailer_size = sample_trailer_size(attr);
		recordbuf_begin(&buf, PERF_RECORD_LOST_SAMPLES, 0);
		recordbuf_u64(&buf, lost);
		recordbuf_end_sideband(&buf);
		if (id_at)
			memcpy(buf.bytes.text + buf.bytes.size - id_at, &id, sizeof(id));
	}
	/* Kernels before 6.0 do not count by event: then what the records said. */
	if (rec->lost_count == 0)
		rec->lost_count = rec->tally.lost_count + rec->tally.lost_samples;
	r = recordbuf_flush(&buf, rec->writer, err);
	recordbuf_done(&buf);
	return r;
}

static void stop_events(struct recording *rec)
{
	eventset_disable(&rec->set);
	if (rec->options->feed)
		rec->options->feed->turn(rec->options->feed, false);
}

static int stop(struct recording *rec, struct strobe_err *err)
{
	int r;

	stop_events(rec);
	/* A command that is watched and has no task left is about to end by itself. */
	if (!(rec->end == DRAIN_TARGETS && rec->watches_workload))
		workload_stop(&rec->workload);
	r = drain_rest(&rec->drain, err);
	if (r == 0)
		r = write_lost(rec, err);
	return r == 0 ? writer_checkpoint(rec->writer, err) : r;
}

/* Thousandths are shown: what is less is one, for nothing is not what was lost. */
static double megabytes_up(uint64_t bytes)
{
	return (double)((bytes * 1000 + (1 << 20) - 1) >> 20) / 1000;
}

/* The file ends with the last record that found room in it. */
static int give_up(struct recording *rec, int code, struct strobe_err *err)
{
	uint64_t kept, lost;

	stop_events(rec);
	workload_stop(&rec->workload);
	kept = writer_readable(rec->writer);
	lost = writer_size(rec->writer) + drain_left_size(&rec->drain) - kept;
	(void)writer_finish(take(rec->writer), NULL);
	if (kept == 0)
		return code;
	return err_hint(err, code,
			"%.3f MB of records were written and can be read, %.3f MB were not",
			(double)kept / 1024 / 1024, megabytes_up(lost));
}

int recording_run(struct recording *rec, struct strobe_err *err)
{
	int r;

	tally_init(&rec->tally, rec->list);
	rec->drain = (struct drain){
		.set = &rec->set,
		.rings = &rec->rings,
		.writer = rec->writer,
		.tally = &rec->tally,
		.wakeup = &rec->wakeup,
		.workload = &rec->workload,
		.schedule = &rec->options->schedule,
		.duration_ns = rec->options->duration_ns,
		.max_size = rec->options->max_size,
		.visitor = rec->options->visitor,
		.stage = rec->options->stage,
		.feed = rec->options->feed,
	};
	/* In a pipe, the header comes first. */
	if (!writer_is_pipe(rec->writer))
		rec->drain.bpf = rec->options->synthesize.bpf;
	r = start(rec, err);
	if (r < 0) {
		workload_stop(&rec->workload);
		return r;
	}
	rec->end = drain_run(&rec->drain, err);
	r = rec->end < 0 ? rec->end : stop(rec, err);
	return r < 0 ? give_up(rec, r, err) : 0;
}

struct writer *recording_writer(const struct recording *rec)
{
	return rec->writer;
}

const struct tally *recording_tally(const struct recording *rec)
{
	return &rec->tally;
}

const struct writer_event *recording_events(const struct recording *rec, size_t *ret_count)
{
	*ret_count = rec->list->count;
	return rec->events;
}

static int exit_code(struct recording *rec)
{
	int code = rec->workload.pid ? workload_wait(&rec->workload) : 0;

	if (rec->end == DRAIN_WORKLOAD || (rec->end == DRAIN_TARGETS && rec->watches_workload))
		return code;
	return 0;
}

int recording_finish(struct recording *rec, struct recording_result *ret_result,
		     struct strobe_err *err)
{
	struct recording_result result = {
		.signal = rec->drain.signal,
		.is_full = rec->end == DRAIN_SIZE,
		.wake_count = rec->drain.round_count,
		.written_size = writer_size(rec->writer),
		.sample_count = rec->tally.sample_count,
		.lost_count = rec->lost_count,
		.throttle_count = rec->tally.throttle_count,
		.ring_size = rec->rings.size,
		.slowest_ns = rec->drain.slowest_ns,
		.slowest_written_ns = rec->drain.slowest_written_ns,
	};
	int r = writer_finish(take(rec->writer), err);

	if (r < 0)
		return r;
	/* The file is whole before a command that ignores SIGTERM can keep us waiting. */
	result.exit_code = exit_code(rec);
	*ret_result = result;
	return 0;
}

void recording_free(struct recording *rec)
{
	if (!rec)
		return;
	/* Who waits there goes at once; a command may take its time. */
	bool at_gate = rec->workload.pid && rec->workload.gate >= 0;

	if (rec->writer)
		writer_abandon(rec->writer);
	workload_stop(&rec->workload);
	drain_done(&rec->drain);
	ringset_close(&rec->rings);
	eventset_close(&rec->set);
	target_done(&rec->target);
	if (at_gate)
		(void)workload_wait(&rec->workload);
	if (rec->takes_signals)
		wakeup_close(&rec->wakeup);
	free(rec->events);
	free(rec->ids);
	free(rec);
}
