/* trace-session.c - see trace-session.h. */
#include "cmd/trace-session.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/call-summary.h"
#include "analyze/profile.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/reading.h"
#include "cmd/trace-options.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "format/callnames-more.h"
#include "format/event-name.h"
#include "format/tracepoint.h"
#include "kernel/enums.h"
#include "view/call-summary-text.h"

enum trace_role_kind {
	ROLE_ENTER,
	ROLE_EXIT,
	ROLE_MAJOR_FAULT,
	ROLE_MINOR_FAULT,
	ROLE_RUNTIME, /* sched:sched_stat_runtime, with --sched */
	ROLE_EVENT,
};

/* What an event is here. */
struct trace_role {
	enum trace_role_kind kind;
	char *name;
	const struct tracepoint *tracepoint; /* NULL: none, or its format is not known */
};

int trace_session_open(struct trace_session *session, struct trace_config *config,
		       struct strobe_err *err)
{
	*session = (struct trace_session){ .config = config };
	return trace_print_open(&session->print, config, err);
}

/* Their values are for ever, so that the running kernel's do for recordings of others, too. */
static void each_enumerator(void *context, const char *name,
			    void (*add)(void *add_context, const char *name, uint64_t value),
			    void *add_context)
{
	struct trace_session *session = context;

	if (!session->enums)
		(void)enums_open(NULL, &session->enums);
	if (session->enums)
		(void)enums_each(session->enums, name, add, add_context);
}

static int take_call(void *context, const struct calls_call *call)
{
	struct trace_session *session = context;
	const struct trace_config *c = session->config;

	if (session->onoff.is_off || !callchoice_wants(&c->choice, call->values.abi, call->number))
		return 0;
	if (session->summary && call->has_returned)
		call_summary_add(session->summary, call->tid, call->comm, call);
	if (c->summary_only)
		return 0;
	return trace_print_call(&session->print, call);
}

/* Where nothing is shown, no call is shown as one that goes on, either. */
static void heed_switch(struct trace_session *session)
{
	calls_only_whole(session->calls, session->only_whole || session->onoff.is_off);
}

static enum trace_role_kind kind_of(const struct trace_config *c, const struct event_desc *event,
				    const char *name)
{
	switch (calls_event_of(name)) {
	case CALLS_ENTER:
		return ROLE_ENTER;
	case CALLS_EXIT:
		return ROLE_EXIT;
	case CALLS_OTHER:
		break;
	}
	if (event->attr.type == PERF_TYPE_SOFTWARE && event->attr.sample_type & PERF_SAMPLE_ADDR) {
		if (event->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ)
			return ROLE_MAJOR_FAULT;
		if (event->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN)
			return ROLE_MINOR_FAULT;
	}
	if (c->sched && strcmp(name, "sched:sched_stat_runtime") == 0)
		return ROLE_RUNTIME;
	return ROLE_EVENT;
}

/* As the recording calls it, or as the format of its number does. */
static void find_role(const struct trace_session *session, const struct event_desc *event,
		      struct trace_role *role)
{
	struct str name = { 0 };

	if (session->tracepoints && event->attr.type == PERF_TYPE_TRACEPOINT)
		role->tracepoint = tracepoint_set_find(session->tracepoints, event->attr.config);
	if (!event->name && role->tracepoint)
		str_addf(&name, "%s:%s", tracepoint_system(role->tracepoint),
			 tracepoint_name(role->tracepoint));
	else
		event_name_add_desc(&name, event);
	role->name = str_take(&name);
	role->kind = kind_of(session->config, event, role->name);
}

int trace_session_begin(struct trace_session *session, struct profile *profile, const char *machine,
			struct strobe_err *err)
{
	const struct trace_config *c = session->config;
	const struct datafile *file = profile_file(profile);
	const struct events *events = datafile_events(file);
	_cleanup_(freep) const char **names = NULL;
	size_t count = events_count(events);
	int r;
	struct calls_options calls = {
		.each = take_call,
		.context = session,
		.machine = machine,
		.foreign = datafile_header(file)->foreign,
	};

	session->more = callnames_more_new(&(struct callnames_source){ each_enumerator, session });
	calls.more = session->more;
	session->only_whole = c->failure || c->duration_ms > 0 || c->summary_only || c->min_stack ||
			      c->format == OUTPUT_FORMAT_JSON;
	session->profile = profile;
	session->tracepoints = reading_tracepoints(file);
	session->roles = xcalloc(count + 1, sizeof(*session->roles));
	names = xcalloc(count + 1, sizeof(*names));
	for (size_t i = 0; i < count; i++) {
		find_role(session, events_at(events, i), &session->roles[i]);
		names[i] = session->roles[i].name;
	}
	session->user_stack.arch = machine;
	lookup_init(&session->lookup, profile, NULL, true);
	if (c->summary_only || c->with_summary)
		session->summary = call_summary_new(c->summary_mode);
	session->calls = calls_new(&calls);
	trace_print_begin(&session->print, session, names, count);
	r = onoff_switch(profile, &c->onoff, &session->onoff, err);
	heed_switch(session);
	return r;
}

static int show_event(struct trace_session *session, const struct profile_sample *sample,
		      const struct trace_role *role)
{
	int r = calls_interrupt(session->calls);

	if (r != 0)
		return r;
	if (role->kind == ROLE_EVENT)
		return trace_print_event(&session->print, sample, role->name, role->tracepoint);
	return trace_print_fault(&session->print, sample, role->kind == ROLE_MAJOR_FAULT);
}

static void add_runtime(struct trace_session *session, const struct profile_sample *sample,
			const struct trace_role *role)
{
	const struct tracepoint_field *field =
		role->tracepoint ? tracepoint_field_find(role->tracepoint, "runtime") : NULL;
	uint64_t runtime;

	if (session->summary && field &&
	    tracepoint_field_number(field, sample->sample.raw, sample->sample.raw_size, &runtime))
		call_summary_runtime(session->summary, sample->sample.tid, sample->comm, runtime);
}

/* Of what is left out BPF tells nothing; of other events, and of recordings, it is left out here.
 */
static bool is_ignored(const struct proc_ids *ignored, const struct sample *sample)
{
	for (size_t i = 0; i < ignored->count; i++)
		if ((uint32_t)ignored->items[i] == sample->pid ||
		    (uint32_t)ignored->items[i] == sample->tid)
			return true;
	return false;
}

/* What an event switches, and whether it counts itself. */
static int switch_by(struct trace_session *session, const struct event_desc *event,
		     bool *ret_counts)
{
	bool was_off = session->onoff.is_off;
	int r = 0;

	if (!was_off && event == session->onoff.off)
		r = calls_interrupt(session->calls);
	*ret_counts = event_switch_takes(&session->onoff, event);
	if (session->onoff.is_off != was_off)
		heed_switch(session);
	return r;
}

/* Calls are followed where they do not count, too: one may end where they do. */
static int take_sample(struct trace_session *session, const struct profile_sample *sample,
		       const struct trace_role *role, bool counts)
{
	if (counts && session->summary && role->kind != ROLE_RUNTIME)
		call_summary_event(session->summary, sample->sample.tid, sample->comm);
	switch (role->kind) {
	case ROLE_ENTER:
		return calls_take(session->calls, sample, CALLS_ENTER);
	case ROLE_EXIT:
		return calls_take(session->calls, sample, CALLS_EXIT);
	case ROLE_RUNTIME:
		if (counts)
			add_runtime(session, sample, role);
		return 0;
	default:
		return counts && !session->config->summary_only ? show_event(session, sample, role)
								: 0;
	}
}

int trace_session_each(void *context, const struct profile_sample *sample)
{
	struct trace_session *session = context;
	bool counts;
	int r;

	if (is_ignored(&session->config->ignored, &sample->sample))
		return 0;
	session->shows_begun = false;
	r = switch_by(session, sample->event, &counts);
	return r == 0 ? take_sample(session, sample, &session->roles[sample->event->index], counts)
		      : r;
}

static void take_switch(struct trace_session *session, const struct record *record,
			const struct sample *trailer)
{
	if (trailer->has & PERF_SAMPLE_TIME)
		calls_switch(session->calls, trailer->tid, trailer->time,
			     record->header->misc & PERF_RECORD_MISC_SWITCH_OUT);
}

static void take_loss(struct trace_session *session, const struct record *record,
		      const struct sample *trailer, const struct event_desc *event)
{
	const struct record_lost_since *loss = (const void *)record->header;
	size_t trailer_size = event ? sample_trailer_size(&event->attr) : 0;
	uint64_t first_ns = trailer->time;

	if (!record_fits(record->header, sizeof(loss->lost)))
		return;
	if (event && record_fits(record->header, sizeof(*loss) + trailer_size))
		first_ns = loss->first_ns;
	trace_print_lost(&session->print, loss->lost.lost, first_ns, trailer->time);
}

int trace_session_other(void *context, const struct record *record, const struct sample *trailer,
			const struct event_desc *event)
{
	struct trace_session *session = context;
	const struct record_task *task = (const void *)record->header;

	switch (record->header->type) {
	case PERF_RECORD_EXIT:
		if (record_fits(record->header, sizeof(*task)))
			calls_forget(session->calls, task->tid);
		break;
	case PERF_RECORD_LOST:
		take_loss(session, record, trailer, event);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		take_switch(session, record, trailer);
		break;
	}
	return 0;
}

void trace_session_changed(void *context)
{
	struct trace_session *session = context;

	lookup_forget(&session->lookup);
	user_stack_forget(&session->user_stack);
}

int trace_session_settled(void *context)
{
	struct trace_session *session = context;

	trace_print_flush(&session->print);
	return trace_print_is_done(&session->print);
}

void trace_session_forget(void *context, struct hash *dsos)
{
	struct trace_session *session = context;

	lookup_forget(&session->lookup);
	user_stack_forget(&session->user_stack);
}

int trace_session_quiet(struct trace_session *session)
{
	int r = 0;

	if (session->calls && !session->shows_begun && !session->only_whole)
		r = calls_show_begun(session->calls);
	session->shows_begun = true;
	return r;
}

void trace_session_end(struct trace_session *session)
{
	if (!session->calls)
		return;
	(void)calls_show_begun(session->calls);
	if (session->summary) {
		call_summary_sort(session->summary);
		trace_print_summary(&session->print, session->summary);
	}
	trace_print_end(&session->print);
}

int trace_session_close(struct trace_session *session, struct strobe_err *err)
{
	size_t count = session->profile
			       ? events_count(datafile_events(profile_file(session->profile)))
			       : 0;

	for (size_t i = 0; session->roles && i < count; i++)
		free(session->roles[i].name);
	free(session->roles);
	if (session->profile)
		lookup_done(&session->lookup);
	free(session->chain.items);
	user_stack_done(&session->user_stack);
	calls_free(session->calls);
	callnames_more_free(session->more);
	enums_close(session->enums);
	call_summary_free(session->summary);
	tracepoint_set_free(session->tracepoints);
	return trace_print_close(&session->print, err);
}
