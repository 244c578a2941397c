/* sample-item.c - see sample-item.h. */
#include "analyze/sample-item.h"

#include <linux/perf_event.h>

#include "analyze/counting.h"
#include "analyze/fields.h"
#include "analyze/hist.h"
#include "analyze/profile.h"
#include "analyze/report.h"
#include "analyze/sortkey.h"
#include "analyze/sources.h"
#include "analyze/trace-key.h"
#include "data/events.h"
#include "data/record.h"
#include "format/tracepoint.h"
#include "model/parallelism.h"
#include "model/timeline.h"

void sample_item_done(struct sample_item *maker)
{
	strings_done(&maker->traces);
	str_done(&maker->text);
}

char sample_item_level(uint16_t cpumode)
{
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return 'k';
	case PERF_RECORD_MISC_USER:
		return '.';
	default:
		return 'H';
	}
}

static const char *trace_of(struct sample_item *maker, const struct profile_sample *sample)
{
	const struct tracepoint_set *formats = maker->plan->options->tracepoints;
	const struct tracepoint *tracepoint;

	if (!formats || sample->event->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	tracepoint = tracepoint_set_find(formats, sample->event->attr.config);
	if (!tracepoint || !sample->sample.raw)
		return NULL;
	str_clear(&maker->text);
	if (maker->plan->options->raw_traces)
		tracepoint_print_raw(tracepoint, sample->sample.raw, sample->sample.raw_size,
				     &maker->text);
	else
		tracepoint_print(tracepoint, sample->sample.raw, sample->sample.raw_size,
				 &maker->text);
	return strings_keep(&maker->traces, str_text(&maker->text));
}

/* Until a thread is told its name, it goes by the first that it will get. */
static const char *comm_of(const struct sample_item *maker, const struct profile_sample *sample)
{
	const char *first;

	if (!sample->unnamed)
		return sample->comm;
	first = timeline_first_comm(profile_timeline(maker->plan->profile), sample->sample.pid,
				    sample->sample.tid);
	return first ? first : sample->comm;
}

static const char *last_comm_of(const struct timeline *timeline, uint32_t tid,
				const struct profile_sample *sample)
{
	const char *last = tid ? timeline_last_comm(timeline, tid, sample->moment) : NULL;

	return last ? last : sample->comm;
}

struct instant sample_item_instant(const struct profile_sample *sample)
{
	return (struct instant){ sample->moment, sample->record->offset };
}

uint32_t sample_item_parallelism(const struct counting_plan *plan,
				 const struct profile_sample *sample)
{
	return plan->parallelism ? parallelism_at(plan->parallelism, sample_item_instant(sample))
				 : 0;
}

struct item sample_item_make(struct sample_item *maker, const struct profile_sample *sample)
{
	const struct timeline *timeline = profile_timeline(maker->plan->profile);
	const struct trace_keys *traced = &maker->plan->fields->traced;
	uint64_t quantum = maker->plan->options->time_quantum_ns;
	struct item item = {
		.comm = comm_of(maker, sample),
		.thread_comm = last_comm_of(timeline, sample->sample.tid, sample),
		.process_comm = last_comm_of(timeline, sample->sample.pid, sample),
		.pid = sample->sample.pid,
		.tid = sample->sample.tid,
		.cpu = sample->sample.cpu,
		.time_ns = quantum ? sample->sample.time / quantum * quantum : sample->sample.time,
		.weight = sample->sample.weight,
		.transaction = sample->sample.transaction,
		.addr = sample->sample.addr,
		.weight_2 = sample->sample.weight_2,
		.weight_3 = sample->sample.weight_3,
		.cgroup_id = sample->sample.cgroup,
		.code_page_size = sample->sample.code_page_size,
		.parallelism = sample_item_parallelism(maker->plan, sample),
		.socket = sockets_of(&maker->plan->sockets, sample->sample.cpu),
	};

	if (maker->plan->wants_namespace)
		item.cgroup_namespace =
			timeline_cgroup_namespace(timeline, sample->sample.tid, sample->moment);
	if (maker->plan->wants_trace)
		item.trace = trace_of(maker, sample);
	if (traced->count > 0 && sample->sample.raw)
		item.traced =
			trace_key_take(traced->items, traced->count, sample->event->index,
				       sample->sample.raw, sample->sample.raw_size, &maker->traces);
	if (sample->sample.cgroup != 0) {
		item.cgroup = timeline_cgroup(timeline, sample->sample.cgroup);
		if (!item.cgroup)
			item.cgroup = "unknown";
	}
	return item;
}

static struct spot with_source(const struct sample_item *maker, struct spot spot)
{
	if (maker->plan->style->sources)
		spot.source = sources_find(maker->plan->style->sources, &spot.place);
	return spot;
}

/* The mode is not recorded with a branch: it is the one that has something there. */
struct spot sample_item_branch(const struct sample_item *maker, const struct profile_sample *sample,
			       uint64_t addr)
{
	static const uint16_t modes[] = { PERF_RECORD_MISC_USER, PERF_RECORD_MISC_KERNEL };
	struct profile *profile = maker->plan->profile;
	uint32_t pid = sample->sample.pid;
	struct place place = { .addr = addr };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		const struct map *map = timeline_map(profile_timeline(profile), pid, modes[i], addr,
						     sample->moment);

		if (map) {
			place = resolver_find(profile_resolver(profile), map, addr);
			return with_source(maker, hist_spot(&place, sample_item_level(modes[i])));
		}
	}
	return with_source(maker, hist_spot(&place, 'H'));
}

struct memory_item sample_item_memory(const struct sample_item *maker,
				      const struct profile_sample *sample)
{
	struct profile *profile = maker->plan->profile;
	uint64_t addr = sample->sample.addr;
	uint32_t pid = sample->sample.pid;
	const struct map *map =
		timeline_map(profile_timeline(profile), pid, sample->cpumode, addr, sample->moment);
	struct place place = resolver_find(profile_resolver(profile), map, addr);

	return (struct memory_item){
		.spot = { .place = place,
			  .shown_addr = addr,
			  .level = sample_item_level(sample->cpumode) },
		.data_src = sample->sample.data_src,
		.phys_addr = sample->sample.phys_addr,
		.page_size = sample->sample.data_page_size,
		.user = sample->cpumode == PERF_RECORD_MISC_USER,
	};
}
