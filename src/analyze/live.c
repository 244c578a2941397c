/* live.c - see live.h. */
#include "analyze/live.h"

#include "analyze/profile.h"
#include "base/str.h"
#include "data/datafile.h"
#include "data/record.h"
#include "data/stream.h"
#include "model/timeline.h"
#include "symbol/resolve.h"

enum {
	ROUND_MAX = 16 << 20,      /* bytes, where recorders write no rounds */
	FORGET_RECORDS = 16 << 10, /* side-band records that are worth forgetting */
};
static const uint64_t GRACE_NS = 1000000000; /* samples may come after their thread's end */

struct live {
	struct stream *stream;
	struct profile *profile;
	struct replay *replay;
	uint64_t taken;             /* offset: all before it was taken */
	uint64_t begin;             /* offset: of the round at hand */
	struct profile_slice round; /* its times */
	uint64_t before_ns;         /* the highest time of the rounds before it */
	uint64_t settled_ns;        /* what happened before this was handed out */
	void (*changed)(void *context);
	int (*settled)(void *context);
	void *context;
	struct str names; /* that came late: FEATURE_STROBE_NAMES */
	bool has_new_names;
	uint64_t rename_count; /* of the resolver, when somebody was last told */
	size_t told_count;     /* since the last time that something was forgotten */
	size_t kept_count;     /* what was left then */
};

struct live *live_new(struct stream *stream, const struct resolver_options *names)
{
	struct live *live = xnew(struct live);

	live->stream = stream;
	live->profile = profile_new_empty(stream_file(stream), names);
	profile_keep(live->profile);
	live->taken = live->begin = datafile_begin(stream_file(stream)).offset;
	return live;
}

void live_free(struct live *live)
{
	if (!live)
		return;
	replay_free(live->replay);
	str_done(&live->names);
	profile_free(live->profile);
	free(live);
}

struct profile *live_profile(const struct live *live)
{
	return live->profile;
}

void live_start(struct live *live, const struct live_options *options)
{
	live->changed = options->changed;
	live->settled = options->settled;
	live->context = options->context;
	live->replay =
		replay_new(live->profile, options->each, options->others, options->context, true);
}

static void take_record(struct live *live, const struct record *record)
{
	size_t size;
	const void *body = datafile_names(record, &size);

	profile_add(live->profile, record, &live->round);
	if (!body)
		return;
	str_add_bytes(&live->names, body, size);
	live->has_new_names = true;
}

static bool has_more_names(struct live *live)
{
	uint64_t before = live->rename_count;

	live->rename_count = resolver_rename_count(profile_resolver(live->profile));
	return live->rename_count != before;
}

/* What happened before @until_ns is all there. */
static int settle(struct live *live, uint64_t until_ns)
{
	size_t told = profile_settle(live->profile, until_ns);
	int r;

	live->told_count += told;
	if (live->has_new_names)
		profile_use_names(live->profile, live->names.text, live->names.size);
	live->has_new_names = false;
	if (has_more_names(live) || told > 0)
		live->changed(live->context);
	if (until_ns != UINT64_MAX)
		live->settled_ns = until_ns;
	else
		live->settled_ns = profile_totals(live->profile)->last_ns;
	r = replay_settle(live->replay, until_ns);
	profile_forget_records(live->profile, live->settled_ns);
	return r;
}

static void begin_round(struct live *live)
{
	if (live->round.highest_ns > live->before_ns)
		live->before_ns = live->round.highest_ns;
	live->round = (struct profile_slice){ .lowest_ns = UINT64_MAX };
	live->begin = live->taken;
}

/* Of the round that ends here, what is not later than those before it. */
static int end_round(struct live *live)
{
	uint64_t before_ns = live->before_ns;

	begin_round(live);
	return settle(live, before_ns + 1);
}

/* Without times, what has come happened in that order. */
static int take_untimed(struct live *live, struct datafile_cursor *cursor)
{
	struct datafile_cursor first = *cursor;
	struct record record;
	int r = 0;

	while (datafile_next(&first, &record))
		take_record(live, &record);
	(void)settle(live, UINT64_MAX);
	while (r == 0 && datafile_next(cursor, &record))
		r = replay_add(live->replay, &record);
	return r;
}

static int take_timed(struct live *live, struct datafile_cursor *cursor)
{
	struct record record;
	int r = 0;

	while (r == 0 && datafile_next(cursor, &record)) {
		bool ends_round = record.header->type == RECORD_FINISHED_ROUND;

		take_record(live, &record);
		live->taken = cursor->offset;
		if (!ends_round)
			r = replay_add(live->replay, &record);
		if (r == 0 && (ends_round || live->taken - live->begin > ROUND_MAX))
			r = end_round(live);
		if (r == 0 && ends_round) /* behind what it lets go */
			r = replay_add(live->replay, &record);
	}
	return r;
}

/* What was handed out goes. */
static int let_go(struct live *live)
{
	uint64_t first = replay_first(live->replay);
	int r = live->settled(live->context);

	stream_forget(live->stream, first < live->taken ? first : live->taken);
	return r;
}

static int take_new(struct live *live)
{
	struct datafile_cursor cursor = { stream_file(live->stream), live->taken };
	int r;

	if (profile_totals(live->profile)->has_time)
		r = take_timed(live, &cursor);
	else
		r = take_untimed(live, &cursor);
	live->taken = cursor.offset;
	return r;
}

static int settle_all(struct live *live)
{
	begin_round(live);
	return settle(live, UINT64_MAX);
}

int live_take(struct live *live)
{
	int r = take_new(live);

	return r == 0 ? let_go(live) : r;
}

int live_take_all(struct live *live)
{
	int r = take_new(live);

	if (r == 0)
		r = settle_all(live);
	return r == 0 ? let_go(live) : r;
}

int live_pause(struct live *live)
{
	int r = take_new(live);

	if (r == 0 && live->taken == live->begin)
		r = settle_all(live);
	return r == 0 ? let_go(live) : r;
}

bool live_is_heavy(const struct live *live)
{
	return live->told_count > FORGET_RECORDS && live->told_count > live->kept_count;
}

void live_forget(struct live *live, struct hash *dsos)
{
	uint64_t now = live->settled_ns;

	profile_forget(live->profile, now > GRACE_NS ? now - GRACE_NS : 0, dsos);
	replay_forget(live->replay);
	live->told_count = 0;
	live->kept_count = timeline_size(profile_timeline(live->profile));
	live->changed(live->context);
}
