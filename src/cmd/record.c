/*
 * record.c - "strobe record": run a command, or watch what runs, and write its profile.
 *
 * Options say what is watched (collect/target.h), which events (event/eventlist.h), what their
 * samples hold (event/attr-build.h) and where it all goes (collect/recording.h). What the header
 * says besides is record-header.h's.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/record-header.h"
#include "collect/notes.h"
#include "collect/rate.h"
#include "collect/recording.h"
#include "collect/ringsize.h"
#include "data/writer.h"
#include "event/attr-build.h"
#include "event/branchtype.h"
#include "event/callgraph.h"
#include "event/clockname.h"
#include "event/eventlist.h"
#include "event/regs.h"

/* In place of a mask of registers: show their names instead of recording. */
#define LIST_REGISTERS UINT64_MAX

struct config {
	struct eventlist events;
	struct attr_options attrs;
	struct recording_options recording;
	bool has_call_graph; /* --call-graph was given: -g does not change it */
	unsigned max_stack;
	bool max_frequency, strict_frequency;
	bool exclude_self, has_exclude_self;
	unsigned duration_s;
	bool no_buildid;
	bool no_buildid_cache, buildid_all; /* how it always is: see docs/differences.md */
	bool quiet;
	unsigned verbose;

	struct record_header header;
};

static int set_events(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(eventlist_parse(field, arg, err));
}

static int set_filter(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(eventlist_filter(field, arg, err));
}

static int set_cgroups(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(eventlist_cgroups(field, arg, err));
}

static int set_frequency(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	c->attrs.has_frequency = true;
	c->max_frequency = strcmp(arg, "max") == 0;
	if (!c->max_frequency && (!str_to_u64(arg, &c->attrs.frequency) || !c->attrs.frequency))
		return cmd_usage(
			err_set(err, -EINVAL, "'%s' is no frequency: a number, or 'max'", arg));
	return 0;
}

static int set_period(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct attr_options *attrs = field;

	if (!str_to_u64(arg, &attrs->period))
		return cmd_usage(err_set(err, -EINVAL, "'%s' is no number of events", arg));
	attrs->has_period = attrs->period != 0;
	return 0;
}

static int set_frame_pointers(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	if (negated)
		c->attrs.callgraph = (struct callgraph){ 0 };
	else if (!c->has_call_graph)
		c->attrs.callgraph = (struct callgraph){ .kind = CALLGRAPH_FP };
	return 0;
}

static int set_call_graph(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	c->has_call_graph = !negated;
	if (negated) {
		c->attrs.callgraph = (struct callgraph){ 0 };
		return 0;
	}
	return cmd_usage(callgraph_parse(arg, &c->attrs.callgraph, err));
}

static int set_any_branch(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(branchtype_parse("any", field, err));
}

static int set_branches(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(branchtype_parse(arg, field, err));
}

static int set_clock(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct attr_options *attrs = field;

	attrs->has_clockid = true;
	return cmd_usage(clockname_parse(arg, &attrs->clockid, err));
}

/* Without names: all that there are. "?" asks which there are: list_registers(). */
static int set_registers(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	uint64_t *mask = field;

	if (arg && strcmp(arg, "?") == 0)
		*mask = LIST_REGISTERS;
	else if (arg)
		return cmd_usage(regs_parse(REGS_HERE, arg, mask, err));
	else
		*mask = regs_all(REGS_HERE);
	return 0;
}

static int list_registers(void)
{
	_cleanup_(str_done) struct str names = { 0 };

	regs_list(REGS_HERE, &names);
	printf("available registers: %s\n", str_text(&names));
	return 0;
}

static int set_ring_size(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(ringsize_parse(arg, field, err));
}

static int set_delay(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(schedule_parse(arg, field, err));
}

static int set_synthesis(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(synthesize_parse(arg, field, err));
}

/* A choice that has three values: not said, wanted, not wanted. */
static int set_choice(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	*(signed char *)field = negated ? -1 : 1;
	return 0;
}

static int set_exclude_self(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	c->exclude_self = !negated;
	c->has_exclude_self = true;
	return 0;
}

#define FIELD(name) offsetof(struct config, name)
#define ATTR(name) offsetof(struct config, attrs.name)
#define TARGET(name) offsetof(struct config, recording.target.name)

static const struct opt options[] = {
	{ OPT_GROUP, .help = "What is watched" },
	{ OPT_STR, 'p', "pid", "PID,...", TARGET(pids),
	  "These processes: their threads, and what they start" },
	{ OPT_STR, 't', "tid", "TID,...", TARGET(tids), "These threads" },
	{ OPT_STR, 'u', "uid", "USER", TARGET(uid), "The processes of a user, by name or number" },
	{ OPT_FLAG, 'a', "all-cpus", NULL, TARGET(all_cpus), "All that runs, on all CPUs" },
	{ OPT_STR, 'C', "cpu", "CPU,...", TARGET(cpus), "These CPUs, as in 0-2,5" },
	{ OPT_CALL, 'G', "cgroup", "NAME,...", FIELD(events),
	  "Control groups, one for each event so far; as /proc/PID/cgroup names them", set_cgroups,
	  OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "per-thread", NULL, TARGET(per_thread),
	  "One ring for each thread instead of for each CPU, and no children" },
	{ OPT_FLAG, 'i', "no-inherit", NULL, ATTR(no_inherit), "Not what the target starts" },

	{ OPT_GROUP, .help = "Which events, and how often" },
	{ OPT_CALL, 'e', "event", "EVENT,...", FIELD(events), "Record these events: strobe list",
	  set_events, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "filter", "FILTER", FIELD(events),
	  "Only where the tracepoints of the last -e have fields so: 'prev_prio < 120'", set_filter,
	  OPT_NO_NEGATE },
	{ OPT_CALL, 'F', "freq", "HZ", 0, "Sample so often in a second (default: 4000), or 'max'",
	  set_frequency, OPT_NO_NEGATE },
	{ OPT_CALL, 'c', "count", "N", FIELD(attrs), "Sample every N events, instead of -F",
	  set_period, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "strict-freq", NULL, FIELD(strict_frequency),
	  "Fail where -F is more than the kernel allows, instead of using less" },
	{ OPT_FLAG, '\0', "all-user", NULL, ATTR(all_user), "All events in user space only" },
	{ OPT_FLAG, '\0', "all-kernel", NULL, ATTR(all_kernel), "All events in the kernel only" },
	{ OPT_FLAG, 'n', "no-samples", NULL, ATTR(no_samples), "No samples" },
	{ OPT_CALL, '\0', "exclude-perf", NULL, 0,
	  "Not the recorder's own tracepoints (as with -a); --no-exclude-perf: those too",
	  set_exclude_self },

	{ OPT_GROUP, .help = "Call stacks" },
	{ OPT_CALL, 'g', NULL, NULL, 0, "Record call stacks, by frame pointers",
	  set_frame_pointers },
	{ OPT_CALL, '\0', "call-graph", "HOW[,SIZE]", 0,
	  "Record call stacks: fp, lbr, or dwarf with SIZE bytes of stack (default: 8192)",
	  set_call_graph },
	{ OPT_UINT, '\0', "max-stack", "N", FIELD(max_stack), "At most N frames", .max = 65535 },
	{ OPT_FLAG, '\0', "user-callchains", NULL, ATTR(no_kernel_chains), "Only their user part" },
	{ OPT_FLAG, '\0', "kernel-callchains", NULL, ATTR(no_user_chains),
	  "Only their kernel part" },

	{ OPT_GROUP, .help = "What a sample says besides" },
	{ OPT_CALL, 'T', "timestamp", NULL, ATTR(time), "The time", set_choice },
	{ OPT_CALL, 'P', "period", NULL, ATTR(sent_period), "For how many events it stands",
	  set_choice },
	{ OPT_FLAG, '\0', "sample-cpu", NULL, ATTR(cpu), "The CPU" },
	{ OPT_FLAG, '\0', "sample-identifier", NULL, ATTR(identifier), "The event's id, first" },
	{ OPT_FLAG, 'd', "data", NULL, ATTR(address), "The address of the data" },
	{ OPT_FLAG, '\0', "phys-data", NULL, ATTR(physical_address), "Its physical address" },
	{ OPT_FLAG, '\0', "data-page-size", NULL, ATTR(data_page_size), "The size of its page" },
	{ OPT_FLAG, '\0', "code-page-size", NULL, ATTR(code_page_size),
	  "The size of the code's page" },
	{ OPT_FLAG, '\0', "sample-mem-info", NULL, ATTR(memory_info),
	  "Where in the memory hierarchy the data came from" },
	{ OPT_FLAG, 'W', "weight", NULL, ATTR(weight), "Its weight (cycles of latency)" },
	{ OPT_FLAG, '\0', "transaction", NULL, ATTR(transaction), "Flags of transactions" },
	{ OPT_FLAG, 'R', "raw-samples", NULL, ATTR(raw), "The raw bytes of tracepoints" },
	{ OPT_CALL, 'b', "branch-any", NULL, ATTR(branch_type), "The last branches taken",
	  set_any_branch, OPT_NO_NEGATE },
	{ OPT_CALL, 'j', "branch-filter", "KIND,...", ATTR(branch_type),
	  "The last branches of a kind: any, any_call, any_ret, ind_call, cond, u, k, ...",
	  set_branches, OPT_NO_NEGATE },
	{ OPT_CALL, 'I', "intr-regs", "[REG,...]", ATTR(intr_regs),
	  "Registers at the interrupt; '?' lists them", set_registers, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "user-regs", "[REG,...]", ATTR(user_regs),
	  "Registers in user space; '?' lists them", set_registers, OPT_NO_NEGATE },
	{ OPT_CALL, 'k', "clockid", "CLOCK", FIELD(attrs),
	  "Times by this clock: monotonic, monotonic_raw, realtime, boottime, tai, or a number",
	  set_clock, OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "Records beside the samples" },
	{ OPT_FLAG, '\0', "data-mmap", NULL, ATTR(data_mmaps), "Mappings that are no code, too" },
	{ OPT_FLAG, '\0', "switch-events", NULL, ATTR(switches), "When threads come and go" },
	{ OPT_FLAG, '\0', "namespaces", NULL, ATTR(namespaces), "Namespaces of processes" },
	{ OPT_FLAG, '\0', "all-cgroups", NULL, ATTR(cgroup), "Control groups, and each sample's" },
	{ OPT_FLAG, '\0', "no-bpf-event", NULL, ATTR(no_bpf_events),
	  "Not the loading of BPF programs" },
	{ OPT_FLAG, 's', "stat", NULL, ATTR(thread_counts), "Counts of each thread, at its end" },
	{ OPT_FLAG, '\0', "running-time", NULL, ATTR(running_time),
	  "How long events were counting, with :S" },
	{ OPT_CALL, '\0', "synth", "WHAT,...", FIELD(recording.synthesize.what),
	  "What was there before is read from /proc: no, all, task, mmap, cgroup", set_synthesis,
	  OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "When" },
	{ OPT_CALL, 'D', "delay", "MS", FIELD(recording.schedule),
	  "Begin after so many milliseconds; in ranges, as in 10-20,30-40; -1: never", set_delay,
	  OPT_NO_NEGATE },
	{ OPT_UINT, '\0', "duration", "SECONDS", FIELD(duration_s), "End after so many seconds" },

	{ OPT_GROUP, .help = "Output" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(recording.output),
	  "Write to FILE (default: perf.data); '-': a pipe" },
	{ OPT_CALL, 'm', "mmap-pages", "SIZE", FIELD(recording.ring_size),
	  "Size of each CPU's ring: pages, or bytes with B, K, M or G (default: 512K)",
	  set_ring_size, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "no-buildid-mmap", NULL, ATTR(no_build_ids),
	  "No build-ids in the records of mappings: they go to the header" },
	{ OPT_FLAG, 'B', "no-buildid", NULL, FIELD(no_buildid), "No build-ids in the header" },
	{ OPT_FLAG, '\0', "buildid-all", NULL, FIELD(buildid_all),
	  "Build-ids of all files and not only of those with samples (always so)" },
	{ OPT_FLAG, 'N', "no-buildid-cache", NULL, FIELD(no_buildid_cache),
	  "Copy no files to the build-id cache (always so)" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say what was opened" },
	{ OPT_FLAG, 'q', "quiet", NULL, FIELD(quiet), "Say only what went wrong" },
	{ .kind = OPT_END },
};

static bool has_threads(const struct config *c)
{
	return c->recording.target.pids || c->recording.target.tids || c->recording.target.uid;
}

static bool is_sampled_by_rate(const struct config *c)
{
	return !c->attrs.has_period && !c->attrs.no_samples;
}

static bool has_cgroup(const struct eventlist *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].cgroup)
			return true;
	return false;
}

/* What goes to standard output goes there as a pipe: the command's own output makes room. */
static int check_output(struct recording_options *rec, struct strobe_err *err)
{
	static const char *const names[] = { "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(rec->output, names[i]) == 0)
			rec->output = "-";
	if (strcmp(rec->output, "-") != 0 || !isatty(STDOUT_FILENO))
		return 0;
	err_set(err, -EINVAL, "a recording is no text for a terminal");
	return err_hint(err, -EINVAL,
			"-o FILE, or a reader: strobe record -o - ... | strobe script");
}

/* From what was typed to what the layers want; remarks go to @notes. */
static int prepare(struct config *c, struct notes *notes, struct strobe_err *err)
{
	struct recording_options *rec = &c->recording;
	struct target_request *target = &rec->target;
	int r = c->events.count || c->events.missing_count ? eventlist_check(&c->events, err)
							   : eventlist_default(&c->events, err);

	if (r == 0)
		r = target_check(target, err);
	if (r == 0)
		r = check_output(rec, err);
	if (r < 0)
		return cmd_usage(r);
	for (size_t i = 0; i < c->events.missing_count; i++)
		notes_add(notes, "%s", c->events.missing[i]);
	/* A control group is watched on CPUs; a command beside it says how long. */
	if (has_cgroup(&c->events)) {
		if (has_threads(c))
			return cmd_usage(err_set(err, -EINVAL,
						 "-G watches the processes of a control group, and "
						 "-p, -t, -u others: one of them is too many"));
		target->all_cpus = true;
	}
	c->attrs.is_system_wide = !has_threads(c) && (target->all_cpus || target->cpus);
	c->attrs.has_workload = rec->argv && !has_threads(c) && !c->attrs.is_system_wide;
	c->attrs.has_threads = target->tids && !target->pids && !target->uid;
	c->attrs.is_per_thread = target->per_thread;
	c->attrs.has_delay = schedule_is_delayed(&rec->schedule);
	if (!rec->argv && !has_threads(c) && !c->attrs.is_system_wide) {
		err_set(err, -EINVAL, "there is nothing to record");
		return cmd_usage(err_hint(err, -EINVAL,
					  "name a command, or use -p, -t, -u, -a, "
					  "-C or -G"));
	}
	if (c->max_stack)
		c->attrs.callgraph.max_frames = (uint16_t)c->max_stack;
	if (is_sampled_by_rate(c)) {
		if (!c->attrs.has_frequency)
			c->attrs.frequency = ATTR_FREQUENCY_DEFAULT;
		r = rate_limit(c->max_frequency ? RATE_MAX : c->attrs.frequency,
			       c->strict_frequency, &c->attrs.frequency, notes, err);
		if (r < 0)
			return r;
		c->attrs.has_frequency |= c->attrs.frequency != ATTR_FREQUENCY_DEFAULT;
	}
	return attr_build(&c->events, &c->attrs, err);
}

static void prepare_recording(struct config *c, const char **argv)
{
	struct record_header *header = &c->header;
	struct recording_options *rec = &c->recording;

	if (!rec->ring_size)
		rec->ring_size = ringsize_default();
	rec->duration_ns = c->duration_s * UINT64_C(1000000000);
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

static void print_notes(const struct config *c, const struct notes *notes)
{
	for (size_t i = 0; !c->quiet && i < notes->count; i++)
		(void)fprintf(stderr, "strobe record: %s\n", notes->items[i]);
}

/* Which events, as they were opened, on how many pairs of CPU and thread. */
static void print_opened(const struct config *c, const struct recording *rec)
{
	size_t count;
	const struct writer_event *events = recording_events(rec, &count);

	for (size_t i = 0; c->verbose && i < count; i++)
		(void)fprintf(stderr,
			      "strobe record: opened '%s' %zu times: type %" PRIu32
			      ", config %#" PRIx64 ", sample_type %#" PRIx64 "\n",
			      events[i].name, events[i].id_count, events[i].attr.type,
			      events[i].attr.config, events[i].attr.sample_type);
}

#define MIB ((size_t)1024 * 1024)

/* What was lost, and what helps: the ring, then the rate, then the target. */
static void print_loss(const struct config *c, const struct recording_result *result)
{
	uint64_t all = result->sample_count + result->lost_count;
	double share = all ? 100.0 * (double)result->lost_count / (double)all : 0;

	if (result->lost_count) {
		(void)fprintf(stderr,
			      "strobe record: lost %" PRIu64 " of %" PRIu64
			      " records (%.1f%%): the rings of %zu KiB were full\n",
			      result->lost_count, all, share, result->ring_size / 1024);
		(void)fprintf(stderr, "  hint: larger rings (-m %zuM)%s%s\n",
			      result->ring_size * 8 > MIB ? result->ring_size * 8 / MIB : 1,
			      is_sampled_by_rate(c) ? ", a lower rate (-F)" : "",
			      c->attrs.callgraph.kind == CALLGRAPH_DWARF
				      ? ", smaller stack copies (--call-graph dwarf,4096)"
			      : c->attrs.is_system_wide ? ", or less to watch (-p, -G, :u)"
							: "");
	}
	if (result->throttle_count)
		(void)fprintf(stderr,
			      "strobe record: the kernel stopped events %" PRIu64
			      " times for a moment: they came too often\n"
			      "  hint: a lower rate (-F), or a larger period (-c)\n",
			      result->throttle_count);
}

static void print_result(const struct config *c, const struct recording_result *result)
{
	if (c->quiet)
		return;
	print_loss(c, result);
	(void)fprintf(stderr, "[ strobe record: Woken up %" PRIu64 " times to write data ]\n",
		      result->wake_count);
	(void)fprintf(
		stderr, "[ strobe record: Captured and wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
		(double)result->written_size / 1024 / 1024,
		strcmp(c->recording.output, "-") == 0 ? "to standard output" : c->recording.output,
		result->sample_count);
}

static int record(struct config *c, const char **argv, struct notes *notes, struct strobe_err *err)
{
	_cleanup_(recording_freep) struct recording *rec = NULL;
	struct recording_result result = { 0 };
	int r = prepare(c, notes, err);

	if (r < 0)
		return r;
	prepare_recording(c, argv);
	r = recording_open(&c->recording, &c->events, notes, &rec, err);
	print_notes(c, notes);
	if (r == 0)
		print_opened(c, rec);
	if (r == 0)
		r = record_header_begin(&c->header, rec, err);
	if (r == 0)
		r = recording_run(rec, err);
	if (r == 0)
		r = record_header_end(&c->header, rec, err);
	if (r == 0)
		r = recording_finish(rec, &result, err);
	if (r < 0)
		return r;
	print_result(c, &result);
	return result.exit_code;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { .recording = { .output = "perf.data",
					   .synthesize = { .what = SYNTHESIZE_ALL } } };
	struct notes notes = { 0 };
	int r = opt_parse(options, argc, argv, &c, err);

	if (r >= 0 &&
	    (c.attrs.user_regs == LIST_REGISTERS || c.attrs.intr_regs == LIST_REGISTERS)) {
		r = list_registers();
	} else if (r >= 0) {
		c.recording.argv = r < argc ? argv + r : NULL;
		r = record(&c, argv, &notes, err);
	}
	notes_done(&notes);
	record_header_done(&c.header);
	schedule_done(&c.recording.schedule);
	eventlist_done(&c.events);
	return r;
}

const struct cmd cmd_record = {
	.name = "record",
	.summary = "Run a command, or watch what runs, and write its profile",
	.usage = "[--] [COMMAND [ARGS...]]",
	.options = options,
	.run = run,
};
