/*
 * live.h - a stream, analyzed while it comes: both passes over a window that moves on.
 *
 *	settled and handed out          | the last rounds        | to come
 *	                                ^ horizon
 *
 * A recorder empties its rings one after another, so what happened before the end of a round may
 * come with the next. What is older than the last two rounds is settled: it is told to the
 * timeline, handed out in order of time, and forgotten. Where nothing comes for a while, all that
 * has come is settled.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/replay.h"
#include "base/mem.h"

struct hash;
struct live;
struct profile;
struct resolver_options;
struct stream;

struct live_options {
	replay_each *each;    /* see replay_all() */
	replay_other *others; /* or NULL */
	/* The timeline has changed: epochs that were asked for before are over (lookup_forget()).
	 */
	void (*changed)(void *context);
	/* What is settled was handed out; now its records go. Not 0: that is enough. */
	int (*settled)(void *context);
	void *context;
};

/*
 * @stream is borrowed, and has told its events (datafile_is_told()). @names is for the profile's
 * resolver.
 */
struct live *live_new(struct stream *stream, const struct resolver_options *names);
void live_free(struct live *live);
CLEANUP(live_free, struct live)

struct profile *live_profile(const struct live *live);

/* Before the first record is taken. */
void live_start(struct live *live, const struct live_options *options);

/*
 * Takes what has come and hands out what is settled by that. Returns the first result of a handler
 * that is not 0, as do the others.
 */
int live_take(struct live *live);
/* Nothing comes for a moment: behind the end of a round, what has come is settled. */
int live_pause(struct live *live);
/* Nothing comes for long, or any more: what has come is settled. */
int live_take_all(struct live *live);

/* Is there so much of the past that live_forget() is worth it? */
bool live_is_heavy(const struct live *live);
/* Forgets what was before; @dsos are in use, as with timeline_forget(). Places and names that were
 * looked up before are gone. */
void live_forget(struct live *live, struct hash *dsos);
