/* trace-options.c - see trace-options.h. */
#include "cmd/trace-options.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define FIELD(name) offsetof(struct trace_config, name)

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

static int take_word(struct trace_config *c, const char *word, struct str *events,
		     struct strobe_err *err)
{
	if (callchoice_add(&c->choice, c->machine, word))
		return 0;
	if (c->choice.is_inverse)
		return err_set(err, -EINVAL, "there is no system call '%s'", word);
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
	if (r == 0 && events.size > 0)
		r = record_options_events(&c->record.events, str_text(&events), false, err);
	return r;
}

static int take_duration(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	double *duration = field;

	if (!str_to_double(arg, duration))
		return err_set(err, -EINVAL, "'%s' is no number of milliseconds", arg);
	return 0;
}

const struct opt trace_options[] = {
	{ OPT_GROUP, .help = "What is watched (default: the command, or all that runs)" },
	RECORD_OPTIONS_TARGET,
	{ OPT_FLAG, '\0', "no-inherit", NULL, FIELD(record.attrs.no_inherit),
	  "Not what the target starts", .key = "trace.no_inherit" },

	{ OPT_GROUP, .help = "Which calls and events" },
	{ OPT_CALL, 'e', "event", "CALL,...", 0,
	  "These system calls: names, patterns, groups (file, desc, network, memory, process, "
	  "signal, ipc); with ! before the list all others; events as in record beside them",
	  take_events, OPT_NO_NEGATE, .alias = "expr" },
	{ OPT_CALL, '\0', "duration", "MS", FIELD(duration_ms), "Only calls that took longer",
	  take_duration, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "failure", NULL, FIELD(failure), "Only calls that failed" },
	{ OPT_U64, '\0', "max-events", "N", FIELD(max_events), "End after N lines" },

	{ OPT_GROUP, .help = "How it is shown" },
	{ OPT_STR, 'o', "output", "FILE", FIELD(output),
	  "Write to FILE (default: standard error)" },
	{ OPT_FLAG, 'T', "time", NULL, FIELD(text.full_time),
	  "The clock's time, and not that since the first line" },
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
	{ OPT_COUNT, 'v', "verbose", NULL, FIELD(record.verbose), "Say more" },

	{ OPT_ABSENT, 'D', "delay", "MS" },
	{ OPT_ABSENT, 'F', "pf", "KIND" },
	{ OPT_ABSENT, 'G', "cgroup", "NAME" },
	{ OPT_ABSENT, 'S', "with-summary" },
	{ OPT_ABSENT, 'f', "force" },
	{ OPT_ABSENT, 'i', "input", "FILE" },
	{ OPT_ABSENT, 's', "summary" },
	{ OPT_ABSENT, '\0', "bpf-summary" },
	{ OPT_ABSENT, '\0', "call-graph", "HOW" },
	{ OPT_ABSENT, '\0', "errno-summary" },
	{ OPT_ABSENT, '\0', "filter", "FILTER" },
	{ OPT_ABSENT, '\0', "filter-pids", "PID,..." },
	{ OPT_ABSENT, '\0', "force-btf" },
	{ OPT_ABSENT, '\0', "kernel-syscall-graph" },
	{ OPT_ABSENT, '\0', "libtraceevent_print" },
	{ OPT_ABSENT, '\0', "max-stack", "N" },
	{ OPT_ABSENT, '\0', "max-summary", "N" },
	{ OPT_ABSENT, '\0', "min-stack", "N" },
	{ OPT_ABSENT, '\0', "print-sample" },
	{ OPT_ABSENT, '\0', "proc-map-timeout", "MS" },
	{ OPT_ABSENT, '\0', "sched" },
	{ OPT_ABSENT, '\0', "show-on-off-events" },
	{ OPT_ABSENT, '\0', "sort-events" },
	{ OPT_ABSENT, '\0', "summary-mode", "MODE" },
	{ OPT_ABSENT, '\0', "switch-off", "EVENT" },
	{ OPT_ABSENT, '\0', "switch-on", "EVENT" },
	{ OPT_ABSENT, '\0', "syscalls" },
	{ OPT_ABSENT, '\0', "tool_stats" },
	{ .kind = OPT_END },
};
