/* trace-json.c - see trace-json.h. */
#include "view/trace-json.h"

#include <linux/perf_event.h>

#include "analyze/calls.h"
#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/profile.h"
#include "base/json.h"
#include "base/str.h"
#include "view/call-json.h"
#include "view/header-json.h"
#include "view/place-json.h"
#include "view/place-text.h"
#include "view/recording-json.h"
#include "view/tracepoint-json.h"

void trace_json_done(struct trace_json *trace)
{
	callvalues_done(&trace->values);
}

static struct json begin_line(const char *type, struct str *out)
{
	struct json json = { .out = out };

	json_begin(&json, NULL);
	json_text(&json, "type", type);
	return json;
}

static void end_line(struct json *json)
{
	json_end(json);
	str_add_char(json->out, '\n');
}

void trace_json_begin(const struct trace_json *trace, const char *const *event_names, size_t count,
		      struct str *out)
{
	struct json json = begin_line("recording", out);

	json_text(&json, "schema", "strobe.trace/1");
	header_json_recording(&json, profile_file(trace->profile), false);
	json_texts(&json, "events", event_names, count);
	end_line(&json);
}

void trace_json_end(const struct trace_json *trace, struct str *out)
{
	struct json json = begin_line("end", out);

	recording_json_losses(&json, "losses", trace->profile);
	end_line(&json);
}

static void add_thread(struct json *json, const char *comm, uint32_t pid, uint32_t tid)
{
	json_text(json, "comm", comm);
	json_i64(json, "pid", (int32_t)pid);
	json_i64(json, "tid", (int32_t)tid);
}

static struct place_text_fields place_fields(const struct trace_json *trace)
{
	return (struct place_text_fields){ .symbol = true,
					   .offset = true,
					   .dso = true,
					   .dso_offset = true,
					   .resolver = profile_resolver(trace->profile) };
}

static void add_frames(struct trace_json *trace, struct json *json,
		       const struct profile_sample *sample, const struct chain *chain)
{
	struct place_text_fields fields = place_fields(trace);

	if (!chain)
		return;
	json_begin_list(json, "frames");
	for (size_t i = 0; i < chain->count; i++) {
		struct lookup_question question =
			lookup_ask(sample, chain->items[i].cpumode, chain->items[i].addr);
		struct place place;

		place = lookup_place(trace->lookup, &question);
		place_json_add(json, NULL, &place, &fields);
	}
	json_end_list(json);
}

void trace_json_call(struct trace_json *trace, const struct calls_call *call,
		     const struct chain *chain, struct str *out)
{
	struct json json = begin_line("call", out);

	add_thread(&json, call->comm, call->pid, call->tid);
	if (call->has_returned)
		json_i64(&json, "cpu", (int32_t)call->cpu);
	call_json_add(&json, call, &trace->values);
	add_frames(trace, &json, call->sample, chain);
	end_line(&json);
}

static struct json begin_sample(const char *type, const struct profile_sample *sample,
				struct str *out)
{
	struct json json = begin_line(type, out);

	add_thread(&json, sample->comm, sample->sample.pid, sample->sample.tid);
	json_i64(&json, "cpu", (int32_t)sample->sample.cpu);
	json_u64(&json, "time_ns", sample->sample.time);
	return json;
}

void trace_json_event(struct trace_json *trace, const struct profile_sample *sample,
		      const char *name, const struct tracepoint *tracepoint,
		      const struct chain *chain, struct str *out)
{
	struct json json = begin_sample("event", sample, out);

	json_text(&json, "event", name);
	if (tracepoint && sample->sample.raw)
		tracepoint_json_add(&json, "trace", tracepoint, sample->sample.raw,
				    sample->sample.raw_size);
	add_frames(trace, &json, sample, chain);
	end_line(&json);
}

void trace_json_fault(struct trace_json *trace, const struct profile_sample *sample, bool is_major,
		      const struct chain *chain, struct str *out)
{
	const struct sample *s = &sample->sample;
	struct place_text_fields fields = place_fields(trace);
	struct place code = lookup_here(trace->profile, sample, sample->cpumode, s->ip);
	struct place data = lookup_here(trace->profile, sample, PERF_RECORD_MISC_USER, s->addr);
	struct json json = begin_sample("fault", sample, out);

	json_bool(&json, "major", is_major);
	place_json_add(&json, "code", &code, &fields);
	place_json_add(&json, "addr", &data, &fields);
	add_frames(trace, &json, sample, chain);
	end_line(&json);
}

void trace_json_lost(uint64_t count, uint64_t first_ns, uint64_t last_ns, struct str *out)
{
	struct json json = begin_line("lost", out);

	json_u64(&json, "records", count);
	json_u64(&json, "first_ns", first_ns);
	json_u64(&json, "last_ns", last_ns);
	end_line(&json);
}
