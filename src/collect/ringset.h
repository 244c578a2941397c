/*
 * ringset.h - the rings of an eventset: one per CPU, or with per_thread one per thread.
 *
 * All events of a CPU write to that CPU's ring. A ring is over when all that write to it have gone
 * with their tasks.
 */
#pragma once

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "kernel/ring.h"

struct eventset;
struct notes;
struct strobe_err;

struct ringset_ring {
	struct ring ring;
	size_t *members; /* places in set->fds that write here, the owner first */
	size_t member_count;
	size_t watched;  /* the member whose descriptor is polled; member_count: it is over */
	struct str copy; /* of what is there, where that must be changed */
};

struct ringset {
	const struct eventset *set; /* borrowed */
	struct ringset_ring *items;
	size_t count;
	size_t size;     /* of each ring */
	bool has_inodes; /* in records of mappings, and no build-ids */
};

/*
 * @size as ringsize_parse() gives it. Where the user may not lock that much, all rings are smaller,
 * and that is noted.
 */
int ringset_open(struct ringset *rings, const struct eventset *set, size_t size,
		 struct notes *notes, struct strobe_err *err);
void ringset_close(struct ringset *rings);

/*
 * As ring_spans(), of the ring at @index, none if it is not open; valid until the next call.
 * Records of mappings say truly whether they have build-ids: where anybody else asks for these, the
 * kernel marks records with inodes as if they had them (Linux 5.12 and later).
 */
size_t ringset_spans(const struct ringset *rings, size_t index, struct iovec spans[2]);

/* Fills in @count entries, for poll(). */
void ringset_poll_set(const struct ringset *rings, struct pollfd *polls);
/* Takes note of what poll() said of tasks that ended. False if every ring is over. */
bool ringset_poll_done(struct ringset *rings, const struct pollfd *polls);
