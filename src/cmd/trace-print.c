/* trace-print.c - see trace-print.h. */
#include "cmd/trace-print.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "analyze/calls.h"
#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "analyze/user-stack.h"
#include "base/err.h"
#include "cmd/terminal.h"
#include "cmd/trace-options.h"
#include "cmd/trace-session.h"
#include "view/call-summary-json.h"
#include "view/call-summary-text.h"
#include "view/call-text.h"
#include "view/trace-event-text.h"

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
	note_failure(print, !terminal_write(print->file, &print->out));
	note_failure(print, fflush(print->file) != 0);
	str_clear(&print->out);
}

static bool is_json(const struct trace_print *print)
{
	return print->config->format == OUTPUT_FORMAT_JSON;
}

static void say_lost(struct trace_print *print)
{
	if (print->lost_count == 0)
		return;
	if (is_json(print))
		trace_json_lost(print->lost_count, print->lost_first_ns, print->lost_last_ns,
				&print->out);
	else
		call_text_lost(&print->config->text, print->lost_count, print->lost_first_ns,
			       print->lost_last_ns, &print->out);
	print->lost_count = 0;
}

int trace_print_close(struct trace_print *print, struct strobe_err *err)
{
	if (!print->file)
		return 0;
	trace_print_flush(print);
	str_done(&print->out);
	trace_json_done(&print->json);
	errno = 0;
	note_failure(print, print->owns_file && fclose(print->file) != 0);
	print->file = NULL;
	/* A reader who has gone has seen what there was to be seen. */
	if (!print->failure || print->failure == EPIPE)
		return 0;
	return err_set(err, -print->failure, "cannot write all lines: %s",
		       strerror(print->failure));
}

void trace_print_begin(struct trace_print *print, struct trace_session *session,
		       const char *const *event_names, size_t event_count)
{
	print->session = session;
	print->json.profile = session->profile;
	print->json.lookup = &session->lookup;
	if (is_json(print))
		trace_json_begin(&print->json, event_names, event_count, &print->out);
}

void trace_print_end(struct trace_print *print)
{
	say_lost(print);
	if (is_json(print))
		trace_json_end(&print->json, &print->out);
	trace_print_flush(print);
}

bool trace_print_is_done(const struct trace_print *print)
{
	uint64_t most = print->config->max_events;

	return print->failure || (most && print->line_count >= most);
}

void trace_print_lost(struct trace_print *print, uint64_t count, uint64_t first_ns,
		      uint64_t last_ns)
{
	if (print->lost_count == 0)
		print->lost_first_ns = first_ns;
	print->lost_last_ns = last_ns;
	print->lost_count += count;
}

/* A line was added. */
static int count_line(struct trace_print *print)
{
	print->line_count++;
	if (print->out.size >= WRITE_SIZE)
		trace_print_flush(print);
	return trace_print_is_done(print);
}

/* Call chains of BPF's are an item of the exit. */
static void add_item_chain(const struct callitems *exit, size_t most, struct chain *chain)
{
	struct callitem item;
	uint64_t addr;

	if (!callitems_find(exit, 0, CALLCOPY_STACK, &item))
		return;
	for (size_t at = 0; at + sizeof(addr) <= item.head.size && chain->count < most;
	     at += sizeof(addr)) {
		memcpy(&addr, item.bytes + at, sizeof(addr));
		grow(chain);
		chain->items[chain->count++] =
			(struct chain_link){ .addr = addr, .cpumode = PERF_RECORD_MISC_USER };
	}
}

/* The sample's call chain, outermost last; @exit: NULL, or a call's. */
static const struct chain *read_chain(struct trace_print *print,
				      const struct profile_sample *sample,
				      const struct callitems *exit)
{
	struct trace_session *session = print->session;
	struct chain *chain = &session->chain;

	chain->count = 0;
	if (!print->config->shows_stacks)
		return chain;
	if (sample->sample.has & PERF_SAMPLE_CALLCHAIN) {
		chain_read(sample, print->config->max_stack, chain);
		(void)user_stack_add(&session->user_stack, &session->lookup, sample,
				     print->config->max_stack, chain);
	} else if (exit) {
		add_item_chain(exit, print->config->max_stack, chain);
	}
	return chain;
}

static void add_chain(struct trace_print *print, const struct profile_sample *sample,
		      const struct chain *chain)
{
	struct lookup *lookup = &print->session->lookup;

	for (size_t i = 0; i < chain->count; i++) {
		struct lookup_question question =
			lookup_ask(sample, chain->items[i].cpumode, chain->items[i].addr);
		struct place place;

		place = lookup_place(lookup, &question);
		trace_event_text_frame(&place, &print->out);
	}
}

/* Of JSON: whether there are frames says whether they were asked for. */
static const struct chain *shown(const struct trace_print *print, const struct chain *chain)
{
	return print->config->shows_stacks ? chain : NULL;
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

int trace_print_call(struct trace_print *print, const struct calls_call *call)
{
	const struct chain *chain = NULL;

	if (!is_wanted(print->config, call))
		return 0;
	if (trace_print_is_done(print))
		return 1;
	if (call->has_returned)
		chain = read_chain(print, call->sample, call->values.exit);
	if (print->config->min_stack && (!chain || chain->count < print->config->min_stack))
		return 0;
	say_lost(print);
	if (is_json(print)) {
		trace_json_call(&print->json, call, shown(print, chain), &print->out);
		return count_line(print);
	}
	call_text_add(&print->config->text, call, &print->out);
	if (chain)
		add_chain(print, call->sample, chain);
	return count_line(print);
}

int trace_print_event(struct trace_print *print, const struct profile_sample *sample,
		      const char *name, const struct tracepoint *tracepoint)
{
	const struct chain *chain = read_chain(print, sample, NULL);

	if (trace_print_is_done(print))
		return 1;
	if (print->config->min_stack && chain->count < print->config->min_stack)
		return 0;
	say_lost(print);
	if (is_json(print)) {
		trace_json_event(&print->json, sample, name, tracepoint, shown(print, chain),
				 &print->out);
		return count_line(print);
	}
	trace_event_text(&print->config->text, sample, name, tracepoint, &print->out);
	add_chain(print, sample, chain);
	return count_line(print);
}

int trace_print_fault(struct trace_print *print, const struct profile_sample *sample, bool is_major)
{
	const struct chain *chain = read_chain(print, sample, NULL);
	struct profile *profile = print->session->profile;
	struct place code, data;

	if (trace_print_is_done(print))
		return 1;
	say_lost(print);
	if (is_json(print)) {
		trace_json_fault(&print->json, sample, is_major, shown(print, chain), &print->out);
		return count_line(print);
	}
	code = lookup_here(profile, sample, sample->cpumode, sample->sample.ip);
	data = lookup_here(profile, sample, PERF_RECORD_MISC_USER, sample->sample.addr);
	trace_event_text_fault(&print->config->text, sample, is_major, &code, &data, &print->out);
	add_chain(print, sample, chain);
	return count_line(print);
}

void trace_print_summary(struct trace_print *print, const struct call_summary *summary)
{
	const struct trace_config *c = print->config;
	const struct call_summary_text text = {
		.mode = c->summary_mode,
		.errors = c->errno_summary,
		.runtime = c->sched,
		.has_cpu = profile_parallelism(print->session->profile) != NULL,
		.most_rows = c->max_summary,
	};

	if (is_json(print))
		call_summary_json(&text, summary, &print->out);
	else
		call_summary_text(&text, summary, &print->out);
}
