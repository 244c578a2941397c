/* callfeed.c - see callfeed.h. */
#include "collect/callfeed.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "collect/target.h"
#include "data/record.h"
#include "event/eventlist.h"
#include "kernel/callprobe.h"
#include "kernel/cgroup.h"
#include "kernel/cpus.h"
#include "kernel/proc.h"
#include "kernel/tracefs.h"

/* No kernel gives such ids to its events. */
#define ENTER_ID 0xfeed000000000001ULL
#define EXIT_ID 0xfeed000000000002ULL

enum { PIECE = 1 << 20 }; /* bytes of a round that are handed out at a time */

struct callfeed {
	struct feed feed;
	struct callprobe *probe;
	struct cpus cpus;
	int cgroup;
	struct str *out;   /* of the round at hand */
	uint64_t until_ns; /* the end of that round; 0: none is at hand */
};

static uint64_t tracepoint_id(const char *name)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	uint64_t id = 0;

	if (tracefs_open(NULL, &tracefs, NULL) < 0 ||
	    tracefs_event_id(tracefs, "raw_syscalls", name, &id) < 0)
		return 0;
	return id;
}

static void add_event(struct eventlist *list, const char *name, const char *point, uint64_t id)
{
	struct event_spec *event = eventlist_add(list, name);

	event->fed_id = id;
	event->is_tracepoint = true;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = tracepoint_id(point);
	if (event->attr.config)
		event->tracepoint = xstrdup(name);
}

void callfeed_events(struct eventlist *list)
{
	add_event(list, "raw_syscalls:sys_enter", "sys_enter", ENTER_ID);
	add_event(list, "raw_syscalls:sys_exit", "sys_exit", EXIT_ID);
}

static int watch(struct feed *feed, const struct target *target, pid_t waiting,
		 struct strobe_err *err)
{
	struct callfeed *calls = feed->context;
	int r = 0;

	for (size_t i = 0; r == 0 && !target->all_cpus && i < target->tids.count; i++)
		r = callprobe_watch(calls->probe, target->tids.items[i],
				    target->tids.items[i] == waiting);
	if (r < 0)
		return err_set(err, r, "cannot watch so many threads: %s", strerror(-r));
	return 0;
}

static void turn(struct feed *feed, bool on)
{
	struct callfeed *calls = feed->context;

	callprobe_turn(calls->probe, on);
}

/* A LOST record, with the trailer that the events of callfeed_events() have. */
static void add_lost(const struct callprobe_loss *loss, struct str *out)
{
	struct {
		struct record_lost_since body;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, reserved;
		uint64_t identifier;
	} record = {
		.body.lost.header = { .type = PERF_RECORD_LOST, .size = sizeof(record) },
		.body.lost.id = ENTER_ID,
		.body.lost.lost = loss->count,
		.body.first_ns = loss->first_ns,
		.time = loss->last_ns,
		.identifier = ENTER_ID,
	};

	str_add_bytes(out, &record, sizeof(record));
}

/* The head of a sample of these events. */
struct sample_head {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time;
};

/*
 * What was there when the round began, and not what comes while it is taken: then all sources of a
 * round have the same end, and a program that is faster than the reader does not keep it here.
 */
static int take_record(void *context, const void *record, size_t size)
{
	struct callfeed *calls = context;
	struct sample_head head;

	str_add_bytes(calls->out, record, size);
	if (size < sizeof(head))
		return 0;
	memcpy(&head, record, sizeof(head));
	if (head.time >= calls->until_ns)
		return -EAGAIN;
	return calls->out->size >= PIECE ? -ENOBUFS : 0;
}

static int take_records(struct feed *feed, struct str *out, struct strobe_err *err)
{
	struct callfeed *calls = feed->context;
	struct callprobe_loss loss;
	int r;

	calls->out = out;
	if (!calls->until_ns)
		calls->until_ns = clock_now_ns();
	r = callprobe_read(calls->probe, take_record, calls);
	if (r == -ENOBUFS)
		return 1;
	calls->until_ns = 0;
	if (r < 0 && r != -EAGAIN)
		return err_set(err, r, "cannot read the ring of system calls: %s", strerror(-r));
	loss = callprobe_lost(calls->probe);
	if (loss.count > 0)
		add_lost(&loss, out);
	/* There is more: at once. */
	feed->again_ns = r == -EAGAIN ? 0 : callprobe_wake_ns();
	return 0;
}

int callfeed_open(const struct callfeed_options *options, struct callfeed **ret_feed,
		  struct strobe_err *err)
{
	_cleanup_(callfeed_closep) struct callfeed *calls = xnew(struct callfeed);
	struct callprobe_options probe = {
		.enter_id = ENTER_ID,
		.exit_id = EXIT_ID,
		.enter_type = (uint16_t)tracepoint_id("sys_enter"),
		.exit_type = (uint16_t)tracepoint_id("sys_exit"),
		.by_thread = options->by_thread,
		.follows = options->follows,
		.ignored = options->ignored->items,
		.ignored_count = options->ignored->count,
		.ring_size = options->ring_size,
		.wants_stack = options->wants_stack,
		.wants_other = options->wants_other,
		.wide = options->wide,
		.narrow = options->narrow,
	};
	int r = 0;

	calls->cgroup = -1;
	if (options->cpus)
		r = cpus_parse(&calls->cpus, options->cpus, err);
	if (r == 0 && options->cgroup)
		calls->cgroup = cgroup_open(NULL, options->cgroup, err);
	if (r == 0 && calls->cgroup < 0 && options->cgroup)
		r = calls->cgroup;
	probe.cpus = options->cpus ? calls->cpus.items : NULL;
	probe.cpu_count = calls->cpus.count;
	probe.cgroup = calls->cgroup;
	if (r == 0)
		r = callprobe_open(&probe, &calls->probe, err);
	if (r < 0)
		return r;
	calls->feed = (struct feed){
		.fd = callprobe_fd(calls->probe),
		.watch = watch,
		.turn = turn,
		.drain = take_records,
		.again_ns = callprobe_wake_ns(),
		.context = calls,
	};
	*ret_feed = take(calls);
	return 0;
}

void callfeed_close(struct callfeed *calls)
{
	if (!calls)
		return;
	callprobe_close(calls->probe);
	cpus_done(&calls->cpus);
	if (calls->cgroup >= 0)
		(void)close(calls->cgroup);
	free(calls);
}

struct feed *callfeed_feed(struct callfeed *calls)
{
	return &calls->feed;
}
