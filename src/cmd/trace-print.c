/* trace-print.c - see trace-print.h. */
#include "cmd/trace-print.h"

#include <errno.h>
#include <string.h>

#include "analyze/calls.h"
#include "base/err.h"
#include "cmd/trace-options.h"
#include "view/call-text.h"

enum { WRITE_SIZE = 256 << 10 };

int trace_print_open(struct trace_print *print, struct trace_config *config, struct strobe_err *err)
{
	*print = (struct trace_print){ .config = config, .file = stderr };
	if (!config->output)
		return 0;
	print->file = fopen(config->output, "we");
	if (!print->file)
		return err_errno(err, "cannot write '%s'", config->output);
	print->owns_file = true;
	return 0;
}

static void note_failure(struct trace_print *print, bool failed)
{
	if (failed && !print->failure)
		print->failure = errno ? errno : EIO;
}

void trace_print_flush(struct trace_print *print)
{
	if (print->out.size == 0)
		return;
	errno = 0;
	note_failure(print,
		     fwrite(print->out.text, 1, print->out.size, print->file) != print->out.size);
	note_failure(print, fflush(print->file) != 0);
	str_clear(&print->out);
}

static void say_lost(struct trace_print *print)
{
	if (print->lost_count == 0)
		return;
	call_text_lost(&print->config->text, print->lost_count, print->lost_first_ns,
		       print->lost_last_ns, &print->out);
	print->lost_count = 0;
}

int trace_print_close(struct trace_print *print, struct strobe_err *err)
{
	if (!print->file)
		return 0;
	say_lost(print);
	trace_print_flush(print);
	str_done(&print->out);
	errno = 0;
	note_failure(print, print->owns_file && fclose(print->file) != 0);
	print->file = NULL;
	/* A reader who has gone has seen what there was to be seen. */
	if (!print->failure || print->failure == EPIPE)
		return 0;
	return err_set(err, -print->failure, "cannot write all lines: %s",
		       strerror(print->failure));
}

bool trace_print_is_done(const struct trace_print *print)
{
	uint64_t most = print->config->max_events;

	return print->failure || (most && print->line_count >= most);
}

static bool is_wanted(const struct trace_config *c, const struct calls_call *call)
{
	if (c->failure && !call->error)
		return false;
	if (c->duration_ms > 0)
		return call->start_ns && call->end_ns &&
		       (double)(call->end_ns - call->start_ns) > c->duration_ms * 1e6;
	return true;
}

void trace_print_lost(struct trace_print *print, uint64_t count, uint64_t time_ns)
{
	if (print->lost_count == 0)
		print->lost_first_ns = time_ns;
	print->lost_last_ns = time_ns;
	print->lost_count += count;
}

int trace_print_call(struct trace_print *print, const struct calls_call *call)
{
	if (!is_wanted(print->config, call))
		return 0;
	if (trace_print_is_done(print))
		return 1;
	say_lost(print);
	call_text_add(&print->config->text, call, &print->out);
	print->line_count++;
	if (print->out.size >= WRITE_SIZE)
		trace_print_flush(print);
	return trace_print_is_done(print);
}
