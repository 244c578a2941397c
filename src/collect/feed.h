/*
 * feed.h - records that come from elsewhere than the rings of perf_event_open(2), to a recording.
 *
 * They are of events of the list that have a fed_id, and have their ids. A round of the reader
 * takes them as it takes what is in the rings.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct str;
struct strobe_err;
struct target;

struct feed {
	int fd; /* readable when there may be records; -1: never */
	/* What is watched is known; @waiting of it is the command, if that is watched, which waits
	 * at its gate. */
	int (*watch)(struct feed *feed, const struct target *target, pid_t waiting,
		     struct strobe_err *err);
	/* From now on records are made, or none are; at first none are. */
	void (*turn)(struct feed *feed, bool on);
	/* Adds whole records to @out: what there is, piece by piece. 1 if there is more of this
	 * round. */
	int (*drain)(struct feed *feed, struct str *out, struct strobe_err *err);
	/* After a round that had some it is to be asked again so soon, whatever the descriptor
	 * says. */
	uint64_t again_ns;
	void *context;
};
