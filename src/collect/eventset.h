/*
 * eventset.h - events opened on what is watched: each on each pair of CPU and thread.
 *
 * Events that the kernel refuses are adapted (adapt.h), or left out where others remain; both is
 * noted. So the list changes: what is in it afterwards is what is open. Who counts wants to be told
 * of each event: then those that are refused stay in the list, and the set says why.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strobe/err.h"

struct eventlist;
struct notes;
struct target;

struct eventset {
	struct eventlist *list;      /* borrowed */
	const struct target *target; /* borrowed */
	size_t cpu_count, thread_count;
	int *fds;      /* [event][cpu][thread]: see eventset_at(); -1 where there is none */
	uint64_t *ids; /* the same; 0 where there is none */
	/* With keep_refused: why an event is not open, by its index in the list. Else NULL. */
	struct eventset_refusal *refusals;
};

struct eventset_refusal {
	int code; /* negative errno; 0: it is open */
	struct strobe_err why;
};

struct eventset_options {
	bool exclude_self;    /* tracepoints do not fire for this process */
	const bool *left_out; /* by index: these are not opened this time; NULL: all are */
	bool keep_refused;    /* they stay in the list; and no clock takes the place of cycles */
};

/* Opens all. -ESRCH if no thread is left; else what perfevent_explain() says. */
int eventset_open(struct eventset *set, struct eventlist *list, const struct target *target,
		  const struct eventset_options *options, struct notes *notes,
		  struct strobe_err *err);
void eventset_close(struct eventset *set);

static inline size_t eventset_at(const struct eventset *set, size_t event, size_t cpu,
				 size_t thread)
{
	return (event * set->cpu_count + cpu) * set->thread_count + thread;
}

/* The ids of an event that are in use, packed; at most cpu_count * thread_count. */
size_t eventset_ids(const struct eventset *set, size_t event, uint64_t *ret_ids);

/* Starts what waits for it (attr.disabled), unless an exec will do that; stops all of it. */
int eventset_enable(const struct eventset *set, struct strobe_err *err);
void eventset_pause(const struct eventset *set); /* until eventset_enable() */
void eventset_disable(const struct eventset *set);

/* Starts or stops one event alone. 0 or a negative errno. */
int eventset_switch(const struct eventset *set, size_t event, bool on);

/* Records of an event that found no room in a ring, as far as the kernel counts them by event. */
uint64_t eventset_lost(const struct eventset *set, size_t event);
