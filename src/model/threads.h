/*
 * threads.h - which threads there were, and what they were called from when to when.
 *
 * Filled in the order of time (see timeline.c). Numbers of threads are used again: a thread's life
 * begins with a FORK or with the first word of it, and the next FORK of its number is another life.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/instant.h"

struct strings;

/* Starts as { 0 }. */
struct threads {
	struct hash by_tid; /* index in numbers */
	struct threads_number *numbers;
	size_t number_count, number_capacity;
	struct threads_life *lives;
	size_t count, capacity;
};

struct threads_life {
	uint32_t pid, tid, ppid, ptid; /* ppid, ptid UINT32_MAX if unknown */
	uint64_t born, gone;           /* moments; 0 and UINT64_MAX if not seen */
	const char *comm;              /* the last, NULL if never told */
};

/* There is such a thread: a record other than FORK says so. */
void threads_seen(struct threads *threads, uint32_t pid, uint32_t tid);
/* A child has its parent's name. @synthesized: told for a thread that was there before. */
void threads_fork(struct threads *threads, const struct threads_life *child, struct instant at,
		  bool synthesized);
void threads_exit(struct threads *threads, uint32_t pid, uint32_t tid, struct instant at);
/* @comm is borrowed, and must outlive the threads. */
void threads_name(struct threads *threads, uint32_t pid, uint32_t tid, const char *comm,
		  struct instant at);

/* The name at an instant, NULL if none was told until then. */
const char *threads_comm(const struct threads *threads, uint32_t tid, struct instant at);
/* From when to when that is so, moments: [from, until). */
const char *threads_comm_span(const struct threads *threads, uint32_t tid, uint64_t moment,
			      uint64_t *ret_from, uint64_t *ret_until);
/* The last name of the thread that has the number at an instant, NULL if none. */
const char *threads_last_comm(const struct threads *threads, uint32_t tid, struct instant at);
/* The first name it ever had, NULL if none. */
const char *threads_first_comm(const struct threads *threads, uint32_t tid);

bool threads_has(const struct threads *threads, uint32_t tid);
/*
 * Forgets threads that were gone before a moment, and lives and names that were over by then. Of a
 * process with other threads, the first stays. Names are from now on those in @texts.
 */
void threads_forget(struct threads *threads, uint64_t before, struct strings *texts);

void threads_done(struct threads *threads);
