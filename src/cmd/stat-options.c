/* stat-options.c - see stat-options.h. */
#include "cmd/stat-options.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "analyze/cpu-places.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/record-options.h"

static int add_events(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct stat_config *c = field;

	if (c->event_text_count == c->event_text_capacity)
		c->event_texts =
			xgrow(c->event_texts, &c->event_text_capacity, sizeof(*c->event_texts));
	c->event_texts[c->event_text_count++] = arg;
	return cmd_usage(eventlist_parse(&c->events, arg, err));
}

static int set_control(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct control *control = field;

	control_close(control);
	return cmd_usage(control_open(control, arg, err));
}

static int set_repeat(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct stat_config *c = field;
	uint64_t count;

	if (!str_to_u64(arg, &count) || count > STAT_REPEAT_MAX)
		return cmd_usage(err_set(err, -EINVAL,
					 "'%s' is no number of runs: up to %d, or 0 "
					 "for ever",
					 arg, STAT_REPEAT_MAX));
	c->repeat = (unsigned)count;
	c->has_repeat = true;
	return 0;
}

/* Of several the last one counts; the opposite of one is to add up all. */
static int set_by(struct stat_config *c, enum stat_by by, bool negated)
{
	c->by = negated ? STAT_BY_ALL : by;
	c->has_by = true;
	return 0;
}

static int by_cpu(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_CPU, negated);
}

static int by_core(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_CORE, negated);
}

static int by_cluster(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_CLUSTER, negated);
}

static int by_die(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_DIE, negated);
}

static int by_socket(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_SOCKET, negated);
}

static int by_node(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_NODE, negated);
}

static int by_thread(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return set_by(field, STAT_BY_THREAD, negated);
}

/* "L2", "l3", "LLC". */
static int by_cache(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct stat_config *c = field;
	uint64_t level;

	c->cache_level = CPU_PLACES_LAST_LEVEL;
	if (arg && strcasecmp(arg, "LLC") != 0) {
		if ((arg[0] != 'L' && arg[0] != 'l') || !str_to_u64(arg + 1, &level) || level < 1 ||
		    level > 4)
			return cmd_usage(err_set(err, -EINVAL,
						 "'%s' is no level of a cache: L1 to L4, or LLC",
						 arg));
		c->cache_level = (int)level;
	}
	return set_by(c, STAT_BY_CACHE, negated);
}

/* Each of them is chosen by an option of its own; which one would be meant? */
static int refuse_pair(struct strobe_err *err)
{
	return cmd_usage(err_set(err, -EINVAL,
				 "-x prints fields, -j and --format json print JSON: one of them "
				 "is too many"));
}

static bool is_json(const struct stat_config *c)
{
	return c->format == STAT_FORMAT_LINES || c->format == STAT_FORMAT_JSON;
}

static int set_separator(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct stat_config *c = field;

	if (is_json(c))
		return refuse_pair(err);
	c->separator = strcmp(arg, "\\t") == 0 ? "\t" : arg;
	c->format = STAT_FORMAT_CSV;
	return 0;
}

static int set_big_num(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct stat_config *c = field;

	c->no_big_num = negated;
	return 0;
}

static int set_lines(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct stat_config *c = field;

	c->format = negated ? STAT_FORMAT_TEXT : STAT_FORMAT_LINES;
	return is_json(c) && c->separator ? refuse_pair(err) : 0;
}

static int set_format(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	static const char *const names[] = { "text", "csv", "lines", "json" };
	struct stat_config *c = field;

	for (int i = STAT_FORMAT_TEXT; i <= STAT_FORMAT_JSON; i++)
		if (i != STAT_FORMAT_LINES && strcmp(arg, names[i]) == 0) {
			c->format = (enum stat_format)i;
			return is_json(c) && c->separator ? refuse_pair(err) : 0;
		}
	err_set(err, -EINVAL, "'%s' is no format", arg);
	return cmd_usage(err_hint(err, -EINVAL, "text, csv or json"));
}

#define FIELD(name) offsetof(struct stat_config, name)

#define STAT_OPTIONS_BY                                                                            \
	{ OPT_GROUP, .help = "How it is added up" },                                               \
		{ OPT_CALL, 'A', "no-aggr", NULL, 0, "By CPU", by_cpu },                           \
		{ OPT_CALL, '\0', "per-core", NULL, 0, "By core", by_core },                       \
		{ OPT_CALL, '\0', "per-cluster", NULL, 0, "By cluster of cores", by_cluster },     \
		{ OPT_CALL,  '\0', "per-cache",                                                    \
		  "[LEVEL]", 0,    "By cache: L1 to L4, or LLC, the last level",                   \
		  by_cache },                                                                      \
		{ OPT_CALL, '\0', "per-die", NULL, 0, "By die", by_die },                          \
		{ OPT_CALL, '\0', "per-socket", NULL, 0, "By socket", by_socket },                 \
		{ OPT_CALL, '\0', "per-node", NULL, 0, "By NUMA node", by_node },                  \
	{                                                                                          \
		OPT_CALL, '\0', "per-thread", NULL, 0, "By thread", by_thread                      \
	}

#define STAT_OPTIONS_OUTPUT                                                                         \
	{                                                                                           \
		OPT_CALL,                                                                           \
		'x',                                                                                \
		"field-separator",                                                                  \
		"SEP",                                                                              \
		0,                                                                                  \
		"Fields with SEP between them",                                                     \
		set_separator,                                                                      \
		OPT_NO_NEGATE                                                                       \
	},                                                                                          \
		{ OPT_CALL, 'j', "json-output", NULL, 0, "perf's JSON: an object in each line",     \
		  set_lines },                                                                      \
		{ OPT_CALL,   '\0',                                                                 \
		  "format",   "FORMAT",                                                             \
		  0,          "Print text (the default), csv, or json, which docs/json.md defines", \
		  set_format, OPT_NO_NEGATE },                                                      \
		{ OPT_FLAG,           '\0',                                                         \
		  "metric-only",      NULL,                                                         \
		  FIELD(metric_only), "Only what stands behind the '#'" },                          \
	{                                                                                           \
		OPT_CALL, 'B', "big-num", NULL, 0,                                                  \
			"Numbers with the locale's separators of thousands (the default); "         \
			"--no-big-num: without",                                                    \
			set_big_num, .key = "stat.big-num"                                          \
	}

const struct opt stat_options[] = {
	{ OPT_GROUP, .help = "What is counted" },
	{ OPT_STR, 'p', "pid", "PID,...", FIELD(target.pids),
	  "These processes, and what they start" },
	{ OPT_STR, 't', "tid", "TID,...", FIELD(target.tids), "These threads" },
	{ OPT_FLAG, 'a', "all-cpus", NULL, FIELD(target.all_cpus), "All that runs, on all CPUs" },
	{ OPT_STR, 'C', "cpu", "CPU,...", FIELD(target.cpus), "These CPUs, as in 0-2,5" },
	{ OPT_CALL, 'G', "cgroup", "NAME,...", FIELD(events),
	  "Control groups, one for each event so far; as /proc/PID/cgroup names them",
	  record_options_cgroups, OPT_NO_NEGATE },
	{ OPT_STR, '\0', "for-each-cgroup", "NAME,...", FIELD(each_cgroup),
	  "All events in each of these control groups, or of those that an extended regular "
	  "expression is found in: 'app/[ab]$'" },
	{ OPT_FLAG, 'i', "no-inherit", NULL, FIELD(no_inherit), "Not what the target starts" },

	{ OPT_GROUP, .help = "Which events" },
	{ OPT_CALL, 'e', "event", "EVENT,...", 0,
	  "Count these events (default: clocks, switches, faults, cycles, instructions, branches)",
	  add_events, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "filter", "FILTER", FIELD(events),
	  "Only where the tracepoints of the last -e have fields so: 'prev_prio < 120'",
	  record_options_filter, OPT_NO_NEGATE },
	{ OPT_COUNT, 'd', "detailed", NULL, FIELD(detail),
	  "More events by default: -d caches, -d -d TLBs, -d -d -d prefetches" },
	{ OPT_STR, '\0', "cputype", "TYPE", FIELD(cpu_type),
	  "Where CPUs are of several kinds, on those of one: core, atom" },
	{ OPT_STR, '\0', "pmu-filter", "PMU", FIELD(pmu_filter),
	  "Of events that several PMUs have, those of one" },
	{ OPT_STR, 'M', "metrics", "METRIC,...", FIELD(metric_names),
	  "The events of these metrics or groups of metrics, and what they say: 'strobe list "
	  "metric'" },
	{ OPT_FLAG, '\0', "metric-no-group", NULL, FIELD(metric_no_group),
	  "Not each metric's events in a group, which may not find room" },
	{ OPT_FLAG, '\0', "metric-no-merge", NULL, FIELD(ignored),
	  "Metrics share no events (always so)" },
	{ OPT_FLAG, '\0', "metric-no-threshold", NULL, FIELD(ignored),
	  "No events for what is much or little (always so)" },
	{ OPT_FLAG, 'T', "transaction", NULL, FIELD(transactions),
	  "How transactions of memory go, where the CPU has them (Intel's TSX)" },
	{ OPT_FLAG, '\0', "topdown", NULL, FIELD(topdown),
	  "What the slots of the pipeline were used for, where the CPU counts that" },
	{ OPT_UINT, '\0', "td-level", "N", FIELD(td_level),
	  "1: not in detail (default: as far as "
	  "the CPU goes)",
	  .max = 2 },
	{ OPT_FLAG, 'n', "null", NULL, FIELD(null_run), "No events: only how long it takes" },
	{ OPT_FLAG, '\0', "all-user", NULL, FIELD(all_user), "All events in user space only" },
	{ OPT_FLAG, '\0', "all-kernel", NULL, FIELD(all_kernel), "All events in the kernel only" },

	{ OPT_GROUP, .help = "When" },
	{ OPT_CALL, 'r', "repeat", "N", 0,
	  "Run the command N times: means, and how far they may be off; 0: for ever", set_repeat,
	  OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "passes", NULL, FIELD(passes),
	  "Run the command once for each set of events that has enough counters" },
	{ OPT_UINT, '\0', "warmup", "N", FIELD(warmup),
	  "Of compare: runs of each command that do not count (default: 1)",
	  .max = STAT_REPEAT_MAX },
	{ OPT_UINT, 'I', "interval-print", "MS", FIELD(interval_ms),
	  "Print what was counted every so many milliseconds", .max = 1u << 31 },
	{ OPT_UINT, '\0', "interval-count", "N", FIELD(interval_count), "End after N intervals" },
	{ OPT_UINT, '\0', "timeout", "MS", FIELD(timeout_ms),
	  "End after so many milliseconds, and stop the command", .max = 1u << 31 },
	{ OPT_CALL, 'D', "delay", "MS", FIELD(schedule),
	  "Begin after so many milliseconds; in ranges, as in 10-20,30-40; -1: when told",
	  record_options_delay, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "control", "fd:N[,M]", FIELD(control),
	  "Take orders (enable, disable, ping, stop) from descriptor N, and answer 'ack' to M; "
	  "fifo:PATH[,PATH] for FIFOs",
	  set_control, OPT_NO_NEGATE },
	{ OPT_FLAG, 'S', "sync", NULL, FIELD(sync),
	  "Write what files wait for (sync) before a run" },
	{ OPT_STR, '\0', "pre", "COMMAND", FIELD(pre), "Run before each run, not counted" },
	{ OPT_STR, '\0', "post", "COMMAND", FIELD(post), "Run after each run, not counted" },

	STAT_OPTIONS_BY,
	{ OPT_FLAG, '\0', "percore-show-thread", NULL, FIELD(ignored),
	  "With -A, CPUs show the sum of their core of events with the term percore (always so)" },
	{ OPT_FLAG, '\0', "no-merge", NULL, FIELD(no_merge),
	  "Events of one name of several PMUs are not added up" },
	{ OPT_FLAG, '\0', "hybrid-merge", NULL, FIELD(hybrid_merge),
	  "Events of one name of several kinds of CPUs are added up" },
	{ OPT_FLAG, '\0', "no-scale", NULL, FIELD(no_scale),
	  "Counts as they were, also where the event ran for a part of the time" },

	{ OPT_GROUP, .help = "Output" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(output),
	  "Write to FILE (default: standard error; of record: perf.data)" },
	{ OPT_FLAG, '\0', "append", NULL, FIELD(append), "Behind what FILE has" },
	{ OPT_UINT, '\0', "log-fd", "N", FIELD(log_fd), "Write to descriptor N", .max = 1 << 20 },
	STAT_OPTIONS_OUTPUT,
	{ OPT_FLAG, '\0', "table", NULL, FIELD(table), "With -r: how long each run took" },
	{ OPT_STR, '\0', "fail-above", "LIMIT", FIELD(fail_above),
	  "Of compare: exit code 3 if the second takes so much more, and that is no chance: as in "
	  "3% (of the elapsed time), instructions:1%" },
	{ OPT_FLAG, '\0', "summary", NULL, FIELD(summary), "With -I: in the end, all of it" },
	{ OPT_FLAG, '\0', "no-csv-summary", NULL, FIELD(no_csv_summary),
	  "Without the word 'summary' in its lines (-x)" },
	{ OPT_FLAG, .at = FIELD(no_csv_summary), .help = "The same", .key = "stat.no-csv-summary" },
	{ OPT_FLAG, '\0', "interval-clear", NULL, FIELD(interval_clear),
	  "With -I: each at the top of an empty terminal" },
	{ OPT_FLAG, '\0', "quiet", NULL, FIELD(quiet), "Print nothing" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Also the counts as they were read" },
	{ OPT_STR, '\0', "input", "FILE", FIELD(input),
	  "Of report, also -i: the recording (default: perf.data)" },

	{ OPT_ABSENT, 'g', "group", .help = "strobe has no '--group', nor has perf's stat now",
	  .instead = "braces make a group: -e '{cycles,instructions}'" },
	{ OPT_ABSENT, .name = "smi-cost",
	  .help = "strobe has no '--smi-cost': it would change how the machine counts "
		  "(freeze_on_smi) for all",
	  .instead = "-e msr/smi/ counts system management interrupts" },
	{ OPT_ABSENT, .name = "iostat" },
	{ OPT_ABSENT, .name = "bpf-counters" },
	{ OPT_ABSENT, .name = "bpf-prog" },
	{ OPT_ABSENT, .name = "affinity" },
	{ OPT_ABSENT, .name = "record-tpebs" },
	{ OPT_ABSENT, .name = "tpebs-mode" },
	{ .kind = OPT_END },
};

const struct opt stat_options_report[] = {
	{ OPT_STR, 'i', "input", "FILE", FIELD(input), "The recording (default: perf.data)" },
	STAT_OPTIONS_BY,
	STAT_OPTIONS_OUTPUT,
	{ OPT_STR, 'o', "output", "FILE", FIELD(output), "Write to FILE" },
	{ OPT_FLAG, '\0', "append", NULL, FIELD(append), "Behind what FILE has" },
	{ OPT_UINT, '\0', "log-fd", "N", FIELD(log_fd), "Write to descriptor N", .max = 1 << 20 },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(verbose), "Say more" },
	{ .kind = OPT_END },
};
