/* trace-file.c - see trace-file.h. */
#include "cmd/trace-file.h"

#include <errno.h>

#include "base/err.h"
#include "cmd/reading.h"
#include "cmd/trace-options.h"
#include "cmd/trace-session.h"
#include "data/datafile.h"
#include "data/events.h"

static int replay(struct reading *reading, struct trace_session *session, struct strobe_err *err)
{
	const struct reading_handlers handlers = {
		.each = trace_session_each,
		.others = trace_session_other,
		.changed = trace_session_changed,
		.forget = trace_session_forget,
		.settled = trace_session_settled,
		.context = session,
	};
	const char *arch = reading_arch(reading->file);
	int r;

	r = trace_session_begin(session, reading->profile, *arch ? arch : session->config->machine,
				err);
	if (r == 0)
		r = reading_replay(reading, &handlers, err);
	if (r < 0)
		return r;
	trace_session_end(session);
	reading_remark_skipped(reading);
	return 0;
}

int trace_file(struct trace_config *config, struct strobe_err *err)
{
	struct reading reading = { .input = config->input,
				   .names.force = config->force,
				   .verbose = config->record.verbose };
	struct trace_session session;
	int r = trace_session_open(&session, config, err), closed;

	if (r == 0)
		r = reading_open_stream(&reading, true, err);
	if (r == -ENOENT)
		(void)err_hint(err, r, "make one with: strobe trace record COMMAND");
	if (r == 0)
		r = reading_profile(&reading, err);
	if (r == 0)
		r = replay(&reading, &session, err);
	closed = trace_session_close(&session, r < 0 ? NULL : err);
	reading_done(&reading);
	return r < 0 ? r : closed;
}
