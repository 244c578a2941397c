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
#include "cmd/trace-live.h"
#include "cmd/trace-options.h"

enum { STRING_LIMIT = 32 };

/* The machine's name, and not that of a personality of 32 bits. */
static void find_machine(struct trace_config *c)
{
	struct utsname names;

	if (uname(&names) == 0)
		(void)snprintf(c->machine, sizeof(c->machine), "%s", names.machine);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct trace_config c = { .string_limit = STRING_LIMIT };
	int r;

	call_text_init(&c.text);
	find_machine(&c);
	preset_apply(trace_options, &c);
	r = opt_parse(trace_options, argc, argv, &c, err);
	if (r >= 0) {
		c.record.recording.argv = r < argc ? argv + r : NULL;
		c.text.show_details = c.record.verbose > 0;
		mem_give_back();
		r = trace_live(&c, argv, err);
	}
	call_text_done(&c.text);
	record_header_done(&c.record.header);
	schedule_done(&c.record.recording.schedule);
	eventlist_done(&c.record.events);
	return r >= 0 && c.record.ended_by ? ending_by(c.record.ended_by) : r;
}

const struct cmd cmd_trace = {
	.name = "trace",
	.summary = "Show system calls as they happen, with their arguments",
	.usage = "[--] [COMMAND [ARGS...]]",
	.options = trace_options,
	.config_size = sizeof(struct trace_config),
	.run = run,
};
