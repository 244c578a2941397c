#include "event/attr-build.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>

#include "base/err.h"
#include "event/branchtype.h"
#include "event/eventlist.h"
#include "event/regs.h"
#include "event/softevent.h"

/* What comes with data of its own: each is a sample, and wants to know where and when. */
static bool has_raw_data(const struct event_spec *event)
{
	return event->is_tracepoint || (event->attr.type == PERF_TYPE_SOFTWARE &&
					event->attr.config == PERF_COUNT_SW_BPF_OUTPUT);
}

static void add_dummy(struct eventlist *list)
{
	struct event_spec *event = eventlist_add(list, "dummy:u");

	event->is_added = true;
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_DUMMY;
	event->attr.sample_period = 1;
	event->attr.exclude_kernel = 1;
	event->attr.exclude_hv = 1;
	event->attr.exclude_guest = 1;
}

/*
 * The event whose records tell about tasks and mappings. Events on CPUs are disabled until all are
 * open, and delayed ones for longer: then it has to be one that is not.
 */
static void choose_tracking(struct eventlist *list, const struct attr_options *options)
{
	size_t tracking = 0;

	if (options->is_system_wide || options->has_delay || list->items[0].fed_id) {
		while (tracking < list->count && !softevent_is_dummy(&list->items[tracking].attr))
			tracking++;
		if (tracking == list->count)
			add_dummy(list);
	}
	for (size_t i = 0; i < list->count; i++)
		list->items[i].is_tracking = i == tracking;
}

/* What comes from elsewhere has little to say of itself. */
static void build_fed(struct event_spec *event)
{
	event->attr.size = ATTR_SIZE_FULL;
	event->attr.sample_id_all = 1;
	event->attr.sample_period = 1;
	event->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				  PERF_SAMPLE_CPU | PERF_SAMPLE_RAW;
}

static void set_bit(struct attr *attr, bool wanted, uint64_t bit)
{
	if (wanted)
		attr->sample_type |= bit;
}

/* Period or frequency: the event's own, else the user's, else the kind's, else the usual one. */
static void set_period(struct event_spec *event, const struct attr_options *options)
{
	struct attr *attr = &event->attr;
	bool has_default = attr->sample_period != 0;

	if (!event->has_period && (!has_default || options->has_period || options->has_frequency)) {
		attr->freq = !options->has_period;
		if (options->has_period)
			attr->sample_period = options->period;
		else
			attr->sample_freq = options->has_frequency ? options->frequency
								   : ATTR_FREQUENCY_DEFAULT;
	}
	if (options->no_samples)
		attr->sample_period = 0;
	if (options->sent_period >= 0)
		set_bit(attr, attr->freq || has_raw_data(event) || options->sent_period > 0,
			PERF_SAMPLE_PERIOD);
}

static void set_time(struct event_spec *event, const struct attr_options *options)
{
	bool wanted = options->time > 0 || (options->time == 0 && !options->is_per_thread) ||
		      options->raw || has_raw_data(event);

	if (event->time)
		wanted = event->time > 0;
	set_bit(&event->attr, wanted, PERF_SAMPLE_TIME);
}

/* What every event tells, the dummy too. */
static void set_common(struct event_spec *event, const struct attr_options *options)
{
	struct attr *attr = &event->attr;

	attr->size = ATTR_SIZE_FULL;
	attr->sample_id_all = 1;
	attr->read_format |= PERF_FORMAT_ID | PERF_FORMAT_LOST;
	if (options->thread_counts || options->running_time)
		attr->read_format |=
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->inherit_stat = options->thread_counts;
	set_bit(attr, true, PERF_SAMPLE_IP | PERF_SAMPLE_TID);
	set_bit(attr,
		options->is_system_wide || options->cpu || options->raw || has_raw_data(event),
		PERF_SAMPLE_CPU);
	set_bit(attr, options->address, PERF_SAMPLE_ADDR);
	set_bit(attr, options->address || options->memory_info, PERF_SAMPLE_DATA_SRC);
	set_bit(attr, options->physical_address, PERF_SAMPLE_PHYS_ADDR);
	set_bit(attr, options->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE);
	set_bit(attr, options->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE);
	set_bit(attr, options->weight || event->latency, PERF_SAMPLE_WEIGHT_STRUCT);
	set_bit(attr, options->transaction, PERF_SAMPLE_TRANSACTION);
	set_bit(attr, options->cgroup, PERF_SAMPLE_CGROUP);
	attr->wakeup_events = options->no_buffering;
	attr->use_clockid = options->has_clockid;
	attr->clockid = options->has_clockid ? options->clockid : 0;
}

/* --all-user and --all-kernel win over u and k, but leave h as it is. */
static void set_where(struct event_spec *event, const struct attr_options *options)
{
	if (!options->all_user && !options->all_kernel)
		return;
	event->attr.exclude_kernel = options->all_user;
	event->attr.exclude_user = options->all_kernel;
}

static void set_start(struct event_spec *event, const struct attr_options *options, bool is_leader)
{
	struct attr *attr = &event->attr;
	/* The kernel starts and stops a group with its leader. */
	bool waits = is_leader;

	attr->inherit = !options->no_inherit && !options->is_system_wide && !options->has_threads &&
			!options->is_per_thread;
	if (event->inherit)
		attr->inherit = event->inherit > 0;
	/* What tells about tasks must not miss the first; perf leaves it off where it attaches
	 * late. */
	if (event->is_tracking && softevent_is_dummy(&event->attr) &&
	    (options->is_system_wide || (options->has_delay && !options->has_workload)))
		waits = false;
	attr->disabled = waits;
	attr->enable_on_exec =
		waits && options->has_workload && !options->is_system_wide &&
		(!options->has_delay || (event->is_tracking && softevent_is_dummy(&event->attr)));
}

static void set_tracking(struct attr *attr, const struct attr_options *options, bool has_stacks)
{
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->ksymbol = 1;
	attr->bpf_event = !options->no_bpf_events;
	attr->build_id = !options->no_build_ids;
	attr->namespaces = options->namespaces;
	attr->cgroup = options->cgroup;
	attr->context_switch = options->switches;
	/* A copied stack may hold addresses of code in mappings that are not executable yet. */
	attr->mmap_data = options->data_mmaps || options->address || has_stacks;
}

static int stackmode_of(const struct event_spec *event, const struct attr_options *options,
			struct stackmode *ret_stackmode, struct strobe_err *err)
{
	struct stackmode stackmode = options->stackmode;

	if (event->call_graph_set) {
		int r = stackmode_parse(event->call_graph, &stackmode, err);

		if (r < 0)
			return r;
	} else if (event->max_stack && stackmode.kind == STACKMODE_NONE) {
		stackmode.kind = STACKMODE_FP;
	}
	if (event->max_stack)
		stackmode.max_frames = (uint16_t)event->max_stack;
	if (event->stack_size && stackmode_copies(&stackmode)) {
		stackmode.stack_size = stackmode_size(event->stack_size);
		if (!stackmode.stack_size)
			return err_set(err, -EINVAL, "a stack copy of %u bytes for '%s'",
				       event->stack_size, event->name);
	}
	*ret_stackmode = stackmode;
	return 0;
}

static void set_stackmode(struct attr *attr, const struct stackmode *stackmode,
			  const struct attr_options *options)
{
	if (stackmode->kind == STACKMODE_NONE)
		return;
	set_bit(attr, true, PERF_SAMPLE_CALLCHAIN);
	attr->sample_max_stack = stackmode->max_frames;
	attr->exclude_callchain_user = options->no_user_chains;
	attr->exclude_callchain_kernel = options->no_kernel_chains;
	attr->defer_callchain = stackmode->is_deferred;
	attr->defer_output = stackmode->is_deferred;
	if (stackmode->kind == STACKMODE_LBR && !attr->branch_sample_type)
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					   PERF_SAMPLE_BRANCH_NO_FLAGS |
					   PERF_SAMPLE_BRANCH_NO_CYCLES |
					   PERF_SAMPLE_BRANCH_HW_INDEX;
	if (stackmode->kind == STACKMODE_FP && !options->no_user_chains) {
		attr->sample_regs_user |= regs_leaf(REGS_HERE);
		set_bit(attr, attr->sample_regs_user != 0, PERF_SAMPLE_REGS_USER);
	}
	if (!stackmode_copies(stackmode))
		return;
	set_bit(attr, true, PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user |= options->user_regs ? regs_least(REGS_HERE) : regs_all(REGS_HERE);
	attr->sample_stack_user = stackmode->stack_size;
	/* The user's part comes from the copy. */
	if (stackmode->kind == STACKMODE_DWARF)
		attr->exclude_callchain_user = 1;
}

/* What a sample carries besides numbers; a dummy has no samples. */
static int set_payload(struct event_spec *event, const struct attr_options *options,
		       struct stackmode *ret_stackmode, struct strobe_err *err)
{
	struct attr *attr = &event->attr;
	int r;

	set_bit(attr, options->raw || has_raw_data(event), PERF_SAMPLE_RAW);
	attr->branch_sample_type = options->branch_type;
	if (event->branch_type) {
		r = branchtype_parse(event->branch_type, &attr->branch_sample_type, err);
		if (r < 0)
			return r;
	}
	set_bit(attr, options->user_regs != 0, PERF_SAMPLE_REGS_USER);
	attr->sample_regs_user = options->user_regs;
	set_bit(attr, options->intr_regs != 0, PERF_SAMPLE_REGS_INTR);
	attr->sample_regs_intr = options->intr_regs;
	r = stackmode_of(event, options, ret_stackmode, err);
	if (r < 0)
		return r;
	set_stackmode(attr, ret_stackmode, options);
	set_bit(attr, attr->branch_sample_type != 0, PERF_SAMPLE_BRANCH_STACK);
	return 0;
}

static bool has_members(const struct eventlist *list, size_t index)
{
	for (size_t i = index + 1; i < list->count; i++)
		if (list->items[i].leader == index)
			return true;
	return false;
}

/* S: counts of the group in the samples. */
static void set_read(struct eventlist *list, size_t index)
{
	struct event_spec *event = &list->items[index];

	if (!event->sample_read)
		return;
	set_bit(&event->attr, true, PERF_SAMPLE_READ | PERF_SAMPLE_ID);
	if (event->leader != index || has_members(list, index))
		event->attr.read_format |= PERF_FORMAT_GROUP;
}

/* Where the leader's samples carry the counts, members have no samples, but look as if they had. */
static void follow_leader(struct eventlist *list, size_t index)
{
	struct event_spec *event = &list->items[index];
	const struct event_spec *leader = &list->items[event->leader];

	if (event == leader || !leader->sample_read)
		return;
	event->attr.freq = 0;
	if (!event->has_period)
		event->attr.sample_period = 0;
	event->attr.write_backward = 0;
	event->attr.sample_type = leader->attr.sample_type;
}

/*
 * With several events a record must say whose it is: by PERF_SAMPLE_ID where all samples look the
 * same, by PERF_SAMPLE_IDENTIFIER, which is always at the same place, where they do not.
 */
static void set_ids(struct eventlist *list, bool wants_identifier)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->items[i].attr.sample_type != list->items[0].attr.sample_type)
			wants_identifier = true;
	if (list->count <= 1 && !wants_identifier)
		return;
	for (size_t i = 0; i < list->count; i++) {
		struct attr *attr = &list->items[i].attr;

		attr->sample_type &= ~(uint64_t)(PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER);
		attr->sample_type |= wants_identifier ? PERF_SAMPLE_IDENTIFIER : PERF_SAMPLE_ID;
	}
}

static int build_one(struct eventlist *list, size_t index, const struct attr_options *options,
		     bool *has_stacks, struct strobe_err *err)
{
	struct event_spec *event = &list->items[index];
	struct stackmode stackmode = { 0 };

	if (event->fed_id) {
		build_fed(event);
		return 0;
	}
	set_common(event, options);
	set_time(event, options);
	set_where(event, options);
	set_period(event, options);
	set_start(event, options, event->leader == index);
	set_read(list, index);
	if (!event->is_added) {
		int r = set_payload(event, options, &stackmode, err);

		if (r < 0)
			return r;
	}
	if (stackmode_copies(&stackmode))
		*has_stacks = true;
	return 0;
}

int attr_build(struct eventlist *list, const struct attr_options *options, struct strobe_err *err)
{
	bool has_stacks = false;

	choose_tracking(list, options);
	for (size_t i = 0; i < list->count; i++) {
		int r = build_one(list, i, options, &has_stacks, err);

		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < list->count; i++) {
		follow_leader(list, i);
		if (list->items[i].is_tracking)
			set_tracking(&list->items[i].attr, options, has_stacks);
	}
	set_ids(list, options->identifier);
	return 0;
}
