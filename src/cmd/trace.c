/*
 * trace.c - "strobe trace": the system calls of programs, with what they are called with.
 *
 * trace-options.c says what can be asked for, trace-live.c where it comes from, trace-print.c where
 * it goes.
 */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/ending.h"
#include "cmd/preset.h"
#include "cmd/trace-file.h"
#include "cmd/trace-live.h"
#include "cmd/trace-options.h"
#include "cmd/trace-record.h"

enum { STRING_LIMIT = 32, MAX_STACK = 127 };

/* The machine's name, and not that of a personality of 32 bits. */
static void find_machine(struct trace_config *c)
{
	struct utsname names;

	if (uname(&names) == 0)
		(void)snprintf(c->machine, sizeof(c->machine), "%s", names.machine);
}

static int trace(struct trace_config *c, const char **argv, struct strobe_err *err)
{
	if (c->is_recording && c->input) {
		err_set(err, -EINVAL, "-i reads a recording, and record makes one");
		return cmd_usage(-EINVAL);
	}
	if (c->is_recording && (c->onoff.on || c->onoff.off)) {
		err_set(err, -EINVAL,
			"what is recorded does not depend on --switch-on and --switch-off");
		err_hint(err, -EINVAL, "record the events with -e: trace -i takes both options");
		return cmd_usage(-EINVAL);
	}
	if (c->is_recording)
		return trace_record(c, argv, err);
	return c->input ? trace_file(c, err) : trace_live(c, argv, err);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct trace_config c = { .string_limit = STRING_LIMIT, .max_stack = MAX_STACK };
	int r;

	call_text_init(&c.text);
	find_machine(&c);
	preset_apply(trace_options, &c);
	if (argc > 1 && strcmp(argv[1], "record") == 0) {
		c.is_recording = true;
		argc--;
		argv++;
	}
	r = opt_parse(trace_options, argc, argv, &c, err);
	if (r >= 0) {
		c.record.recording.argv = r < argc ? argv + r : NULL;
		c.text.show_details = c.record.verbose > 0;
		mem_give_back();
		r = trace(&c, argv, err);
	}
	call_text_done(&c.text);
	proc_ids_done(&c.ignored);
	record_header_done(&c.record.header);
	schedule_done(&c.record.recording.schedule);
	eventlist_done(&c.record.events);
	return r >= 0 && c.record.ended_by ? ending_by(c.record.ended_by) : r;
}

const struct cmd cmd_trace = {
	.name = "trace",
	.summary = "Show system calls as they happen, with their arguments",
	.usage = "[record] [--] [COMMAND [ARGS...]]",
	.options = trace_options,
	.config_size = sizeof(struct trace_config),
	.run = run,
};
