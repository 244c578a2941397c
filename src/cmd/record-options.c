/* record-options.c - see record-options.h. */
#include "cmd/record-options.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "collect/ringsize.h"
#include "event/branchtype.h"
#include "event/clockname.h"
#include "event/regs.h"
#include "event/stackmode.h"

int record_options_events(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(eventlist_parse(field, arg, err));
}

int record_options_filter(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(eventlist_filter(field, arg, err));
}

int record_options_cgroups(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(eventlist_cgroups(field, arg, err));
}

int record_options_frequency(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct record_config *c = field;

	c->attrs.has_frequency = true;
	c->max_frequency = strcmp(arg, "max") == 0;
	if (!c->max_frequency && (!str_to_u64(arg, &c->attrs.frequency) || !c->attrs.frequency))
		return cmd_usage(
			err_set(err, -EINVAL, "'%s' is no frequency: a number, or 'max'", arg));
	return 0;
}

int record_options_period(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct attr_options *attrs = field;

	if (!str_to_u64(arg, &attrs->period))
		return cmd_usage(err_set(err, -EINVAL, "'%s' is no number of events", arg));
	attrs->has_period = attrs->period != 0;
	return 0;
}

/* Without a size it is the one of call-graph.dump-size. */
static int parse_call_graph(struct record_config *c, const char *how, struct strobe_err *err)
{
	int r = stackmode_parse(how, &c->attrs.stackmode, err);

	if (r == 0 && c->set_dump_size && strcmp(how, "dwarf") == 0)
		c->attrs.stackmode.stack_size = c->set_dump_size;
	return cmd_usage(r);
}

int record_options_stacks(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct record_config *c = field;

	if (negated)
		c->attrs.stackmode = (struct stackmode){ 0 };
	else if (!c->has_call_graph)
		return parse_call_graph(c, c->set_call_graph ? c->set_call_graph : "fp", err);
	return 0;
}

int record_options_call_graph(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct record_config *c = field;

	c->has_call_graph = !negated;
	if (negated) {
		c->attrs.stackmode = (struct stackmode){ 0 };
		return 0;
	}
	return parse_call_graph(c, arg, err);
}

/* A setting: what -g means. */
static int preset_call_graph(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct record_config *c = field;
	struct stackmode ignored;
	int r = stackmode_parse(arg, &ignored, err);

	if (r == 0)
		c->set_call_graph = arg;
	return r;
}

static int preset_dump_size(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct record_config *c = field;
	uint64_t size;

	if (!str_to_size(arg, &size) || !stackmode_size(size))
		return err_set(err, -EINVAL, "'%s' is no size of a stack copy: 1 to %d bytes", arg,
			       STACKMODE_SIZE_MAX);
	c->set_dump_size = stackmode_size(size);
	return 0;
}

static int preset_build_ids(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct record_config *c = field;

	if (strcmp(arg, "skip") == 0)
		c->no_buildid = true;
	else if (strcmp(arg, "no-mmap") == 0)
		c->attrs.no_build_ids = true;
	else if (strcmp(arg, "cache") != 0 && strcmp(arg, "no-cache") != 0 &&
		 strcmp(arg, "mmap") != 0)
		return err_set(err, -EINVAL, "'%s' is not cache, no-cache, skip, mmap or no-mmap",
			       arg);
	return 0;
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

int record_options_ring_size(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(ringsize_parse(arg, field, err));
}

static int set_max_size(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	uint64_t *size = field;

	if (!str_to_size(arg, size) || *size == 0)
		return cmd_usage(
			err_set(err, -EINVAL, "'%s' is no size of a file: as in 100M", arg));
	return 0;
}

int record_options_delay(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return cmd_usage(schedule_parse(arg, field, err));
}

/* Longer than a century is a mistake, and less than nothing too. */
static int set_duration(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	uint64_t *ret_ns = field;
	double seconds;

	if (!str_to_double(arg, &seconds) || !(seconds >= 1e-3) || seconds > 4e9)
		return cmd_usage(
			err_set(err, -EINVAL,
				"'%s' is no number of seconds: as in 10 or 0.5, from 0.001 "
				"on",
				arg));
	*ret_ns = (uint64_t)(seconds * 1e9);
	return 0;
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
	struct record_config *c = field;

	c->exclude_self = !negated;
	c->has_exclude_self = true;
	return 0;
}

#define FIELD(name) offsetof(struct record_config, name)
#define ATTR(name) offsetof(struct record_config, attrs.name)
#define TARGET(name) offsetof(struct record_config, recording.target.name)

/* What to do without some that perf has. */
#define SIZE_OR_TIME "--max-size and --duration bound a recording"
#define OFF_CPU "-e sched:sched_switch -g shows where threads stop"

const struct opt record_options[] = {
	{ OPT_GROUP, .help = "What is watched" },
	RECORD_OPTIONS_TARGET,
	{ OPT_CALL, 'G', "cgroup", "NAME,...", FIELD(events),
	  "Control groups, one for each event so far; as /proc/PID/cgroup names them",
	  record_options_cgroups, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "per-thread", NULL, TARGET(per_thread),
	  "One ring for each thread instead of for each CPU, and no children" },
	{ OPT_FLAG, 'i', "no-inherit", NULL, ATTR(no_inherit), "Not what the target starts" },

	{ OPT_GROUP, .help = "Which events, and how often" },
	RECORD_OPTIONS_EVENTS,
	{ OPT_FLAG, '\0', "strict-freq", NULL, FIELD(strict_frequency),
	  "Fail where -F is more than the kernel allows, instead of using less" },
	{ OPT_FLAG, '\0', "all-user", NULL, ATTR(all_user), "All events in user space only" },
	{ OPT_FLAG, '\0', "all-kernel", NULL, ATTR(all_kernel), "All events in the kernel only" },
	{ OPT_FLAG, 'n', "no-samples", NULL, ATTR(no_samples), "No samples" },
	{ OPT_CALL, '\0', "exclude-perf", NULL, 0,
	  "Not the recorder's own tracepoints (as with -a); --no-exclude-perf: those too",
	  set_exclude_self },

	{ OPT_GROUP, .help = "Call stacks" },
	RECORD_OPTIONS_STACKS,
	{ OPT_CALL, .arg = "HOW[,SIZE]", .help = "What -g records: fp, lbr, dwarf or auto",
	  .call = preset_call_graph, .key = "call-graph.record-mode" },
	{ OPT_CALL, .arg = "HOW[,SIZE]", .help = "The same, and counts more",
	  .call = preset_call_graph, .key = "record.call-graph" },
	{ OPT_CALL, .arg = "BYTES", .help = "The SIZE of dwarf, where none is given",
	  .call = preset_dump_size, .key = "call-graph.dump-size" },
	{ OPT_FLAG, '\0', "store-stacks", NULL, FIELD(store_stacks),
	  "With --call-graph dwarf or auto: store the copies, as perf does, and do not unwind "
	  "them" },
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
	{ OPT_FLAG, '\0', "latency", NULL, ATTR(switches),
	  "The same, which report --latency wants" },
	{ OPT_FLAG, '\0', "namespaces", NULL, ATTR(namespaces), "Namespaces of processes" },
	{ OPT_FLAG, '\0', "all-cgroups", NULL, ATTR(cgroup), "Control groups, and each sample's" },
	{ OPT_FLAG, '\0', "no-bpf-event", NULL, ATTR(no_bpf_events),
	  "Not the loading of BPF programs" },
	{ OPT_FLAG, 's', "stat", NULL, ATTR(thread_counts),
	  "Counts of each thread that is started, at its end" },
	{ OPT_FLAG, '\0', "running-time", NULL, ATTR(running_time),
	  "How long events were counting, with :S" },
	{ OPT_CALL, '\0', "synth", "WHAT,...", FIELD(recording.synthesize.what),
	  "What was there before is read from /proc: no, all, task, mmap, cgroup", set_synthesis,
	  OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "When" },
	{ OPT_CALL, 'D', "delay", "MS", FIELD(recording.schedule),
	  "Begin after so many milliseconds; in ranges, as in 10-20,30-40; -1: never",
	  record_options_delay, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "duration", "SECONDS", FIELD(recording.duration_ns),
	  "End after so many seconds, as in 10 or 0.5", set_duration, OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "Output" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(recording.output),
	  "Write to FILE, or as a pipe to '-', standard output (default: perf.data; '-' where "
	  "standard output is a pipe)" },
	{ OPT_CALL, 'm', "mmap-pages", "SIZE", FIELD(recording.ring_size),
	  "Size of each CPU's ring: pages, or bytes with B, K, M or G (default: 512K, with "
	  "--call-graph dwarf more)",
	  record_options_ring_size, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "max-size", "SIZE", FIELD(recording.max_size),
	  "End when FILE has so many bytes: with B, K, M or G", set_max_size, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "no-buffering", NULL, ATTR(no_buffering),
	  "Write each record at once; costs much" },
	{ OPT_UINT, 'r', "realtime", "PRIORITY", FIELD(realtime),
	  "Empty the rings with real-time priority, 1 to 99", .max = 99 },
	{ OPT_FLAG, '\0', "timestamp-filename", NULL, FIELD(timestamp_filename),
	  "Put the time behind the name of FILE" },
	{ OPT_FLAG, '\0', "timestamp-boundary", NULL, FIELD(timestamp_boundary),
	  "The times of the first and last sample in the header (always so)" },
	{ OPT_FLAG, '\0', "no-buildid-mmap", NULL, ATTR(no_build_ids),
	  "No build-ids in the records of mappings: they go to the header" },
	{ OPT_FLAG, 'B', "no-buildid", NULL, FIELD(no_buildid), "No build-ids in the header" },
	{ OPT_FLAG, '\0', "buildid-all", NULL, FIELD(buildid_all),
	  "Build-ids of all files and not only of those with samples (always so)" },
	{ OPT_FLAG, 'N', "no-buildid-cache", NULL, FIELD(no_buildid_cache),
	  "Copy no files to the build-id cache (always so)" },
	{ OPT_FLAG, '\0', "no-kept-names", NULL, FIELD(no_kept_names),
	  "Keep no names of functions that may not be found later" },
	{ OPT_CALL, .arg = "WHAT",
	  .help = "skip: as -B; no-mmap: as --no-buildid-mmap; cache, no-cache, mmap: as without "
		  "it",
	  .call = preset_build_ids, .key = "record.build-id" },
	{ OPT_FLAG, '\0', "dry-run", NULL, FIELD(dry_run),
	  "Only look whether the options make sense" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say what was opened" },
	{ OPT_FLAG, 'q', "quiet", NULL, FIELD(quiet), "Say only what went wrong" },

	{ OPT_ABSENT, 'z', "compression-level" },
	{ OPT_ABSENT, .name = "switch-output", .instead = SIZE_OR_TIME },
	{ OPT_ABSENT, .name = "switch-output-event", .instead = SIZE_OR_TIME },
	{ OPT_ABSENT, .name = "switch-max-files", .instead = SIZE_OR_TIME },
	{ OPT_ABSENT, .name = "overwrite", .instead = SIZE_OR_TIME },
	{ OPT_ABSENT, .name = "tail-synthesize" },
	{ OPT_ABSENT, .name = "control", .instead = "-D and --duration say when to record" },
	{ OPT_ABSENT, .name = "off-cpu", .instead = OFF_CPU },
	{ OPT_ABSENT, .name = "off-cpu-thresh", .instead = OFF_CPU },
	{ OPT_ABSENT, .name = "setup-filter" },
	{ OPT_ABSENT, .name = "threads",
	  .instead = "one thread empties all rings: -m, if it loses any" },
	{ OPT_ABSENT, .name = "affinity" },
	{ OPT_ABSENT, .name = "aio" },
	{ OPT_ABSENT, .name = "mmap-flush" },
	{ OPT_ABSENT, .name = "num-thread-synthesize" },
	{ OPT_ABSENT, .name = "proc-map-timeout" },
	{ OPT_ABSENT, .name = "kcore" },
	{ OPT_ABSENT, .name = "vmlinux", .instead = "strobe report has --vmlinux" },
	{ OPT_ABSENT, .name = "debuginfod" },
	{ OPT_ABSENT, 'S', "snapshot" },
	{ OPT_ABSENT, .name = "aux-sample" },
	{ OPT_ABSENT, .name = "group", .help = "strobe has no '--group', nor has perf's record now",
	  .instead = "braces make a group: -e '{cycles,instructions}'" },
	{ .kind = OPT_END },
};
