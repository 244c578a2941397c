/* profile.c - see profile.h. */
#include "analyze/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/carried-names.h"
#include "analyze/deferred.h"
#include "analyze/pass.h"
#include "analyze/stack-verdicts.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/strings.h"
#include "data/buildids.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/record.h"
#include "data/sample.h"
#include "model/parallelism.h"
#include "model/timeline.h"
#include "symbol/carried.h"
#include "symbol/jit-dumps.h"
#include "symbol/resolve.h"
#include "unwind/stack-shares.h"

struct profile {
	const struct datafile *file;
	struct timeline *timeline;
	struct carried *carried;         /* may be NULL */
	bool without_carried;            /* who names a folder wants the names from there */
	struct resolver_options sources; /* of names */
	struct jit_dumps *dumps;
	struct resolver *resolver;
	struct parallelism parallelism;
	bool has_switches;
	struct profile_totals totals;
	struct deferred deferred;
	struct stack_verdicts verdicts;
	struct stack_shares *stack_shares;
	_Atomic uint64_t damaged_samples;
	struct {
		struct profile_slice *items;
		size_t count, capacity;
	} slices;
	pthread_mutex_t lock; /* of what is below */
	struct strings names; /* ":TID" of threads without a name */
};

static bool is_untimed(const struct sample *sample)
{
	return !(sample->has & PERF_SAMPLE_TIME) || sample->time == 0 || sample->time == UINT64_MAX;
}

/* A recording without times goes by place. Side-band without a time there was before the rest. */
static uint64_t moment_of(const struct profile *profile, const struct record *record,
			  const struct sample *sample)
{
	if (!profile->totals.has_time)
		return record->offset;
	return is_untimed(sample) ? 0 : sample->time;
}

static bool events_have_switches(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		if (events_at(events, i)->attr.context_switch)
			return true;
	}
	return false;
}

static void look_back(struct profile *profile)
{
	uint64_t later_ns = UINT64_MAX;

	for (size_t i = profile->slices.count; i-- > 0;) {
		struct profile_slice *slice = &profile->slices.items[i];

		slice->later_ns = later_ns;
		if (slice->lowest_ns < later_ns)
			later_ns = slice->lowest_ns;
	}
}

static void count_lost(struct profile_totals *totals, const struct record *record)
{
	const struct perf_event_header *header = record->header;
	const struct record_lost *lost = (const void *)header;
	const struct record_lost_samples *samples = (const void *)header;

	if (header->type == PERF_RECORD_LOST && record_fits(header, sizeof(*lost)))
		totals->lost_count += lost->lost;
	if (header->type == PERF_RECORD_LOST_SAMPLES && record_fits(header, sizeof(*samples)))
		totals->lost_samples += samples->lost;
}

static void take_side_band(struct profile *profile, const struct record *record,
			   struct profile_slice *slice)
{
	const struct event_desc *event;
	struct sample trailer;
	int r = events_decode(datafile_events(profile->file), record, &event, &trailer);

	if (r < 0)
		trailer = (struct sample){ .pid = UINT32_MAX, .tid = UINT32_MAX };
	profile->totals.damaged_count += r < 0 && r != -ENOENT;
	count_lost(&profile->totals, record);
	if (profile->has_switches)
		parallelism_add(&profile->parallelism, record,
				moment_of(profile, record, &trailer));
	if (timeline_add(profile->timeline, record, moment_of(profile, record, &trailer)) ==
	    -EBADMSG)
		profile->totals.damaged_count++;
	if (record->header->type == RECORD_CALLCHAIN_DEFERRED &&
	    deferred_add(&profile->deferred, record, &trailer) < 0)
		profile->totals.damaged_count++;
	if (!is_untimed(&trailer))
		pass_widen(slice, trailer.time);
}

static void take_build_ids(struct profile *profile, const void *bytes, size_t size)
{
	struct buildids_walk walk =
		buildids_begin(bytes, size, datafile_header(profile->file)->foreign);
	struct buildids_entry entry;

	while (buildids_next(&walk, &entry))
		timeline_add_build_id(profile->timeline, entry.name,
				      (entry.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
					      PERF_RECORD_MISC_KERNEL,
				      entry.id, entry.id_size);
}

/* What a record of a younger kernel holds is not known; datafile counts it. */
static bool is_of_kernel(uint32_t type)
{
	return type < RECORD_HEADER_ATTR && record_type_name(type);
}

void profile_add(struct profile *profile, const struct record *record, struct profile_slice *slice)
{
	if (record->header->type == PERF_RECORD_SAMPLE)
		pass_sample(profile->file, record, &profile->totals, slice);
	else if (is_of_kernel(record->header->type))
		take_side_band(profile, record, slice);
	else if (record->header->type == RECORD_HEADER_BUILD_ID)
		take_build_ids(profile, record->header, record->header->size);
	else if (stack_verdicts_add(&profile->verdicts, record,
				    datafile_header(profile->file)->foreign) == -EBADMSG)
		profile->totals.damaged_count++;
}

/* What waited until all before it had passed. */
static void pass_others(struct profile *profile, struct profile_slice *slice)
{
	struct datafile_cursor cursor = { profile->file, slice->begin };
	struct record record;

	while (cursor.offset < slice->end && datafile_next(&cursor, &record)) {
		if (record.header->type != PERF_RECORD_SAMPLE)
			profile_add(profile, &record, slice);
	}
}

struct passing {
	const struct datafile *file;
	struct pass *passes; /* of stretches */
};

static void pass_one(void *context, size_t job, size_t thread)
{
	const struct passing *passing = context;

	pass_stretch(passing->file, datafile_stretch(passing->file, job),
		     datafile_stretch(passing->file, job + 1), &passing->passes[job]);
}

static void first_pass(struct profile *profile)
{
	size_t count = datafile_stretch_count(profile->file), size;
	struct passing passing = { profile->file, xaligned(MEM_APART, count, sizeof(struct pass)) };
	const void *build_ids;

	pool_run(pool_threads(), count, pass_one, &passing);
	for (size_t i = 0; i < count; i++) {
		struct pass *pass = &passing.passes[i];

		pass_add_totals(&profile->totals, &pass->totals);
		for (size_t k = 0; k < pass->slices.count; k++) {
			grow(&profile->slices);
			profile->slices.items[profile->slices.count] = pass->slices.items[k];
			if (pass->slices.items[k].has_others)
				pass_others(profile, &profile->slices.items[profile->slices.count]);
			profile->slices.count++;
		}
		pass_done(pass);
	}
	free(passing.passes);
	look_back(profile);
	build_ids = datafile_feature(profile->file, FEATURE_BUILD_ID, &size);
	if (build_ids)
		take_build_ids(profile, build_ids, size);
	jit_dumps_update(profile->dumps, profile->timeline);
	timeline_settle(profile->timeline);
	parallelism_settle(&profile->parallelism);
}

struct profile *profile_new_empty(const struct datafile *file,
				  const struct resolver_options *options)
{
	struct profile *profile = xnew(struct profile);

	pthread_mutex_init(&profile->lock, NULL);
	profile->file = file;
	profile->stack_shares = stack_shares_new();
	profile->timeline = timeline_new();
	pass_begin_totals(&profile->totals);
	profile->totals.has_time = events_have_time(datafile_events(file));
	profile->has_switches = events_have_switches(datafile_events(file));
	profile->without_carried = options->symfs != NULL;
	if (!profile->without_carried)
		profile->carried = carried_names_load(file);
	profile->sources = *options;
	profile->sources.carried = profile->carried;
	profile->dumps =
		jit_dumps_new(&profile->sources, events_are_monotonic(datafile_events(file)));
	profile->sources.dumps = profile->dumps;
	profile->resolver = resolver_new(&profile->sources, profile->timeline);
	return profile;
}

int profile_new(const struct datafile *file, const struct resolver_options *options,
		struct profile **ret_profile, struct strobe_err *err)
{
	*ret_profile = profile_new_empty(file, options);
	first_pass(*ret_profile);
	return 0;
}

void profile_use_names(struct profile *profile, const void *bytes, size_t size)
{
	struct carried *carried;

	if (profile->without_carried)
		return;
	carried = carried_names_parse(bytes, size, datafile_header(profile->file)->foreign);
	resolver_carry(profile->resolver, carried);
	carried_free(profile->carried);
	profile->carried = carried;
}

void profile_keep(struct profile *profile)
{
	profile->deferred.copies = true;
}

size_t profile_settle(struct profile *profile, uint64_t until)
{
	parallelism_settle_until(&profile->parallelism, until);
	jit_dumps_update(profile->dumps, profile->timeline);
	resolver_refresh(profile->resolver, until == UINT64_MAX);
	return timeline_settle_until(profile->timeline, until);
}

void profile_forget_records(struct profile *profile, uint64_t before)
{
	parallelism_forget(&profile->parallelism, before);
	deferred_forget(&profile->deferred, before);
	stack_verdicts_forget(&profile->verdicts, before);
}

void profile_forget(struct profile *profile, uint64_t gone_before, struct hash *dsos)
{
	timeline_forget(profile->timeline, gone_before, dsos);
	jit_dumps_forget(profile->dumps, profile->timeline);
	resolver_forget(profile->resolver, dsos);
	strings_done(&profile->names);
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	resolver_free(profile->resolver);
	carried_free(profile->carried);
	jit_dumps_free(profile->dumps);
	timeline_free(profile->timeline);
	parallelism_done(&profile->parallelism);
	free(profile->slices.items);
	deferred_done(&profile->deferred);
	stack_verdicts_done(&profile->verdicts);
	stack_shares_free(profile->stack_shares);
	strings_done(&profile->names);
	pthread_mutex_destroy(&profile->lock);
	free(profile);
}

const struct datafile *profile_file(const struct profile *profile)
{
	return profile->file;
}

const struct timeline *profile_timeline(const struct profile *profile)
{
	return profile->timeline;
}

const struct jit_dumps *profile_jit_dumps(const struct profile *profile)
{
	return profile->dumps;
}

struct resolver *profile_resolver(const struct profile *profile)
{
	return profile->resolver;
}

const struct stack_sum *profile_told_stacks(const struct profile *profile)
{
	return &profile->verdicts.sum;
}

struct stack_shares *profile_stack_shares(struct profile *profile)
{
	return profile->stack_shares;
}

const struct parallelism *profile_parallelism(const struct profile *profile)
{
	return profile->has_switches ? &profile->parallelism : NULL;
}

uint64_t profile_moment(const struct profile *profile, const struct record *record,
			const struct sample *trailer)
{
	return moment_of(profile, record, trailer);
}

const struct profile_totals *profile_totals(const struct profile *profile)
{
	return &profile->totals;
}

uint64_t profile_damaged_samples(const struct profile *profile)
{
	return atomic_load_explicit(&profile->damaged_samples, memory_order_relaxed);
}

size_t profile_slice_count(const struct profile *profile)
{
	return profile->slices.count;
}

const struct profile_slice *profile_slice(const struct profile *profile, size_t i)
{
	return &profile->slices.items[i];
}

static const char *make_name(struct profile *profile, uint32_t tid)
{
	const char *comm;
	char name[16];

	(void)snprintf(name, sizeof(name), ":%" PRId32, (int32_t)tid);
	pthread_mutex_lock(&profile->lock);
	comm = strings_keep(&profile->names, name);
	pthread_mutex_unlock(&profile->lock);
	return comm;
}

static const char idle_name[] = "swapper";

static bool is_idle(uint32_t pid, uint32_t tid)
{
	return pid == 0 && tid == 0;
}

static void set_name(struct profile *profile, struct profile_sample *ret_sample)
{
	const struct sample *sample = &ret_sample->sample;

	ret_sample->unnamed = false;
	if (is_idle(sample->pid, sample->tid)) {
		ret_sample->comm = idle_name;
		return;
	}
	ret_sample->comm = timeline_comm(profile->timeline, sample->tid, ret_sample->moment);
	ret_sample->unnamed = !ret_sample->comm;
	if (ret_sample->unnamed)
		ret_sample->comm = make_name(profile, sample->tid);
}

static bool narrow(struct profile_span *span, struct timeline_epoch epoch)
{
	if (span->from < epoch.from)
		span->from = epoch.from;
	if (span->until > epoch.until)
		span->until = epoch.until;
	return epoch.from != epoch.until;
}

bool profile_span(const struct profile *profile, uint32_t pid, uint32_t tid, uint64_t moment,
		  struct profile_span *ret_span)
{
	const struct timeline *timeline = profile->timeline;
	struct timeline_epoch user = timeline_epoch(timeline, pid, PERF_RECORD_MISC_USER, moment);
	struct timeline_epoch kernel =
		timeline_epoch(timeline, pid, PERF_RECORD_MISC_KERNEL, moment);
	struct profile_span span = { idle_name, user.id, kernel.id, 0, UINT64_MAX };

	if (!is_idle(pid, tid))
		span.comm = timeline_comm_span(timeline, tid, moment, &span.from, &span.until);
	if (!span.comm || !narrow(&span, user) || !narrow(&span, kernel))
		return false;
	*ret_span = span;
	return true;
}

static void set_deferred(const struct profile *profile, struct profile_sample *ret_sample)
{
	const struct sample *sample = &ret_sample->sample;
	size_t count = sample->callchain_count;

	ret_sample->deferred = NULL;
	ret_sample->deferred_count = 0;
	if (count >= 2 && sample->callchain[count - 2] == RECORD_CONTEXT_USER_DEFERRED)
		ret_sample->deferred =
			deferred_find(&profile->deferred, sample->tid, sample->callchain[count - 1],
				      &ret_sample->deferred_count);
}

int profile_decode(struct profile *profile, const struct record *record,
		   struct profile_sample *ret_sample)
{
	const struct event_desc *event;
	struct sample *sample = &ret_sample->sample;
	int r = events_decode(datafile_events(profile->file), record, &event, sample);

	if (r == -EBADMSG)
		atomic_fetch_add_explicit(&profile->damaged_samples, 1, memory_order_relaxed);
	if (r < 0)
		return r;
	ret_sample->record = record;
	ret_sample->event = event;
	ret_sample->of_reading = ret_sample->ends_reading = false;
	ret_sample->moment = moment_of(profile, record, sample);
	ret_sample->cpumode = record->header->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	set_name(profile, ret_sample);
	set_deferred(profile, ret_sample);
	ret_sample->stack_verdict =
		(uint8_t)stack_verdicts_find(&profile->verdicts, sample->tid, sample->time);
	return 0;
}
