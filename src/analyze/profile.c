/*
 * profile.c - see profile.h.
 *
 * Order in pass 2. The file is a row of stretches: what lies between two FINISHED_ROUND records,
 * or some MiB where there are none. Pass 1 notes the lowest time in each, and from the end the
 * lowest time of all that follow. So after a stretch was read, everything below that time of the
 * stretches behind it is settled and goes out; only what overlaps them waits. The order is exact
 * whatever the rounds look like, and memory follows the overlap.
 *
 *   stretch   1 [---------]
 *             2       [---------]
 *             3              [--------]
 *   goes out  1:1111112:221222223:33333
 */
#include "analyze/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/readings.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/mem.h"
#include "data/buildids.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/record.h"
#include "model/timeline.h"

enum { STRETCH_SIZE = 4 * 1024 * 1024 }; /* bytes of records, where there are no rounds */

/* In enum perf_callchain_context since Linux 6.18. */
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)

struct stretch {
	uint64_t end;       /* the first offset behind it */
	uint64_t later_ns;  /* the lowest time in the stretches behind it */
	uint64_t lowest_ns; /* the lowest time in it */
};

struct stretches {
	struct stretch *items;
	size_t count, capacity;
};

struct profile {
	const struct datafile *file;
	struct timeline *timeline;
	struct resolver *resolver;
	struct profile_totals totals;
	struct stretches stretches;
	struct arena names; /* ":TID" of threads without a name */
	struct hash name_of_tid;
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

static bool events_have_time(const struct events *events)
{
	for (size_t i = 0; i < events_count(events); i++) {
		if (events_at(events, i)->attr.sample_type & PERF_SAMPLE_TIME)
			return true;
	}
	return false;
}

static void end_stretch(struct profile *profile, uint64_t end, uint64_t lowest_ns)
{
	grow(&profile->stretches);
	profile->stretches.items[profile->stretches.count++] =
		(struct stretch){ .end = end, .lowest_ns = lowest_ns };
}

static void look_back(struct profile *profile)
{
	uint64_t later_ns = UINT64_MAX;

	for (size_t i = profile->stretches.count; i-- > 0;) {
		struct stretch *stretch = &profile->stretches.items[i];

		stretch->later_ns = later_ns;
		if (stretch->lowest_ns < later_ns)
			later_ns = stretch->lowest_ns;
	}
}

static void count_sample(struct profile_totals *totals, const struct sample *sample)
{
	totals->sample_count++;
	if (is_untimed(sample))
		return;
	if (sample->time < totals->first_ns)
		totals->first_ns = sample->time;
	if (sample->time > totals->last_ns)
		totals->last_ns = sample->time;
}

static void count_lost(struct profile_totals *totals, const struct record *record)
{
	const struct perf_event_header *header = record->header;
	const struct record_lost *lost = (const void *)header;
	const struct record_lost_samples *samples = (const void *)header;

	if (header->type == PERF_RECORD_LOST && record_fits(header, sizeof(*lost))) {
		totals->lost_event_count++;
		totals->lost_count += lost->lost;
	}
	if (header->type == PERF_RECORD_LOST_SAMPLES && record_fits(header, sizeof(*samples)))
		totals->lost_samples += samples->lost;
}

/* False if it is a sample that cannot be used. */
static bool decode(struct profile_totals *totals, const struct datafile *file,
		   const struct record *record, const struct event_desc **ret_event,
		   struct sample *ret_sample)
{
	int r = events_decode(datafile_events(file), record, ret_event, ret_sample);

	if (r == 0)
		return true;
	if (r == -ENOENT && record->header->type == PERF_RECORD_SAMPLE)
		totals->unknown_id_count++;
	else if (r != -ENOENT)
		totals->damaged_count++;
	return false;
}

static void take_record(struct profile *profile, const struct record *record, uint64_t *lowest_ns)
{
	const struct event_desc *event = NULL;
	struct sample sample = { 0 };
	bool known = decode(&profile->totals, profile->file, record, &event, &sample);

	if (record->header->type == PERF_RECORD_SAMPLE) {
		if (!known)
			return;
		count_sample(&profile->totals, &sample);
	} else {
		if (!known)
			sample = (struct sample){ .pid = UINT32_MAX, .tid = UINT32_MAX };
		count_lost(&profile->totals, record);
		if (timeline_add(profile->timeline, record, &sample,
				 moment_of(profile, record, &sample)) == -EBADMSG)
			profile->totals.damaged_count++;
	}
	if (!is_untimed(&sample) && sample.time < *lowest_ns)
		*lowest_ns = sample.time;
}

static void take_build_ids(struct profile *profile, const void *bytes, size_t size)
{
	struct buildids_walk walk =
		buildids_begin(bytes, size, datafile_header(profile->file)->foreign);
	struct buildids_entry entry;

	while (buildids_next(&walk, &entry))
		timeline_set_build_id(profile->timeline, entry.name,
				      (entry.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
					      PERF_RECORD_MISC_KERNEL,
				      entry.id, entry.id_size);
}

static void first_pass(struct profile *profile)
{
	struct datafile_cursor cursor = datafile_begin(profile->file);
	uint64_t begin = cursor.offset, lowest_ns = UINT64_MAX;
	struct record record;

	const void *build_ids;
	size_t size;

	while (datafile_next(&cursor, &record)) {
		if (record.header->type < RECORD_HEADER_ATTR)
			take_record(profile, &record, &lowest_ns);
		else if (record.header->type == RECORD_HEADER_BUILD_ID)
			take_build_ids(profile, record.header, record.header->size);
		if (record.header->type == RECORD_FINISHED_ROUND ||
		    cursor.offset - begin > STRETCH_SIZE) {
			end_stretch(profile, cursor.offset, lowest_ns);
			begin = cursor.offset;
			lowest_ns = UINT64_MAX;
		}
	}
	end_stretch(profile, UINT64_MAX, lowest_ns);
	look_back(profile);
	build_ids = datafile_feature(profile->file, FEATURE_BUILD_ID, &size);
	if (build_ids)
		take_build_ids(profile, build_ids, size);
	timeline_settle(profile->timeline);
}

int profile_new(const struct datafile *file, const struct resolver_options *options,
		struct profile **ret_profile, struct strobe_err *err)
{
	struct profile *profile = xnew(struct profile);

	profile->file = file;
	profile->timeline = timeline_new();
	profile->totals.first_ns = UINT64_MAX;
	profile->totals.has_time = events_have_time(datafile_events(file));
	first_pass(profile);
	profile->resolver = resolver_new(options, profile->timeline);
	*ret_profile = profile;
	return 0;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	resolver_free(profile->resolver);
	timeline_free(profile->timeline);
	free(profile->stretches.items);
	hash_done(&profile->name_of_tid);
	arena_done(&profile->names);
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

struct resolver *profile_resolver(const struct profile *profile)
{
	return profile->resolver;
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

static const char *comm_of(struct profile *profile, const struct sample *sample, uint64_t moment)
{
	const char *comm;
	struct hash_entry *entry;
	bool is_new;

	if (sample->pid == 0 && sample->tid == 0)
		return "swapper";
	comm = timeline_comm(profile->timeline, sample->pid, sample->tid, moment);
	if (comm)
		return comm;
	entry = hash_add(&profile->name_of_tid, sample->tid, &is_new);
	if (is_new) {
		char name[16];

		(void)snprintf(name, sizeof(name), ":%" PRId32, (int32_t)sample->tid);
		entry->pointer = arena_strdup(&profile->names, name);
	}
	return entry->pointer;
}

/* Records that wait for their turn. */
struct waiting {
	uint64_t time_ns;
	struct record record;
};

struct walk {
	struct profile *profile;
	profile_each *each;
	profile_other *others;
	void *context;
	struct profile_totals ignored; /* pass 1 has counted them */
	struct readings readings;
	struct waiting *items;
	size_t count, capacity;
};

static void walk_done(struct walk *walk)
{
	readings_done(&walk->readings);
	free(walk->items);
}

static bool carries_readings(const struct sample *sample)
{
	return sample->has & PERF_SAMPLE_READ && sample->read.count > 0 &&
	       sample->read.format & PERF_FORMAT_ID;
}

/*
 * A sample of a leader that reads its group (":S") is one of each member that counted anything
 * since the last, and stands for that much.
 */
static int hand_out_readings(struct walk *walk, const struct profile_sample *whole)
{
	const struct events *events = datafile_events(walk->profile->file);
	bool by_thread = whole->event->attr.inherit && whole->sample.has & PERF_SAMPLE_TID;
	int r = 0;

	for (size_t i = 0; r == 0 && i < whole->sample.read.count; i++) {
		struct sample_read read = sample_read_at(&whole->sample, i);
		struct profile_sample part = *whole;

		part.event = events_find_id(events, read.id);
		part.sample.id = read.id;
		part.sample.period = readings_advance(
			&walk->readings, read.id, by_thread ? whole->sample.tid : 0, read.value);
		if (part.event && part.sample.period > 0)
			r = walk->each(walk->context, &part);
	}
	return r;
}

static int hand_out(struct walk *walk, const struct record *record)
{
	const struct event_desc *event = NULL;
	struct profile_sample sample = { .record = record };
	bool known = decode(&walk->ignored, walk->profile->file, record, &event, &sample.sample);

	if (record->header->type != PERF_RECORD_SAMPLE) {
		if (!known)
			sample.sample = (struct sample){ .pid = UINT32_MAX, .tid = UINT32_MAX };
		return walk->others(walk->context, record, &sample.sample, event);
	}
	if (!known)
		return 0;
	sample.event = event;
	sample.moment = moment_of(walk->profile, record, &sample.sample);
	sample.comm = comm_of(walk->profile, &sample.sample, sample.moment);
	sample.cpumode = record->header->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	if (carries_readings(&sample.sample))
		return hand_out_readings(walk, &sample);
	return walk->each(walk->context, &sample);
}

static int by_time(const void *a, const void *b)
{
	const struct waiting *left = a, *right = b;

	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	if (left->record.offset != right->record.offset)
		return left->record.offset < right->record.offset ? -1 : 1;
	return 0;
}

static bool is_sorted(const struct waiting *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (by_time(&items[i - 1], &items[i]) > 0)
			return false;
	}
	return true;
}

/* Hands out all that is settled below @later_ns, and keeps the rest. */
static int settle(struct walk *walk, uint64_t later_ns)
{
	size_t i = 0;
	int r = 0;

	if (walk->count > 1 && !is_sorted(walk->items, walk->count))
		qsort(walk->items, walk->count, sizeof(*walk->items), by_time);
	while (r == 0 && i < walk->count &&
	       (walk->items[i].time_ns < later_ns || later_ns == UINT64_MAX)) {
		r = hand_out(walk, &walk->items[i].record);
		i++;
	}
	walk->count -= i;
	if (walk->count > 0)
		memmove(walk->items, walk->items + i, walk->count * sizeof(*walk->items));
	return r;
}

static int wait_or_go(struct walk *walk, const struct record *record)
{
	const struct event_desc *event = NULL;
	struct sample sample = { 0 };

	if (record->header->type != PERF_RECORD_SAMPLE && !walk->others)
		return 0;
	if (!walk->profile->totals.has_time || record->header->type >= RECORD_HEADER_ATTR)
		return hand_out(walk, record);
	if (!decode(&walk->ignored, walk->profile->file, record, &event, &sample))
		sample.has = 0;
	if (is_untimed(&sample))
		return hand_out(walk, record);
	grow(walk);
	walk->items[walk->count++] = (struct waiting){ sample.time, *record };
	return 0;
}

int profile_walk(struct profile *profile, profile_each *each, profile_other *others, void *context)
{
	_cleanup_(walk_done) struct walk walk = {
		.profile = profile, .each = each, .others = others, .context = context
	};
	const struct stretch *stretch = profile->stretches.items;
	struct datafile_cursor cursor = datafile_begin(profile->file);
	struct record record;
	int r = 0;

	while (r == 0 && datafile_next(&cursor, &record)) {
		bool ends_round = record.header->type == RECORD_FINISHED_ROUND;

		if (!ends_round)
			r = wait_or_go(&walk, &record);
		if (r == 0 && cursor.offset >= stretch->end) {
			r = settle(&walk, stretch->later_ns);
			stretch++;
		}
		if (r == 0 && ends_round) /* behind what it lets go */
			r = wait_or_go(&walk, &record);
	}
	return r == 0 ? settle(&walk, UINT64_MAX) : r;
}

static struct place find_place(struct profile *profile, const struct profile_sample *sample,
			       uint16_t cpumode, uint64_t addr)
{
	uint32_t pid = sample->sample.pid;
	const struct map *map = timeline_map(profile->timeline, pid, cpumode, addr, sample->moment);

	return resolver_find(profile->resolver, pid, map, addr);
}

struct place profile_place(struct profile *profile, const struct profile_sample *sample)
{
	return find_place(profile, sample, sample->cpumode, sample->sample.ip);
}

/* A call chain while it is made. */
struct builder {
	struct profile *profile;
	const struct profile_sample *sample;
	struct profile_chain *chain;
	size_t max;
	uint16_t cpumode;
};

static bool is_mark(uint64_t ip)
{
	return ip >= (uint64_t)PERF_CONTEXT_MAX;
}

/* False if the mark is none that a chain can have: then the whole chain is not to be trusted. */
static bool take_mark(struct builder *builder, uint64_t mark)
{
	switch (mark) {
	case (uint64_t)PERF_CONTEXT_HV:
		builder->cpumode = PERF_RECORD_MISC_HYPERVISOR;
		return true;
	case (uint64_t)PERF_CONTEXT_KERNEL:
		builder->cpumode = PERF_RECORD_MISC_KERNEL;
		return true;
	case (uint64_t)PERF_CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		builder->cpumode = PERF_RECORD_MISC_USER;
		return true;
	default:
		return false;
	}
}

static void add_frame(struct builder *builder, uint64_t ip)
{
	struct profile_chain *chain = builder->chain;

	if (builder->max && chain->count >= builder->max)
		return;
	grow(chain);
	chain->items[chain->count++] = (struct profile_frame){
		.place = find_place(builder->profile, builder->sample, builder->cpumode, ip),
		.cpumode = builder->cpumode,
	};
}

static bool add_frames(struct builder *builder, const uint64_t *ips, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_mark(ips[i])) {
			add_frame(builder, ips[i]);
		} else if (!take_mark(builder, ips[i])) {
			builder->chain->count = 0;
			return false;
		}
	}
	return true;
}

/* Where the user's part begins: the index of its mark, @count if there is none. */
static size_t find_user_mark(const struct sample *sample)
{
	size_t i = 0;

	while (i < sample->callchain_count && sample->callchain[i] != (uint64_t)PERF_CONTEXT_USER)
		i++;
	return i;
}

/*
 * With --call-graph lbr the branch stack is the user's part of the chain: the sample's own place,
 * then from where each call came.
 */
static void add_branches(struct builder *builder)
{
	const struct sample *sample = &builder->sample->sample;

	add_frame(builder, sample->ip);
	for (size_t i = 0; i < sample->branch_count; i++)
		add_frame(builder, sample->branches[i].from);
}

static bool has_call_stack(const struct profile_sample *sample)
{
	return (sample->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) &&
	       sample->sample.branch_count > 0;
}

void profile_chain(struct profile *profile, const struct profile_sample *sample, size_t max,
		   struct profile_chain *chain)
{
	struct builder builder = { .profile = profile,
				   .sample = sample,
				   .chain = chain,
				   .max = max,
				   .cpumode = sample->cpumode };
	size_t count = sample->sample.callchain_count, user = find_user_mark(&sample->sample);
	bool stitched = user < count && has_call_stack(sample);

	chain->count = 0;
	if (add_frames(&builder, sample->sample.callchain, stitched ? user + 1 : count) && stitched)
		add_branches(&builder);
}
