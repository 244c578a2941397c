/* record-prepare.c - see record-prepare.h. */
#include "cmd/record-prepare.h"

#include <errno.h>
#include <linux/capability.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/record-options.h"
#include "collect/notes.h"
#include "collect/rate.h"
#include "collect/recording.h"
#include "collect/ringsize.h"
#include "event/attr-build.h"
#include "event/eventlist.h"
#include "event/stackmode.h"
#include "kernel/privileges.h"

bool record_prepare_has_rate(const struct record_config *c)
{
	return !c->attrs.has_period && !c->attrs.no_samples;
}

/* What was typed must make sense, each for itself and together. */
static int check(struct record_config *c, struct strobe_err *err)
{
	int r = c->events.count || c->events.missing_count ? eventlist_check(&c->events, err)
							   : eventlist_default(&c->events, err);

	if (r == 0 && c->attrs.has_frequency && c->attrs.has_period)
		r = err_set(err, -EINVAL,
			    "-F says how often in a second, -c after how many events: one of them "
			    "is too many");
	if (r == 0)
		r = target_check(&c->recording.target, err);
	if (r == 0 && c->attrs.all_user && c->attrs.all_kernel) {
		err_set(err, -EINVAL, "--all-user and --all-kernel leave nothing to record");
		r = err_hint(err, -EINVAL, "give one of them, or none for both sides");
	}
	return r;
}

static int prepare_target(struct record_config *c, struct notes *notes, struct strobe_err *err)
{
	struct recording_options *rec = &c->recording;
	struct target_request *target = &rec->target;
	bool threads = target_wants_threads(target);

	if (target->all_cpus && threads)
		notes_add(notes, "-p, -t and -u are about some threads only: -a is ignored");
	if (target->pids && target->tids)
		notes_add(notes, "the processes of -p are recorded, and the threads of -t, too");
	/* A control group is watched on CPUs; a command beside it says how long. */
	if (eventlist_has_cgroups(&c->events)) {
		if (threads)
			return err_set(err, -EINVAL,
				       "-G watches the processes of a control group, and "
				       "-p, -t, -u others: one of them is too many");
		target->all_cpus = true;
	}
	c->is_untargeted = !rec->argv && !target_wants_any(target);
	if (c->is_untargeted) {
		target->all_cpus = true;
		notes_add(notes, "no command and no target: all that runs is recorded%s",
			  rec->duration_ns ? "" : ", until ^C");
	}
	c->attrs.is_system_wide = !threads && (target->all_cpus || target->cpus);
	c->attrs.has_workload = rec->argv && !threads && !c->attrs.is_system_wide;
	c->attrs.has_threads = target->tids && !target->pids && !target->uid;
	c->attrs.is_per_thread = target->per_thread;
	c->attrs.has_delay = schedule_is_delayed(&rec->schedule);
	return 0;
}

static int prepare_rate(struct record_config *c, struct notes *notes, struct strobe_err *err)
{
	int r;

	if (!record_prepare_has_rate(c))
		return 0;
	if (!c->attrs.has_frequency)
		c->attrs.frequency = ATTR_FREQUENCY_DEFAULT;
	r = rate_limit(c->max_frequency ? RATE_MAX : c->attrs.frequency, c->strict_frequency,
		       &c->attrs.frequency, notes, err);
	if (r == 0)
		c->attrs.has_frequency |= c->attrs.frequency != ATTR_FREQUENCY_DEFAULT;
	return r;
}

int record_prepare(struct record_config *c, struct notes *notes, struct strobe_err *err)
{
	int r = check(c, err);

	for (size_t i = 0; r == 0 && i < c->events.missing_count; i++)
		notes_add(notes, "%s", c->events.missing[i]);
	if (r == 0)
		r = prepare_target(c, notes, err);
	if (r < 0)
		return cmd_usage(r);
	if (c->max_stack)
		c->attrs.stackmode.max_frames = (uint16_t)c->max_stack;
	r = prepare_rate(c, notes, err);
	return r < 0 ? r : attr_build(&c->events, &c->attrs, err);
}

/* Who may lock only so much memory gets no more than perf would take. */
static size_t default_ring_size(const struct record_config *c)
{
	if (stackmode_copies(&c->attrs.stackmode) && privileges_has_cap(CAP_IPC_LOCK))
		return ringsize_for_copies(c->attrs.stackmode.stack_size);
	return ringsize_default();
}

void record_prepare_header(struct record_config *c, const char **argv)
{
	struct record_header *header = &c->header;
	struct recording_options *rec = &c->recording;

	if (!rec->ring_size)
		rec->ring_size = default_ring_size(c);
	rec->realtime = (int)c->realtime;
	/* With all processes in view each record written would make records of its own. */
	rec->exclude_self = c->has_exclude_self ? c->exclude_self : c->attrs.is_system_wide;
	rec->synthesize.namespaces = c->attrs.namespaces;
	rec->synthesize.cgroups = c->attrs.cgroup;
	rec->synthesize.data_maps = c->attrs.address || c->attrs.data_mmaps;
	rec->synthesize.kernel_map = !c->attrs.all_user;
	header->bpf = !c->attrs.no_bpf_events;
	rec->synthesize.bpf = header->bpf ? &header->programs : NULL;
	header->argv = argv;
	header->output = rec->output;
	header->events = &c->events;
	header->use_clockid = c->attrs.has_clockid;
	header->clockid = c->attrs.clockid;
	header->no_build_ids = c->no_buildid;
	if (!c->attrs.no_build_ids) {
		rec->synthesize.build_id = record_header_build_id;
		rec->synthesize.context = header;
	}
}
