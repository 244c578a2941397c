/* meter.c - see meter.h. */
#include "collect/meter.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "collect/control.h"
#include "collect/eventset.h"
#include "collect/notes.h"
#include "collect/schedule.h"
#include "collect/wakeup.h"
#include "collect/workload.h"
#include "data/countset.h"
#include "event/eventlist.h"
#include "kernel/host-counts.h"
#include "kernel/perfevent.h"

#define SECOND_NS UINT64_C(1000000000)
#define NEVER UINT64_MAX

enum { WATCHED = 2 };    /* where what is watched begins among what is polled */
enum { GRACE_MS = 200 }; /* for a command that was asked to end */

struct meter {
	const struct meter_options *options;
	struct eventlist *list;
	struct target target;
	struct workload workload;
	bool counts_workload;       /* else it only says how long */
	struct host_counts machine; /* if an event asks for it */
	struct eventset set;
	struct countset counts;
	struct pollfd *polls; /* the signals, the orders, then the threads that are watched */
	size_t watched_count;

	struct schedule_walk walk;
	uint64_t begin_ns; /* on the monotonic clock: of the run, ... */
	uint64_t start_ns; /* ...and of counting; 0: not yet */
	uint64_t tick_ns;  /* when the next interval is over; NEVER: none */
	unsigned tick_count;
	int signal;
};

static uint64_t timeval_ns(struct timeval time)
{
	return (uint64_t)time.tv_sec * SECOND_NS + (uint64_t)time.tv_usec * 1000;
}

static int open_target(struct meter *meter, struct strobe_err *err)
{
	const struct meter_options *options = meter->options;
	struct target_request request = options->target;
	int r;

	/* A counter needs no ring, so one follows a thread to all CPUs. */
	request.per_thread = !request.all_cpus && !request.cpus;
	r = target_resolve(&request, &meter->target, err);
	if (r < 0 || !options->argv)
		return r;
	meter->counts_workload = !target_wants_any(&options->target);
	r = workload_start(&meter->workload, options->argv, &options->wakeup->before,
			   options->stdout_taken, err);
	if (r == 0 && meter->counts_workload)
		target_add(&meter->target, meter->workload.pid, meter->workload.pid);
	return r;
}

static void look_at_machine(struct meter *meter)
{
	for (size_t i = 0; i < meter->list->count; i++)
		if (tool_event_is_of_machine(meter->list->items[i].tool)) {
			host_counts_load(NULL, &meter->machine);
			return;
		}
}

/* To see when all threads that were named have ended; nobody waits for what merely runs. */
static void watch_threads(struct meter *meter)
{
	const struct target *target = &meter->target;
	bool wanted =
		!target->all_cpus && !meter->counts_workload && !meter->options->target.all_threads;
	size_t count = wanted ? target->tids.count : 0;

	meter->polls = xcalloc(WATCHED + count, sizeof(*meter->polls));
	for (size_t i = 0; i < count; i++) {
		int fd = proc_watch(target->tids.items[i]);

		/* One that cannot be watched never ends; one that has gone has. */
		if (fd >= 0)
			meter->polls[WATCHED + meter->watched_count++] =
				(struct pollfd){ .fd = fd, .events = POLLIN };
		else if (fd != -ESRCH)
			wanted = false;
	}
	for (size_t i = 0; !wanted && i < meter->watched_count; i++)
		closep(&meter->polls[WATCHED + i].fd);
	if (!wanted)
		meter->watched_count = 0;
}

int meter_open(const struct meter_options *options, struct eventlist *list, struct notes *notes,
	       struct meter **ret_meter, struct strobe_err *err)
{
	_cleanup_(meter_freep) struct meter *meter = xnew(struct meter);
	const struct eventset_options events = { .keep_refused = true,
						 .left_out = options->left_out };
	int r;

	meter->options = options;
	meter->list = list;
	meter->tick_ns = NEVER;
	meter->walk.schedule = options->schedule;
	meter->set.list = list;
	r = open_target(meter, err);
	if (r == 0 && list->count > 0)
		r = eventset_open(&meter->set, list, &meter->target, &events, notes, err);
	if (r < 0)
		return r;
	countset_init(&meter->counts, list->count, meter->target.cpus.count,
		      meter->target.tids.count);
	look_at_machine(meter);
	watch_threads(meter);
	*ret_meter = take(meter);
	return 0;
}

/* What needs no counter; it stands where the first CPU and thread have theirs. */
static void read_tool(struct meter *meter, size_t event, uint64_t time_ns)
{
	enum tool_event tool = meter->list->items[event].tool;
	const struct workload *workload = &meter->workload;
	struct count *count = countset_at(&meter->counts, event, 0, 0);
	uint64_t value = 0;

	if (tool == TOOL_DURATION_TIME) {
		value = time_ns;
	} else if (tool == TOOL_USER_TIME || tool == TOOL_SYSTEM_TIME) {
		if (!workload->exited)
			return;
		value = timeval_ns(tool == TOOL_USER_TIME ? workload->usage.ru_utime
							  : workload->usage.ru_stime);
	} else if (tool == TOOL_TARGET_CPU) {
		value = meter->target.all_cpus;
	} else if (tool == TOOL_CORE_WIDE) {
		value = meter->target.all_cpus && !meter->options->target.cpus;
	} else if (tool_event_value(&meter->machine, tool, &value) < 0) {
		return;
	}
	*count = (struct count){ value, time_ns, time_ns, true };
}

/*
 * Threads on some CPUs: an event is enabled while its thread runs anywhere, and counts on its own
 * CPU. That is no sharing of counters, from which it cannot be told: nothing is scaled up.
 */
static bool is_partial(const struct target *target)
{
	return !target->all_cpus && !target->per_thread;
}

static void read_event(struct meter *meter, size_t event)
{
	const struct countset *counts = &meter->counts;

	for (size_t cpu = 0; cpu < counts->cpu_count; cpu++)
		for (size_t thread = 0; thread < counts->thread_count; thread++) {
			struct count *count = countset_at(counts, event, cpu, thread);
			size_t at = eventset_at(&meter->set, event, cpu, thread);
			struct perfevent_count read;

			if (meter->set.fds[at] < 0 || perfevent_read(meter->set.fds[at], &read) < 0)
				continue;
			if (is_partial(&meter->target))
				read.enabled_ns = read.running_ns;
			*count = (struct count){ read.value, read.enabled_ns, read.running_ns,
						 true };
		}
}

static uint64_t counted_ns(const struct meter *meter, uint64_t now)
{
	return meter->start_ns ? now - meter->start_ns : 0;
}

static void read_all(struct meter *meter, uint64_t time_ns)
{
	for (size_t event = 0; event < meter->list->count; event++)
		if (meter->list->items[event].tool)
			read_tool(meter, event, time_ns);
		else
			read_event(meter, event);
}

static int tick(struct meter *meter, uint64_t now, struct strobe_err *err)
{
	uint64_t time_ns = counted_ns(meter, now);

	read_all(meter, time_ns);
	meter->tick_count++;
	return meter->options->tick(meter->options->context, time_ns, &meter->counts, err);
}

static int start_counting(struct meter *meter, struct strobe_err *err)
{
	uint64_t interval = meter->options->interval_ns;

	if (!meter->start_ns) {
		meter->start_ns = clock_now_ns();
		meter->tick_ns = interval ? meter->start_ns + interval : NEVER;
	}
	return eventset_enable(&meter->set, err);
}

static int begin(struct meter *meter, struct strobe_err *err)
{
	int r = 0;

	meter->begin_ns = clock_now_ns();
	if (!schedule_is_delayed(meter->options->schedule))
		r = start_counting(meter, err);
	if (r == 0 && meter->workload.pid)
		workload_go_alone(&meter->workload);
	return r;
}

static uint64_t switch_ns(const struct meter *meter)
{
	uint64_t due = schedule_walk_due(&meter->walk);

	return due == NEVER ? NEVER : meter->begin_ns + due;
}

static uint64_t timeout_ns(const struct meter *meter)
{
	uint64_t timeout = meter->options->timeout_ns;

	return timeout ? meter->begin_ns + timeout : NEVER;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Sleeps until something happens or is due. */
static int sleep_on(struct meter *meter, struct strobe_err *err)
{
	uint64_t due = least(least(meter->tick_ns, switch_ns(meter)), timeout_ns(meter));
	uint64_t now = clock_now_ns(), wait = due > now ? due - now : 0;
	struct timespec time = { (time_t)(wait / SECOND_NS), (long)(wait % SECOND_NS) };
	struct pollfd *polls = meter->polls;
	int fd = meter->options->control ? meter->options->control->fd : -1;

	polls[0] = (struct pollfd){ .fd = meter->options->wakeup->fd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = fd, .events = POLLIN };
	if (ppoll(polls, WATCHED + meter->watched_count, due == NEVER ? NULL : &time, NULL) < 0 &&
	    errno != EINTR)
		return err_errno(err, "cannot wait");
	return 0;
}

/* All that were watched are gone. */
static bool targets_ended(struct meter *meter)
{
	bool any = false, was_watched = meter->watched_count > 0;

	for (size_t i = 0; i < meter->watched_count; i++) {
		struct pollfd *watched = &meter->polls[WATCHED + i];

		if (watched->fd >= 0 && (watched->revents & (POLLIN | POLLHUP))) {
			(void)close(watched->fd);
			watched->fd = -1;
		}
		any |= watched->fd >= 0;
	}
	return was_watched && !any;
}

/* enum meter_end, or -1. */
static int find_end(struct meter *meter)
{
	bool gone = targets_ended(meter), ended;

	meter->signal = wakeup_read(meter->options->wakeup);
	ended = workload_poll(&meter->workload);
	/* A terminal sends ^C to both, and the workload may be gone first. */
	if (ended && !meter->signal)
		meter->signal = wakeup_read(meter->options->wakeup);
	if (meter->signal)
		return METER_SIGNAL;
	if (ended)
		return METER_COMMAND;
	if (gone)
		return METER_TARGETS;
	return clock_now_ns() >= timeout_ns(meter) ? METER_TIME : -1;
}

static int switch_if_due(struct meter *meter, int *end, struct strobe_err *err)
{
	int r = 0;

	if (clock_now_ns() < switch_ns(meter))
		return 0;
	if (meter->walk.counting)
		eventset_pause(&meter->set);
	else
		r = start_counting(meter, err);
	if (!schedule_walk_step(&meter->walk))
		*end = METER_TIME;
	return r;
}

static int tick_if_due(struct meter *meter, int *end, struct strobe_err *err)
{
	uint64_t now = clock_now_ns(), interval = meter->options->interval_ns;
	int r;

	if (now < meter->tick_ns)
		return 0;
	r = tick(meter, now, err);
	/* Those that were missed are missed, and the next ones are not late. */
	meter->tick_ns += ((now - meter->tick_ns) / interval + 1) * interval;
	if (meter->tick_count == meter->options->interval_count)
		*end = METER_TIME;
	return r;
}

static int obey_on(struct meter *meter, enum control_order order, const char *event,
		   struct strobe_err *err)
{
	int r = 0;

	if (event) {
		for (size_t i = 0; r == 0 && i < meter->list->count; i++)
			if (strcmp(meter->list->items[i].name, event) == 0)
				r = eventset_switch(&meter->set, i, order == CONTROL_ENABLE);
		return r;
	}
	if (order == CONTROL_ENABLE)
		return start_counting(meter, err);
	eventset_disable(&meter->set);
	return 0;
}

static int obey(struct meter *meter, int *end, struct strobe_err *err)
{
	struct control *control = meter->options->control;
	enum control_order order;
	const char *event;
	int r = 0;

	while (control && r >= 0 && (order = control_next(control, &event))) {
		if (order == CONTROL_ENABLE || order == CONTROL_DISABLE)
			r = obey_on(meter, order, event, err);
		if (order == CONTROL_STOP)
			*end = METER_ORDER;
		control_done(control);
	}
	return r;
}

static int run_until_end(struct meter *meter, struct strobe_err *err)
{
	int r = 0, end = -1;

	while (r >= 0 && end < 0) {
		r = sleep_on(meter, err);
		if (r < 0)
			break;
		end = find_end(meter);
		if (end < 0)
			r = obey(meter, &end, err);
		if (r >= 0 && end < 0)
			r = tick_if_due(meter, &end, err);
		if (r >= 0 && end < 0)
			r = switch_if_due(meter, &end, err);
	}
	return r < 0 ? r : end;
}

/* A command that was asked to end does so, as a rule: then it is known what it took. */
static void let_workload_end(struct meter *meter)
{
	struct timespec pause = { 0, 1000000 };

	workload_stop(&meter->workload);
	for (int ms = 0; meter->workload.pid && ms < GRACE_MS; ms++) {
		if (workload_poll(&meter->workload))
			return;
		(void)nanosleep(&pause, NULL);
	}
}

static void fill_result(struct meter *meter, int end, uint64_t now, struct meter_result *result)
{
	struct workload *workload = &meter->workload;

	*result = (struct meter_result){ .end = (enum meter_end)end,
					 .signal = meter->signal,
					 .wall_ns = counted_ns(meter, now) };
	if (end == METER_COMMAND)
		result->exit_code = workload_wait(workload);
	if (workload->exited) {
		result->has_usage = true;
		result->user_ns = timeval_ns(workload->usage.ru_utime);
		result->system_ns = timeval_ns(workload->usage.ru_stime);
		result->max_rss_kb = (uint64_t)workload->usage.ru_maxrss;
	}
}

int meter_run(struct meter *meter, struct meter_result *ret_result, struct strobe_err *err)
{
	uint64_t end_ns;
	int r = begin(meter, err), end;
	bool was_last_tick;

	if (r < 0)
		return r;
	end = run_until_end(meter, err);
	end_ns = clock_now_ns();
	if (end < 0)
		return end;
	if (end == METER_COMMAND) {
		r = workload_failure(&meter->workload, meter->options->argv[0], err);
		if (r < 0)
			return r;
	}
	eventset_disable(&meter->set);
	let_workload_end(meter);
	fill_result(meter, end, end_ns, ret_result);
	was_last_tick = end == METER_TIME && meter->tick_count > 0 &&
			meter->tick_count == meter->options->interval_count;
	if (meter->options->interval_ns && !was_last_tick)
		return tick(meter, end_ns, err);
	if (!was_last_tick)
		read_all(meter, counted_ns(meter, end_ns));
	return 0;
}

const struct eventset *meter_events(const struct meter *meter)
{
	return &meter->set;
}

const struct target *meter_target(const struct meter *meter)
{
	return &meter->target;
}

const struct countset *meter_counts(const struct meter *meter)
{
	return &meter->counts;
}

void meter_free(struct meter *meter)
{
	if (!meter)
		return;
	bool at_gate = meter->workload.pid && meter->workload.gate >= 0;

	workload_stop(&meter->workload);
	if (meter->workload.pid)
		closep(&meter->workload.answer);
	if (at_gate)
		(void)workload_wait(&meter->workload);
	for (size_t i = 0; i < meter->watched_count; i++)
		closep(&meter->polls[WATCHED + i].fd);
	free(meter->polls);
	eventset_close(&meter->set);
	target_done(&meter->target);
	countset_done(&meter->counts);
	free(meter);
}
