/* trace-setup.c - see trace-setup.h. */
#include "cmd/trace-setup.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/record-prepare.h"
#include "cmd/remark.h"
#include "cmd/trace-options.h"
#include "collect/callfeed.h"
#include "collect/callreader.h"
#include "collect/notes.h"
#include "collect/recording.h"
#include "event/eventlist.h"
#include "event/stackmode.h"
#include "format/callplan.h"
#include "format/callspec.h"

enum {
	RING_SIZE = 32 << 20,
	FILTER_MOST = 4000, /* bytes that the kernel takes of a filter */
	ONE_REGISTER = 1,   /* which tells how wide all are */
};

static void make_plans(struct trace_setup *setup, const struct trace_config *c)
{
	const struct callplan_options options = { .text_size = c->string_limit,
						  .no_files = c->summary_only };

	setup->plans = xcalloc((size_t)2 * CALLCOPY_CALLS, sizeof(*setup->plans));
	for (unsigned i = 0; i < 2 * CALLCOPY_CALLS; i++) {
		unsigned number = i % CALLCOPY_CALLS;
		const struct callspec *spec;
		enum callabi abi;

		if (!callspec_abi(c->machine, i >= CALLCOPY_CALLS, &abi))
			return;
		spec = callspec_find(abi, number);
		/* Of what is only counted, numbers are enough. */
		if (spec && !c->summary_only)
			callplan_make(spec, abi, &options, &setup->plans[i]);
		setup->plans[i].is_wanted = callchoice_wants(&c->choice, abi, number);
	}
}

static const char *cgroup_of(const struct trace_config *c)
{
	return c->record.events.cgroups;
}

static int open_feed(struct trace_setup *setup, const struct trace_config *c,
		     struct strobe_err *err)
{
	const struct record_config *record = &c->record;
	const struct target_request *target = &record->recording.target;
	struct callfeed_options options = {
		.by_thread = target_wants_threads(target) ||
			     (record->recording.argv && !target_wants_any(target) && !cgroup_of(c)),
		.follows = !record->attrs.no_inherit && !(target->tids && !target->pids),
		.cpus = target->cpus,
		.cgroup = cgroup_of(c),
		.ignored = &c->ignored,
		.ring_size = record->recording.ring_size,
		.wants_stack = c->shows_stacks,
		.wants_other = !c->choice.is_named,
		.wide = setup->plans,
		.narrow = setup->plans + CALLCOPY_CALLS,
	};

	return callfeed_open(&options, &setup->feed, err);
}

/* The kernel compares numbers alone, whatever the ABI: what else comes is left out later. */
static char *make_filter(const struct trace_config *c)
{
	_cleanup_(str_done) struct str filter = { 0 };
	enum callabi wide, narrow;

	if (!c->choice.is_named || !callspec_abi(c->machine, false, &wide) ||
	    !callspec_abi(c->machine, true, &narrow))
		return NULL;
	str_add(&filter, "id==-1");
	for (unsigned i = 0; i < CALLCOPY_CALLS; i++)
		if (callchoice_wants(&c->choice, wide, i) ||
		    callchoice_wants(&c->choice, narrow, i))
			str_addf(&filter, "||id==%u", i);
	return filter.size < FILTER_MOST ? str_take(&filter) : NULL;
}

static int add_tracepoints(const struct trace_config *c, struct eventlist *list,
			   struct strobe_err *err)
{
	size_t first = list->count;
	int r = eventlist_parse(list, "raw_syscalls:sys_enter,raw_syscalls:sys_exit", err);

	if (r == 0 && list->count != first + 2)
		r = err_set(err, -ENOENT,
			    "the kernel's tracepoints of system calls cannot be found");
	for (size_t i = first; r == 0 && i < list->count; i++)
		list->items[i].filter = make_filter(c);
	return r;
}

/* BPF knows no other call chains than those by frame pointers. */
static int refuse_bpf(const struct trace_config *c, struct strobe_err *why)
{
	const struct stackmode *mode = &c->record.attrs.stackmode;

	if (c->no_bpf)
		return err_set(why, -ENOSYS, "--no-bpf");
	if (c->shows_stacks && (mode->kind != STACKMODE_FP || c->kernel_stacks))
		return err_set(why, -ENOSYS,
			       "BPF has call chains of user space by frame pointers alone");
	return 0;
}

static void say_refused(void *context)
{
	const struct trace_config *c = context;

	if (c->record.verbose)
		remark("memory of programs that this user may not trace cannot be read: their "
		       "pointers are shown as numbers");
}

/* Without BPF there are the tracepoints, and what the memory holds when they are told of. */
static void open_reader(struct trace_setup *setup, struct trace_config *c,
			const struct strobe_err *why)
{
	const struct callreader_options options = {
		.wide = setup->plans,
		.narrow = setup->plans + CALLCOPY_CALLS,
		.refused = say_refused,
		.context = c,
	};

	if (c->summary_only)
		return;
	if (c->record.verbose)
		remark("what pointers point at is read when a call is told of, and may have "
		       "changed by then: %s",
		       why->text);
	setup->reader = callreader_new(&options);
	c->record.recording.stage = callreader_stage(setup->reader);
}

static int use_tracepoints(struct trace_setup *setup, struct trace_config *c,
			   const struct strobe_err *why, struct strobe_err *err)
{
	int r;

	/* Copies of stacks come with registers of their own choice. */
	if (c->record.attrs.stackmode.kind != STACKMODE_DWARF)
		c->record.attrs.user_regs = ONE_REGISTER;
	open_reader(setup, c, why);
	r = add_tracepoints(c, &c->record.events, err);
	/* Who may neither is told what helps with each. */
	if (r < 0 && !c->no_bpf && why->hint[0] && err) {
		_cleanup_(freep) char *hint = xstrdup(err->hint);

		(void)err_hint(err, r, hint[0] ? "%s; or %s" : "%s", why->hint, hint);
	}
	return r;
}

static int choose(struct trace_setup *setup, struct trace_config *c, struct strobe_err *err)
{
	struct strobe_err why = { 0 };
	int r = refuse_bpf(c, &why);

	if (r == 0)
		r = open_feed(setup, c, &why);

	if (r == 0) {
		callfeed_events(&c->record.events);
		c->record.attrs.has_clockid = true;
		c->record.attrs.clockid = CLOCK_MONOTONIC;
		if (c->record.verbose)
			remark("what pointers point at is copied by BPF when a call begins and "
			       "ends");
		return 0;
	}
	if (r != -EPERM && r != -ENOSYS && r != -ENOTSUP) {
		if (err)
			*err = why;
		return r;
	}
	return use_tracepoints(setup, c, &why, err);
}

static int add_faults(struct trace_config *c, struct strobe_err *err)
{
	int r = 0;

	if (c->faults & TRACE_FAULTS_MAJOR)
		r = eventlist_parse(&c->record.events, "major-faults/period=1/", err);
	if (r == 0 && c->faults & TRACE_FAULTS_MINOR)
		r = eventlist_parse(&c->record.events, "minor-faults/period=1/", err);
	if (c->faults)
		c->record.attrs.address = true;
	return r;
}

static bool has_event(const struct eventlist *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return true;
	return false;
}

/* What switches has to be there, whether or not it is one of the events that are asked for. */
static int add_switch(struct trace_config *c, const char *name, struct strobe_err *err)
{
	struct eventlist *list = &c->record.events;
	size_t missing_count = list->missing_count;
	int r;

	if (!name || has_event(list, name))
		return 0;
	r = eventlist_parse(list, name, err);
	return r == 0 && list->missing_count > missing_count
		       ? err_set(err, -ENOENT, "%s", list->missing[missing_count])
		       : r;
}

static bool wants_calls(const struct trace_config *c)
{
	if (c->calls)
		return c->calls > 0;
	return !c->has_choice || c->choice.is_named || c->choice.is_inverse;
}

static int add_events(struct trace_setup *setup, struct trace_config *c, struct strobe_err *err)
{
	int r = add_faults(c, err);

	if (r == 0)
		r = add_switch(c, c->onoff.on, err);
	if (r == 0)
		r = add_switch(c, c->onoff.off, err);
	if (r == 0 && c->sched)
		r = eventlist_parse(&c->record.events, "sched:sched_stat_runtime", err);
	if (r == 0 && wants_calls(c))
		r = choose(setup, c, err);
	/* Of what does not exist here record_prepare() says why. */
	if (r == 0 && c->record.events.count == 0 && c->record.events.missing_count == 0)
		r = err_set(err, -EINVAL, "there is nothing to trace");
	return cmd_usage(r);
}

/* Of system calls the way through the kernel is always the same, and at the entry as at the exit.
 */
static void trim_chains(struct trace_config *c)
{
	for (size_t i = 0; i < c->record.events.count; i++) {
		struct event_spec *event = &c->record.events.items[i];

		if (!c->kernel_stacks && str_after(event->name, "raw_syscalls:"))
			event->attr.exclude_callchain_kernel = 1;
	}
}

int trace_setup_prepare(struct trace_setup *setup, struct trace_config *config, const char **argv,
			struct notes *notes, struct strobe_err *err)
{
	struct record_config *record = &config->record;
	struct recording_options *rec = &record->recording;
	bool names_code = config->shows_stacks || config->faults;
	int r;

	if (!rec->argv && !target_wants_any(&rec->target))
		rec->target.all_cpus = true;
	if (rec->argv && target_wants_threads(&rec->target))
		notes_add(notes,
			  "what -p, -t and -u name is traced while '%s' runs, and that is not",
			  rec->argv[0]);
	if (!rec->ring_size)
		rec->ring_size = RING_SIZE;
	make_plans(setup, config);
	r = add_events(setup, config, err);
	if (r < 0)
		return r;
	record->attrs.no_bpf_events = true;
	record->attrs.no_build_ids = !names_code;
	/* To know how long a thread had no CPU in a call. */
	record->attrs.switches = config->summary_only || config->with_summary;
	r = record_prepare(record, notes, err);
	if (r < 0)
		return r;
	trim_chains(config);
	record_prepare_header(record, argv);
	rec->feed = setup->feed ? callfeed_feed(setup->feed) : NULL;
	rec->synthesize.what = names_code ? SYNTHESIZE_TASKS | SYNTHESIZE_MMAPS : SYNTHESIZE_TASKS;
	return 0;
}

void trace_setup_done(struct trace_setup *setup)
{
	callfeed_close(setup->feed);
	callreader_free(setup->reader);
	free(setup->plans);
}
