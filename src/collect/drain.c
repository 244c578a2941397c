/* drain.c - see drain.h. */
#include "collect/drain.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "collect/eventset.h"
#include "collect/feed.h"
#include "collect/ringset.h"
#include "collect/schedule.h"
#include "collect/staged.h"
#include "collect/tally.h"
#include "collect/wakeup.h"
#include "collect/workload.h"
#include "data/record.h"
#include "data/stage.h"
#include "data/writer.h"
#include "kernel/bpf-programs.h"

#define SECOND_NS 1000000000ULL
#define QUIET_NS 10000000ULL /* without records: to a visitor, nothing happens */

enum { RINGS = 3 }; /* where those of the rings begin among what is polled */

/* Of one call of drain_run(). */
struct run {
	struct drain *drain;
	struct pollfd *polls; /* the signals, the visitor's, the feed's, then the rings */
	/* On the monotonic clock; 0: not at all. */
	uint64_t start_ns, switch_ns, end_ns, visit_ns;
	struct schedule_walk walk;
};

/* As the writer's functions, with the time that they take. */
static int write_spans(struct drain *drain, const struct iovec *spans, size_t count,
		       uint64_t *written_ns, struct strobe_err *err)
{
	uint64_t start = clock_now_ns();
	int r = writer_records(drain->writer, spans, count, err);

	*written_ns += clock_now_ns() - start;
	return r;
}

static int checkpoint(struct drain *drain, uint64_t *written_ns, struct strobe_err *err)
{
	uint64_t start = clock_now_ns();
	int r = writer_checkpoint(drain->writer, err);

	*written_ns += clock_now_ns() - start;
	return r;
}

static int drain_ring(struct drain *drain, size_t index, uint64_t *written_ns,
		      struct strobe_err *err)
{
	struct iovec spans[2];
	size_t count = ringset_spans(drain->rings, index, spans), size = 0;
	int r;

	if (count == 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		size += spans[i].iov_len;
	tally_add(drain->tally, spans, count);
	r = write_spans(drain, spans, count, written_ns, err);
	if (r < 0)
		return r;
	ring_consume(&drain->rings->items[index].ring, size);
	return 1;
}

/* 1 if it had anything. */
static int drain_feed(struct drain *drain, uint64_t *written_ns, struct strobe_err *err)
{
	struct iovec span;
	int more = drain->feed ? 1 : 0, r = 0;

	drain->feed_is_busy = false;
	while (r == 0 && more > 0) {
		str_clear(&drain->fed);
		more = drain->feed->drain(drain->feed, &drain->fed, err);
		if (more < 0)
			return more;
		if (drain->fed.size == 0)
			break;
		drain->feed_is_busy = true;
		span = (struct iovec){ drain->fed.text, drain->fed.size };
		tally_add(drain->tally, &span, 1);
		r = write_spans(drain, &span, 1, written_ns, err);
	}
	return r < 0 ? r : drain->feed_is_busy;
}

/* All rings; 1 if there was anything. */
static int drain_rings(struct drain *drain, uint64_t *written_ns, struct strobe_err *err)
{
	bool any = false;
	int r = 0;

	if (drain->stage)
		return staged_round(drain->stage, drain->rings, drain->tally, drain->writer,
				    written_ns, err);
	for (size_t i = 0; r >= 0 && i < drain->rings->count; i++) {
		r = drain_ring(drain, i, written_ns, err);
		any |= r > 0;
	}
	return r < 0 ? r : any;
}

static int drain_sources(struct drain *drain, uint64_t *written_ns, struct strobe_err *err)
{
	int fed = drain_feed(drain, written_ns, err);
	int r = fed < 0 ? fed : drain_rings(drain, written_ns, err);

	return r == 0 ? fed : r;
}

/* A round; 1 if there was anything. */
static int drain_round(struct drain *drain, struct strobe_err *err)
{
	struct perf_event_header end = { .type = RECORD_FINISHED_ROUND, .size = sizeof(end) };
	struct iovec span = { &end, sizeof(end) };
	uint64_t start = clock_now_ns(), written_ns = 0, took_ns;
	uint64_t bpf_load_count = drain->tally->bpf_load_count;
	int r = drain_sources(drain, &written_ns, err);

	if (r <= 0)
		return r;
	if (drain->bpf && drain->tally->bpf_load_count > bpf_load_count)
		bpf_programs_load(drain->bpf);
	drain->round_count++;
	r = write_spans(drain, &span, 1, &written_ns, err);
	if (r == 0)
		r = checkpoint(drain, &written_ns, err);
	took_ns = clock_now_ns() - start;
	if (took_ns > drain->slowest_ns) {
		drain->slowest_ns = took_ns;
		drain->slowest_written_ns = written_ns;
	}
	return r < 0 ? r : 1;
}

/* How long to sleep at most. */
static struct timespec timeout_of(const struct run *run)
{
	const struct drain_visitor *visitor = run->drain->visitor;
	const struct feed *feed = run->drain->feed;
	const struct stage *stage = run->drain->stage;
	uint64_t now = clock_now_ns(), wait = stage ? SECOND_NS / 10 : SECOND_NS;

	if (stage && stage->again_ns && stage->again_ns < wait)
		wait = stage->again_ns;
	if (feed && run->drain->feed_is_busy && feed->again_ns < wait)
		wait = feed->again_ns;
	if (visitor && visitor->due_ns && visitor->due_ns < now + wait)
		wait = visitor->due_ns > now ? visitor->due_ns - now : 0;
	if (run->switch_ns && run->switch_ns < now + wait)
		wait = run->switch_ns > now ? run->switch_ns - now : 0;
	if (run->end_ns && run->end_ns < now + wait)
		wait = run->end_ns > now ? run->end_ns - now : 0;
	return (struct timespec){ .tv_sec = (time_t)(wait / SECOND_NS),
				  .tv_nsec = (long)(wait % SECOND_NS) };
}

/* Sleeps until a ring fills, a signal comes, a task ends, or it is time. */
static int sleep_on(struct run *run, struct strobe_err *err)
{
	size_t count = RINGS + run->drain->rings->count;
	const struct drain_visitor *visitor = run->drain->visitor;
	const struct feed *feed = run->drain->feed;
	const struct timespec timeout = timeout_of(run);

	run->polls[0] = (struct pollfd){ .fd = run->drain->wakeup->fd, .events = POLLIN };
	run->polls[1] = (struct pollfd){ .fd = visitor ? visitor->fd : -1, .events = POLLIN };
	run->polls[2] = (struct pollfd){ .fd = feed ? feed->fd : -1, .events = POLLIN };
	ringset_poll_set(run->drain->rings, run->polls + RINGS);
	if (ppoll(run->polls, count, &timeout, NULL) < 0) {
		if (errno != EINTR)
			return err_errno(err, "cannot wait for records");
		for (size_t i = 0; i < count; i++)
			run->polls[i].revents = 0;
	}
	return 0;
}

/* What has come to an end: enum drain_end, or -1. */
static int find_end(struct run *run)
{
	struct drain *drain = run->drain;
	bool alive = ringset_poll_done(drain->rings, run->polls + RINGS);
	bool workload_ended;

	drain->signal = wakeup_read(drain->wakeup);
	/* Not by the signal alone: it may have come before the workload was ours to wait for. */
	workload_ended = workload_poll(drain->workload);
	/* A terminal sends ^C to both, and the workload may be gone first. */
	if (workload_ended && !drain->signal)
		drain->signal = wakeup_read(drain->wakeup);
	if (drain->signal)
		return DRAIN_SIGNAL;
	if (workload_ended)
		return DRAIN_WORKLOAD;
	if (!alive)
		return DRAIN_TARGETS;
	if (run->end_ns && clock_now_ns() >= run->end_ns)
		return DRAIN_TIME;
	if (drain->max_size && writer_size(drain->writer) >= drain->max_size)
		return DRAIN_SIZE;
	return -1;
}

/* When the schedule next starts or stops the events. */
static void set_switch(struct run *run)
{
	uint64_t due = schedule_walk_due(&run->walk);

	run->switch_ns = due == UINT64_MAX ? 0 : run->start_ns + due;
}

static int switch_if_due(struct run *run, struct strobe_err *err)
{
	struct feed *feed = run->drain->feed;
	int r = 0;

	if (!run->switch_ns || clock_now_ns() < run->switch_ns)
		return 0;
	if (feed)
		feed->turn(feed, !run->walk.counting);
	if (run->walk.counting)
		eventset_pause(run->drain->set);
	else
		r = eventset_enable(run->drain->set, err);
	if (!schedule_walk_step(&run->walk))
		run->end_ns = clock_now_ns();
	set_switch(run);
	return r;
}

/* A stage may have more rounds than a visitor wants: those that had nothing are none, unless it
 * waited. */
static bool is_visit(const struct run *run, bool any)
{
	uint64_t now = clock_now_ns(), due = run->drain->visitor->due_ns;

	return any || !run->drain->stage || run->polls[1].revents || (due && due <= now) ||
	       now - run->visit_ns >= QUIET_NS;
}

static int visit(struct run *run, int *end, struct strobe_err *err)
{
	struct drain_visitor *visitor = run->drain->visitor;
	int r = visitor->visit(visitor, run->polls[1].revents != 0, err);

	run->visit_ns = clock_now_ns();
	if (r > 0)
		*end = DRAIN_VISITOR;
	return r;
}

int drain_run(struct drain *drain, struct strobe_err *err)
{
	_cleanup_(freep) struct pollfd *polls =
		xcalloc(RINGS + drain->rings->count, sizeof(*polls));
	struct run run = {
		.drain = drain,
		.polls = polls,
		.start_ns = clock_now_ns(),
		.walk = { .schedule = drain->schedule },
	};
	int r = 0, end = -1;

	set_switch(&run);
	if (drain->duration_ns)
		run.end_ns = run.start_ns + drain->duration_ns;
	while (r >= 0 && end < 0) {
		r = sleep_on(&run, err);
		if (r < 0)
			break;
		end = find_end(&run);
		r = drain->visitor && drain->visitor->is_behind ? 0 : drain_round(drain, err);
		if (r >= 0 && end < 0 && drain->visitor && is_visit(&run, r > 0))
			r = visit(&run, &end, err);
		if (r >= 0)
			r = switch_if_due(&run, err);
	}
	return r < 0 ? r : end;
}

size_t drain_left_size(const struct drain *drain)
{
	size_t size = 0;

	for (size_t i = 0; i < drain->rings->count; i++) {
		struct iovec spans[2];
		size_t count = drain->rings->items[i].ring.page
				       ? ring_spans(&drain->rings->items[i].ring, spans)
				       : 0;

		for (size_t n = 0; n < count; n++)
			size += spans[n].iov_len;
	}
	return size;
}

int drain_rest(struct drain *drain, struct strobe_err *err)
{
	int r;

	do
		r = drain_round(drain, err);
	while (r > 0 && drain->feed_is_busy);
	return r < 0 ? r : 0;
}

void drain_done(struct drain *drain)
{
	str_done(&drain->fed);
}
