/*
 * replay.h - pass 2: hands out a recording's samples.
 *
 * All in order of time and with every other record, in one thread; or in parts, which any thread
 * may read: slices in the order of the file, for what does not ask for order, and windows in order
 * of time, which follow one another.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct event_desc;
struct profile;
struct profile_sample;
struct readings;
struct record;
struct replay;
struct sample;

typedef int replay_each(void *context, const struct profile_sample *sample);
typedef int replay_other(void *context, const struct record *record, const struct sample *trailer,
			 const struct event_desc *event);

/*
 * Calls @each for every SAMPLE in order of time (of the file, where there are no times), and for
 * every other record too if @others is not NULL. Ends early with the first result that is not 0.
 */
int replay_all(struct profile *profile, replay_each *each, replay_other *others, void *context);

/*
 * Calls @each for what one SAMPLE record stands for. A sample of a leader that reads its group
 * (":S") is one of each member that counted anything since the last, and stands for that much:
 * @readings starts as { 0 }, and records come in order of time.
 */
int replay_record(struct profile *profile, const struct record *record, struct readings *readings,
		  replay_each *each, void *context);

/*
 * True if what a sample says depends on those before it: of groups that are read by their leader's
 * samples. Such a recording has no parts: use replay_all().
 */
bool replay_needs_order(const struct profile *profile);

/* The samples of a slice (profile.h), in the order of the file. */
int replay_slice(struct profile *profile, size_t slice, replay_each *each, void *context);

/*
 * A stretch of time [from_ns, until_ns) and the slices [first, end) that hold all of it. Windows
 * follow one another without gap; together they are the recording.
 */
struct replay_window {
	uint64_t from_ns, until_ns;
	size_t first, end;
};

/* The caller's to free(); NULL where a recording has samples without a time, or needs
 * order. */
struct replay_window *replay_windows(const struct profile *profile, size_t *ret_count);
/* The samples of a window in order of time, by what replay_new() made, which can do others. */
int replay_window(struct replay *replay, const struct replay_window *window);

/*
 * Record by record, as a stream has it: what replay_all() is made of. Records wait for their turn,
 * but for those without a time (unless @all_wait), until it is said that none will come any more
 * that was before @later_ns. Both end early as replay_all() does.
 */
struct replay *replay_new(struct profile *profile, replay_each *each, replay_other *others,
			  void *context, bool all_wait);
void replay_free(struct replay *replay);
CLEANUP(replay_free, struct replay)
int replay_add(struct replay *replay, const struct record *record);
int replay_settle(struct replay *replay, uint64_t later_ns);
/* What is known of threads that the timeline does not know goes. */
void replay_forget(struct replay *replay);
/* The lowest offset of a record that waits; UINT64_MAX: none does. */
uint64_t replay_first(const struct replay *replay);
