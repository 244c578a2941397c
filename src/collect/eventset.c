/* eventset.c - see eventset.h. */
#include "collect/eventset.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/adapt.h"
#include "collect/notes.h"
#include "collect/target.h"
#include "event/eventlist.h"
#include "event/softevent.h"
#include "kernel/cgroup.h"
#include "kernel/perfevent.h"
#include "kernel/privileges.h"

/* One event on its way to being open. */
struct opening {
	struct eventset *set;
	size_t event;
	struct cpus only;   /* the CPUs of its PMU; empty: all */
	int cgroup;         /* descriptor, or -1 */
	size_t cpu, thread; /* where it is */
	size_t opened_count;
};

static struct event_spec *spec_of(const struct opening *opening)
{
	return &opening->set->list->items[opening->event];
}

static bool skips_cpu(const struct opening *opening, int cpu)
{
	return cpu >= 0 && opening->only.count > 0 && !cpus_has(&opening->only, cpu);
}

static int open_one(const struct opening *opening)
{
	const struct eventset *set = opening->set;
	struct event_spec *spec = spec_of(opening);
	int cpu = set->target->cpus.items[opening->cpu];
	pid_t tid = set->target->tids.items[opening->thread];
	int group = -1;

	if (spec->leader != opening->event) {
		group = set->fds[eventset_at(set, spec->leader, opening->cpu, opening->thread)];
		if (group < 0)
			return -ESRCH; /* the thread was gone when the leader was opened */
	}
	spec->attr.size = attr_smallest_size(&spec->attr);
	return perfevent_open(&spec->attr, opening->cgroup >= 0 ? opening->cgroup : tid, cpu, group,
			      opening->cgroup >= 0);
}

/* 0, or the first error. A thread that has gone is no error as long as there are others. */
static int open_everywhere(struct opening *opening)
{
	struct eventset *set = opening->set;

	opening->opened_count = 0;
	for (opening->thread = 0; opening->thread < set->thread_count; opening->thread++) {
		for (opening->cpu = 0; opening->cpu < set->cpu_count; opening->cpu++) {
			size_t at = eventset_at(set, opening->event, opening->cpu, opening->thread);
			int fd;

			if (skips_cpu(opening, set->target->cpus.items[opening->cpu]))
				continue;
			fd = open_one(opening);
			if (fd == -ESRCH && set->thread_count > 1)
				break;
			if (fd < 0)
				return fd;
			set->fds[at] = fd;
			opening->opened_count++;
		}
	}
	return opening->opened_count > 0 ? 0 : -ESRCH;
}

static void close_event(struct eventset *set, size_t event)
{
	size_t count = set->cpu_count * set->thread_count;
	size_t first = eventset_at(set, event, 0, 0);

	for (size_t at = first; at < first + count; at++) {
		if (set->fds[at] >= 0)
			(void)close(set->fds[at]);
		set->fds[at] = -1;
		set->ids[at] = 0;
	}
}

static int explain(const struct opening *opening, int code, struct strobe_err *err)
{
	const struct eventset *set = opening->set;
	const struct event_spec *spec = spec_of(opening);
	size_t thread = opening->thread < set->thread_count ? opening->thread : 0;
	size_t cpu = opening->cpu < set->cpu_count ? opening->cpu : 0;
	struct perfevent_request request = {
		.name = spec->name,
		.pid = set->target->tids.items[thread],
		.cpu = set->target->cpus.items[cpu],
		.in_cgroup = opening->cgroup >= 0,
		.is_tracepoint = spec->is_tracepoint,
		.is_probe = spec->is_probe,
		.is_hardware = spec->is_hardware,
		.is_device = spec->pmu && !spec->is_hardware && !spec->is_tracepoint &&
			     spec->attr.type >= PERF_TYPE_MAX,
		.wants_kernel = !spec->attr.exclude_kernel,
		.fd_count = set->list->count * set->cpu_count * set->thread_count,
	};

	if (spec->attr.branch_sample_type && (code == -EOPNOTSUPP || code == -ENOENT)) {
		if (set->list->is_default)
			err_set(err, code, "branches cannot be recorded here");
		else
			err_set(err, code, "branches cannot be recorded with '%s' here",
				spec->name);
		return err_hint(err, code,
				"-b, -j and --call-graph lbr need a PMU that keeps "
				"branches: use --call-graph fp or dwarf");
	}
	return perfevent_explain(code, &request, err);
}

/* A tracepoint's filter: the user's, and not this process. */
static int filter_event(const struct opening *opening, bool exclude_self, struct strobe_err *err)
{
	const struct eventset *set = opening->set;
	const struct event_spec *spec = spec_of(opening);
	size_t first = eventset_at(set, opening->event, 0, 0);
	size_t count = set->cpu_count * set->thread_count;
	_cleanup_(str_done) struct str filter = { 0 };

	if (!spec->is_tracepoint || (!spec->filter && !exclude_self))
		return 0;
	if (spec->filter && exclude_self)
		str_addf(&filter, "(%s) && common_pid != %d", spec->filter, (int)getpid());
	else if (exclude_self)
		str_addf(&filter, "common_pid != %d", (int)getpid());
	else
		str_add(&filter, spec->filter);
	for (size_t at = first; at < first + count; at++) {
		int r = set->fds[at] < 0 ? 0
					 : perfevent_set_filter(set->fds[at], str_text(&filter));

		if (r < 0 && spec->filter) {
			err_set(err, r, "the filter '%s' does not fit '%s': %s", spec->filter,
				spec->name, strerror(-r));
			return err_hint(err, r,
					"its fields are in the event's 'format' file in "
					"tracefs");
		}
		/* Some (ftrace:function) take no such filter: then this process is in. */
		if (r < 0)
			break;
	}
	return 0;
}

static void read_ids(struct eventset *set, size_t event)
{
	size_t count = set->cpu_count * set->thread_count;
	size_t first = eventset_at(set, event, 0, 0);

	for (size_t at = first; at < first + count; at++)
		if (set->fds[at] >= 0)
			(void)perfevent_id(set->fds[at], &set->ids[at]);
}

/* Opens one event, adapted as far as needed. */
static int open_event(struct opening *opening, const struct eventset_options *options,
		      struct notes *notes, struct strobe_err *err)
{
	struct adapt adapt = { .no_clock = options->keep_refused };
	int code;

	while ((code = open_everywhere(opening)) < 0) {
		close_event(opening->set, opening->event);
		if (!adapt_event(&adapt, spec_of(opening), code, opening->set->target->all_cpus,
				 notes))
			return explain(opening, code, err);
	}
	adapt_accepted(&adapt, spec_of(opening), notes);
	read_ids(opening->set, opening->event);
	return filter_event(opening, options->exclude_self, err);
}

static int prepare(struct opening *opening, struct strobe_err *err)
{
	const struct event_spec *spec = spec_of(opening);
	int r = spec->cpus ? cpus_parse(&opening->only, spec->cpus, err) : 0;

	if (r == 0 && spec->cgroup) {
		opening->cgroup = cgroup_open(NULL, spec->cgroup, err);
		r = opening->cgroup < 0 ? opening->cgroup : 0;
	}
	return r;
}

/* The kernel takes it, but leaves out whatever happens with a kernel's registers: all of it. */
static int refuse_silent(const struct event_spec *spec, struct strobe_err *err)
{
	if (!spec->tracepoint || !spec->attr.exclude_kernel ||
	    !(str_after(spec->tracepoint, "syscalls:") ||
	      str_after(spec->tracepoint, "raw_syscalls:")))
		return 0;
	err_set(err, -EINVAL, "'%s' would never fire: system calls are entered in the kernel",
		spec->name);
	return err_hint(err, -EINVAL,
			"record it without :u; an ordinary user needs kernel.perf_event_paranoid "
			"1 or less, or CAP_PERFMON, for that");
}

/* What does not concern the others: it does not exist here, or cannot do what is asked. */
static bool may_be_left_out(int code)
{
	return code == -ENOENT || code == -EOPNOTSUPP || code == -ENODEV || code == -ENXIO ||
	       code == -EINVAL;
}

/* A dummy carries what concerns all: it is no event to be content with. */
static bool has_others(const struct eventlist *list, size_t event)
{
	for (size_t i = 0; i < list->count; i++)
		if (i != event && !softevent_is_dummy(&list->items[i].attr))
			return true;
	return false;
}

/*
 * A weak group (:W) that the kernel refuses is broken up. False if that is not what @event is in;
 * else it is to be tried again from *ret_leader on.
 */
static bool break_up(struct eventset *set, size_t event, int code, struct notes *notes,
		     size_t *ret_leader)
{
	const struct event_spec *spec = &set->list->items[event];
	size_t leader = spec->leader;

	if (!spec->weak || leader == event ||
	    !(may_be_left_out(code) || code == -E2BIG || code == -EBADF || code == -ENOSPC))
		return false;
	notes_add(notes, "'%s' cannot be in a group with '%s' here: each is counted by itself (:W)",
		  spec->name, set->list->items[leader].name);
	for (size_t i = leader; i <= event; i++)
		close_event(set, i);
	eventlist_ungroup(set->list, leader);
	*ret_leader = leader;
	return true;
}

static bool leads_others(const struct eventlist *list, size_t event)
{
	for (size_t i = 0; i < list->count; i++)
		if (i != event && list->items[i].leader == event)
			return true;
	return false;
}

/*
 * Who counts goes on without it, and can say why. What it led is opened all the same. A busy PMU
 * and a full one are such cases too, but no thread to watch, no permission and no descriptors are
 * not: those concern all events.
 */
static bool keep_refused(struct eventset *set, size_t event, int code, const struct strobe_err *why)
{
	if (!set->refusals || !(may_be_left_out(code) || code == -EBUSY || code == -ENOSPC ||
				code == -ENOSYS || code == -EOVERFLOW))
		return false;
	close_event(set, event);
	set->refusals[event] = (struct eventset_refusal){ .code = code, .why = *why };
	if (leads_others(set->list, event))
		eventlist_ungroup(set->list, event);
	return true;
}

/* *next: the event to open; then the one to go on with. */
static int open_next(struct eventset *set, size_t *next, const struct eventset_options *options,
		     struct notes *notes, struct strobe_err *err)
{
	size_t event = *next;
	struct opening opening = { .set = set, .event = event, .cgroup = -1 };
	struct strobe_err why = { 0 };
	int r = refuse_silent(spec_of(&opening), &why);
	bool is_silent = r < 0, is_prepared = false;

	if (r == 0)
		r = prepare(&opening, &why);
	is_prepared = r == 0 || is_silent;

	if (r == 0)
		r = open_event(&opening, options, notes, &why);
	if (r == 0) {
		*next = event + 1;
	} else if (break_up(set, event, r, notes, next)) {
		r = 0;
	} else if (is_prepared && keep_refused(set, event, r, &why)) {
		*next = event + 1;
		r = 0;
	} else if (may_be_left_out(r) && !spec_of(&opening)->filter &&
		   has_others(set->list, event)) {
		notes_add(notes, "'%s' %s: recording without it", spec_of(&opening)->name,
			  is_silent ? "would never fire in user space" : "is not supported here");
		close_event(set, event);
		eventlist_remove(set->list, event);
		r = 0;
	}
	if (r < 0 && err)
		*err = why;
	cpus_done(&opening.only);
	if (opening.cgroup >= 0)
		(void)close(opening.cgroup);
	return r;
}

int eventset_open(struct eventset *set, struct eventlist *list, const struct target *target,
		  const struct eventset_options *options, struct notes *notes,
		  struct strobe_err *err)
{
	*set = (struct eventset){ .list = list,
				  .target = target,
				  .cpu_count = target->cpus.count,
				  .thread_count = target->tids.count };
	size_t count = list->count * set->cpu_count * set->thread_count;

	if (count == 0)
		return err_set(err, -ESRCH, "there is nothing to watch");
	set->fds = xcalloc(count, sizeof(*set->fds));
	set->ids = xcalloc(count, sizeof(*set->ids));
	if (options->keep_refused)
		set->refusals = xcalloc(list->count, sizeof(*set->refusals));
	for (size_t i = 0; i < count; i++)
		set->fds[i] = -1;
	/* Where it cannot be raised enough, the event that does not fit says so. */
	(void)privileges_raise_files(count);
	for (size_t next = 0; next < list->count;) {
		int r;

		if (list->items[next].fed_id) {
			set->ids[eventset_at(set, next, 0, 0)] = list->items[next].fed_id;
			next++;
			continue;
		}
		if (list->items[next].tool || (options->left_out && options->left_out[next])) {
			next++;
			continue;
		}
		r = open_next(set, &next, options, notes, err);
		if (r < 0) {
			eventset_close(set);
			return r;
		}
	}
	return 0;
}

void eventset_close(struct eventset *set)
{
	for (size_t event = 0; set->fds && event < set->list->count; event++)
		close_event(set, event);
	free(set->fds);
	free(set->ids);
	free(set->refusals);
	*set = (struct eventset){ 0 };
}

/* Of what comes from elsewhere there is no descriptor, but an id. */
static bool is_fed_id(const struct eventset *set, size_t event, size_t at)
{
	return set->list->items[event].fed_id && set->ids[at];
}

size_t eventset_ids(const struct eventset *set, size_t event, uint64_t *ret_ids)
{
	size_t first = eventset_at(set, event, 0, 0), count = 0;

	for (size_t at = first; at < first + set->cpu_count * set->thread_count; at++)
		if (set->fds[at] >= 0 || is_fed_id(set, event, at))
			ret_ids[count++] = set->ids[at];
	return count;
}

static int control_event(const struct eventset *set, size_t event, int (*control)(int fd))
{
	size_t first = eventset_at(set, event, 0, 0);

	for (size_t at = first; at < first + set->cpu_count * set->thread_count; at++) {
		int r = set->fds[at] < 0 ? 0 : control(set->fds[at]);

		if (r < 0)
			return r;
	}
	return 0;
}

/* Those that wait for us, or with @all those too that wait for exec. */
static int control_events(const struct eventset *set, int (*control)(int fd), bool all)
{
	int r = 0;

	for (size_t event = 0; r == 0 && event < set->list->count; event++) {
		const struct attr *attr = &set->list->items[event].attr;

		if (attr->disabled && (all || !attr->enable_on_exec))
			r = control_event(set, event, control);
	}
	return r;
}

int eventset_enable(const struct eventset *set, struct strobe_err *err)
{
	int r = control_events(set, perfevent_enable, false);

	return r < 0 ? err_set(err, r, "cannot start the events: %s", strerror(-r)) : 0;
}

void eventset_pause(const struct eventset *set)
{
	(void)control_events(set, perfevent_disable, false);
}

void eventset_disable(const struct eventset *set)
{
	(void)control_events(set, perfevent_disable, true);
}

int eventset_switch(const struct eventset *set, size_t event, bool on)
{
	return control_event(set, event, on ? perfevent_enable : perfevent_disable);
}

uint64_t eventset_lost(const struct eventset *set, size_t event)
{
	size_t first = eventset_at(set, event, 0, 0);
	uint64_t lost = 0;

	for (size_t at = first; at < first + set->cpu_count * set->thread_count; at++)
		if (set->fds[at] >= 0)
			lost += perfevent_lost(set->fds[at],
					       set->list->items[event].attr.read_format);
	return lost;
}
