/* fuzz-script.c - any bytes as a recording, as script's text of all its samples and records. */
#include <linux/perf_event.h>
#include <stdlib.h>

#include "analyze/chain.h"
#include "analyze/lookup.h"
#include "analyze/replay.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/events.h"
#include "fuzz-recording.h"
#include "view/script-text.h"

/* Fields beside those that are printed by default, where an event has them. */
static const char *const FIELDS[] = {
	"+addr",           "+period",         "+cpu",    "+misc",     "+iregs",
	"+uregs",          "+brstack",        "+weight", "+ip",       "+phys_addr",
	"+data_page_size", "+code_page_size", "+cgroup", "+data_src",
};

struct printing {
	struct script_text text;
	struct script_text_worker worker;
	struct lookup lookup;
	struct chain chain;
	struct lookup_question links[64];
	struct str out;
};

static int print_sample(void *context, const struct profile_sample *sample)
{
	struct printing *printing = context;
	const struct place place = { .addr = sample->sample.ip };
	struct script_text_where where = { .lookup = &printing->lookup, .place = &place };

	if (sample->sample.has & PERF_SAMPLE_CALLCHAIN) {
		chain_read(sample, 63, &printing->chain);
		where.chain = printing->links;
		for (; where.count < printing->chain.count && where.count < 64; where.count++)
			printing->links[where.count] =
				lookup_ask(sample, printing->chain.items[where.count].cpumode,
					   printing->chain.items[where.count].addr);
	}
	script_text_sample(&printing->text, &printing->worker, sample, &where, &printing->out);
	str_clear(&printing->out);
	return 0;
}

static int print_record(void *context, const struct record *record, const struct sample *trailer,
			const struct event_desc *event)
{
	struct printing *printing = context;

	script_text_record(&printing->text, &printing->worker, record, trailer, event,
			   profile_moment(printing->text.profile, record, trailer), &printing->out);
	str_clear(&printing->out);
	return 0;
}

static void print_all(struct profile *profile, const struct tracepoint_set *tracepoints,
		      const struct script_fields *fields, size_t event_count)
{
	const char **names = xcalloc(event_count + 1, sizeof(*names));
	struct printing printing = { .text = { .profile = profile,
					       .fields = fields,
					       .frames = { .resolver = profile_resolver(profile) },
					       .event_names = names,
					       .nanoseconds = true,
					       .arch = "x86_64",
					       .tracepoints = tracepoints } };

	for (size_t i = 0; i < event_count; i++)
		names[i] = "event";
	lookup_init(&printing.lookup, profile, NULL, true);
	script_text_init(&printing.worker, &printing.text);
	(void)replay_all(profile, print_sample, print_record, &printing);
	script_text_done(&printing.worker);
	lookup_done(&printing.lookup);
	free(printing.chain.items);
	str_done(&printing.out);
	free(names);
}

/* As many fields as the recording bears; false if not even the default ones. */
static bool choose_fields(const struct events *events, struct script_fields *ret_fields)
{
	size_t count = events_count(events);
	const struct event_desc **all = xcalloc(count + 1, sizeof(*all));
	struct script_fields fields = script_fields_default(), more;
	bool good;

	for (size_t i = 0; i < count; i++)
		all[i] = events_at(events, i);
	for (size_t i = 0; i < sizeof(FIELDS) / sizeof(FIELDS[0]); i++) {
		more = fields;
		if (script_fields_parse(&more, FIELDS[i], NULL, NULL) < 0)
			continue;
		*ret_fields = more;
		if (script_fields_fit(&more, all, count, true, NULL) == 0)
			fields = *ret_fields;
	}
	good = script_fields_fit(&fields, all, count, true, NULL) == 0;
	*ret_fields = fields;
	free(all);
	return good;
}

static void print_chosen(struct profile *profile, const struct tracepoint_set *tracepoints)
{
	const struct events *events = datafile_events(profile_file(profile));
	struct script_fields fields;

	if (choose_fields(events, &fields))
		print_all(profile, tracepoints, &fields, events_count(events));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_recording(bytes, size, print_chosen);
	return 0;
}
