/* trace-options.c - see trace-options.h. */
#include "cmd/trace-options.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/target.h"

#define FIELD(name) offsetof(struct trace_config, name)

#define NO_RECORDS "strobe trace shows calls and events, and not their records"
#define RECORDS "strobe trace record, then strobe script -D, or strobe report --stats"

/* The next word of a list; commas between slashes or braces are an event's own. */
static bool next_word(const char **rest, struct str *word)
{
	int depth = 0;
	const char *at = *rest;

	if (!at)
		return false;
	str_clear(word);
	for (; *at && (*at != ',' || depth > 0); at++) {
		if (*at == '{')
			depth++;
		else if (*at == '}')
			depth--;
		else if (*at == '/')
			depth ^= 1 << 16;
		str_add_char(word, *at);
	}
	*rest = *at ? at + 1 : NULL;
	return true;
}

/* What is no event may be a call that was mistyped. */
static int suggest_call(const char *word, int r, struct strobe_err *err)
{
	const char *nearest = callchoice_nearest(word);

	return nearest ? err_hint(err, r, "did you mean '%s'?", nearest) : r;
}

/* The first of the words that is none of an event's either. */
static int suggest_calls(const char *words, int r, struct strobe_err *err)
{
	_cleanup_(str_done) struct str word = { 0 };
	const char *rest = words;

	while (next_word(&rest, &word)) {
		if (callchoice_nearest(str_text(&word)))
			return suggest_call(str_text(&word), r, err);
	}
	return r;
}

static int take_word(struct trace_config *c, const char *word, struct str *events,
		     struct strobe_err *err)
{
	if (callchoice_add(&c->choice, word))
		return 0;
	if (c->choice.is_inverse) {
		err_set(err, -EINVAL, "there is no system call '%s'", word);
		return suggest_call(word, -EINVAL, err);
	}
	str_addf(events, "%s%s", events->size ? "," : "", word);
	return 0;
}

/* Calls, and events beside them. With a '!' before it all calls but those of the list. */
static int take_events(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct trace_config *c = field;
	_cleanup_(str_done) struct str word = { 0 }, events = { 0 };
	const char *rest = *arg == '!' ? arg + 1 : arg;
	int r = 0;

	c->has_choice = true;
	if (*arg == '!')
		c->choice.is_inverse = true;
	while (r == 0 && next_word(&rest, &word))
		r = take_word(c, str_text(&word), &events, err);
	if (r < 0 || events.size == 0)
		return r;
	r = record_options_events(&c->record.events, str_text(&events), false, err);
	return r < 0 ? suggest_calls(str_text(&events), r, err) : 0;
}

static int take_duration(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	double *duration = field;

	if (!str_to_double(arg, duration))
		return err_set(err, -EINVAL, "'%s' is no number of milliseconds", arg);
	return 0;
}

static int take_calls(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	*(signed char *)field = negated ? -1 : 1;
	return 0;
}

static int take_faults(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	unsigned *faults = field;

	if (strcmp(arg, "all") == 0)
		*faults = TRACE_FAULTS_MAJOR | TRACE_FAULTS_MINOR;
	else if (strcmp(arg, "maj") == 0)
		*faults = TRACE_FAULTS_MAJOR;
	else if (strcmp(arg, "min") == 0)
		*faults = TRACE_FAULTS_MINOR;
	else
		return err_set(err, -EINVAL, "-F takes all, maj or min, and not '%s'", arg);
	return 0;
}

static int take_ignored(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return target_ids(arg, "process or thread", field, err);
}

static int take_mode(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	enum call_summary_mode *mode = field;

	if (strcmp(arg, "thread") == 0)
		*mode = CALL_SUMMARY_THREAD;
	else if (strcmp(arg, "total") == 0)
		*mode = CALL_SUMMARY_TOTAL;
	else
		return err_set(err, -EINVAL, "a summary is of each thread, or total, and not '%s'",
			       arg);
	return 0;
}

static int take_stacks(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct trace_config *c = field;

	c->shows_stacks = !negated;
	return record_options_call_graph(&c->record, arg, negated, err);
}

const struct opt trace_options[] = {
	{ OPT_GROUP, .help = "What is watched (default: the command, or all that runs)" },
	RECORD_OPTIONS_TARGET,
	{ OPT_CALL, 'G', "cgroup", "NAME", FIELD(record.events),
	  "What runs in a control group, as /proc/PID/cgroup names it", record_options_cgroups,
	  OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "no-inherit", NULL, FIELD(record.attrs.no_inherit),
	  "Not what the target starts", .key = "trace.no_inherit" },

	{ OPT_GROUP, .help = "Which calls and events" },
	{ OPT_CALL, 'e', "event", "CALL,...", 0,
	  "These system calls: names, patterns, groups (file, desc, network, memory, process, "
	  "signal, ipc); with ! before the list all others; events as in record beside them",
	  take_events, OPT_NO_NEGATE, .alias = "expr" },
	{ OPT_CALL, '\0', "syscalls", NULL, FIELD(calls),
	  "System calls also where -e names other events alone; --no-syscalls: none", take_calls },
	{ OPT_CALL, 'F', "pf", "KIND", FIELD(faults), "Page faults: all, maj or min", take_faults,
	  OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "filter", "FILTER", FIELD(record.events),
	  "Only where the tracepoints of the last -e have fields so: 'prev_prio < 120'",
	  record_options_filter, OPT_NO_NEGATE },
	{ OPT_CALL, '\0', "duration", "MS", FIELD(duration_ms), "Only calls that took longer",
	  take_duration, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "failure", NULL, FIELD(failure), "Only calls that failed" },
	{ OPT_U64, '\0', "max-events", "N", FIELD(max_events), "End after N lines" },
	{ OPT_CALL, '\0', "filter-pids", "PID,...", FIELD(ignored),
	  "Nothing of these processes, or threads; of strobe itself there is never anything",
	  take_ignored, OPT_NO_NEGATE },

	{ OPT_GROUP, .help = "When" },
	{ OPT_CALL, 'D', "delay", "MS", FIELD(record.recording.schedule),
	  "Begin after so many milliseconds; in ranges, as in 10-20,30-40; -1: never",
	  record_options_delay, OPT_NO_NEGATE },
	{ OPT_STR, '\0', "switch-on", "EVENT", FIELD(onoff.on),
	  "Nothing before EVENT happens, nor after one of --switch-off until it happens again" },
	{ OPT_STR, '\0', "switch-off", "EVENT", FIELD(onoff.off),
	  "Nothing after EVENT has happened, until one of --switch-on" },
	{ OPT_FLAG, '\0', "show-on-off-events", NULL, FIELD(onoff.show),
	  "Show the events that switch on and off, too" },

	{ OPT_GROUP, .help = "Call chains" },
	{ OPT_CALL, '\0', "call-graph", "HOW[,SIZE]", 0,
	  "Show call chains below calls and events: fp, lbr, or dwarf with SIZE bytes of stack",
	  take_stacks },
	{ OPT_FLAG, '\0', "kernel-syscall-graph", NULL, FIELD(kernel_stacks),
	  "The kernel's part of system calls' chains, too" },
	{ OPT_UINT, '\0', "max-stack", "N", FIELD(max_stack), "At most N frames (default: 127)" },
	{ OPT_UINT, '\0', "min-stack", "N", FIELD(min_stack), "Only what has N frames at least" },

	{ OPT_GROUP, .help = "Sums" },
	{ OPT_FLAG, 's', "summary", NULL, FIELD(summary_only),
	  "No lines, but how often calls were made, failed, and how long they took" },
	{ OPT_FLAG, 'S', "with-summary", NULL, FIELD(with_summary), "Lines, and that behind them" },
	{ OPT_CALL, '\0', "summary-mode", "MODE", FIELD(summary_mode),
	  "Of each thread (the default), or total", take_mode, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "errno-summary", NULL, FIELD(errno_summary),
	  "Which errors each call had" },
	{ OPT_UINT, '\0', "max-summary", "N", FIELD(max_summary), "At most N calls each" },
	{ OPT_FLAG, '\0', "sched", NULL, FIELD(sched),
	  "How long threads ran, by the scheduler's tracepoint" },

	{ OPT_GROUP, .help = "A recording" },
	{ OPT_STR, 'i', "input", "FILE", FIELD(input),
	  "What a recording has, '-' for standard input, and not what happens now" },
	{ OPT_FLAG, 'f', "force", NULL, FIELD(force), "Use perf maps of other users, too" },

	{ OPT_GROUP, .help = "How it is shown" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(output),
	  "Write to FILE (default: standard error; with record: perf.data)" },
	OUTPUT_FORMAT_OPTION(FIELD(format)),
	{ OPT_FLAG, 'T', "time", NULL, FIELD(text.full_time),
	  "The clock's time, and not that since the first line" },
	{ OPT_FLAG, '\0', "sort-events", NULL, FIELD(sort_events), "In order of time (always so)" },
	{ OPT_FLAG, '\0', "show-cpu", NULL, FIELD(text.show_cpu), "The CPU" },
	{ OPT_FLAG, '\0', "comm", NULL, FIELD(text.show_comm),
	  "The thread's name before its number (the default)" },
	{ OPT_FLAG, .help = "The time at which a call began", .at = FIELD(text.show_time),
	  .key = "trace.show_timestamp" },
	{ OPT_FLAG, .help = "How long it took", .at = FIELD(text.show_duration),
	  .key = "trace.show_duration" },
	{ OPT_FLAG, .help = "Arguments with their names", .at = FIELD(text.show_names),
	  .key = "trace.show_arg_names" },
	{ OPT_FLAG, .help = "Arguments that are 0, too", .at = FIELD(text.show_zeros),
	  .key = "trace.show_zeros" },
	{ OPT_FLAG, .help = "Names of values in full: O_RDONLY, and not RDONLY",
	  .at = FIELD(text.show_prefix), .key = "trace.show_prefix" },
	{ OPT_UINT, .arg = "COLUMN", .help = "Where results stand, from a call's beginning",
	  .at = FIELD(text.alignment), .max = 1000, .key = "trace.args_alignment" },
	{ OPT_UINT, '\0', "string-limit", "N", FIELD(string_limit),
	  "At most N bytes of buffers and texts (default: 32); paths are always whole",
	  .max = 4095 },
	{ OPT_CALL, 'm', "mmap-pages", "SIZE", FIELD(record.recording.ring_size),
	  "Size of the ring: pages, or bytes with B, K, M or G (default: 32M)",
	  record_options_ring_size, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "no-bpf", NULL, FIELD(no_bpf),
	  "Without BPF: by tracepoints alone, which are slower and tell less" },
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(record.verbose), "Say more" },

	{ OPT_ABSENT, .name = "bpf-summary",
	  .help = "strobe adds calls up itself, of all that they are told by",
	  .instead = "-s, perhaps with --summary-mode" },
	{ OPT_ABSENT, .name = "force-btf",
	  .help = "strobe has one way to show a value, by its own tables",
	  .instead = "--format json shows all values" },
	{ OPT_ABSENT, .name = "libtraceevent_print",
	  .help = "strobe has its own reader of tracepoints' formats",
	  .instead = "strobe script prints events by these formats" },
	{ OPT_ABSENT, .name = "map-dump", .help = "strobe shows no BPF maps",
	  .instead = "bpftool map dump" },
	{ OPT_ABSENT, .name = "print-sample", .help = NO_RECORDS, .instead = RECORDS },
	{ OPT_ABSENT, .name = "proc-map-timeout",
	  .help = "strobe reads maps without a limit of time" },
	{ OPT_ABSENT, .name = "tool_stats", .help = NO_RECORDS, .instead = RECORDS },
	{ .kind = OPT_END },
};
