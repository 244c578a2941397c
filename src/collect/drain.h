/*
 * drain.h - carries records from the rings to the writer until the recording ends.
 *
 * One round takes what is in every ring, writes a FINISHED_ROUND behind it and lets the writer make
 * that valid. The reader sleeps until a ring is half full; once a second it looks all the
 * same, so that a file whose recorder is killed lacks a second at most; ten times a second where a
 * stage wants to open what processes have mapped before they are gone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct bpf_programs;
struct eventset;
struct feed;
struct ringset;
struct schedule;
struct stage;
struct strobe_err;
struct tally;
struct wakeup;
struct workload;
struct writer;

enum drain_end {
	DRAIN_WORKLOAD, /* the command ended */
	DRAIN_TARGETS,  /* all that was watched has ended */
	DRAIN_TIME,     /* duration_ns or the schedule is over */
	DRAIN_SIZE,     /* max_size is reached */
	DRAIN_SIGNAL,   /* asked to end */
	DRAIN_VISITOR,  /* it had enough */
};

/* Who looks in after each round, but at the latest when it is due, or there is something to read.
 */
struct drain_visitor {
	int fd;          /* -1: none */
	uint64_t due_ns; /* on the monotonic clock; 0: at any time. The visitor's to change */
	/* It has enough for now: records stay in the rings, and what finds no room there is lost
	 * and counted. The visitor's to change. */
	bool is_behind;
	/* 0, 1 if that is enough, or a negative errno. @readable: of fd. */
	int (*visit)(struct drain_visitor *visitor, bool readable, struct strobe_err *err);
	void *context;
};

struct drain {
	const struct eventset *set;
	struct ringset *rings;
	struct writer *writer;
	struct tally *tally;
	const struct wakeup *wakeup;
	struct workload *workload;
	const struct schedule *schedule; /* if delayed: start and stop the events so */
	uint64_t duration_ns;            /* 0: no end of its own */
	uint64_t max_size;               /* end when so many bytes are written; 0: never */
	struct drain_visitor *visitor;   /* or NULL */
	/* What is told of BPF programs when they are loaded, since they may be gone at the end; or
	 * NULL. */
	struct bpf_programs *bpf;
	struct stage *stage; /* records go through it; or NULL */
	struct feed *feed;   /* where others come from; or NULL */

	struct str fed;    /* what it gave, on its way */
	bool feed_is_busy; /* in the last round it had some */

	/* Results. */
	uint64_t round_count; /* that had records */
	int signal;           /* that ended it; 0: none */
	/* The round that took longest: in all, and in the writer. */
	uint64_t slowest_ns, slowest_written_ns;
};

/* Until something ends it: one of enum drain_end, or a negative errno. */
int drain_run(struct drain *drain, struct strobe_err *err);
/* Bytes that are in the rings. */
size_t drain_left_size(const struct drain *drain);
/* What is left, after the events have been stopped. */
int drain_rest(struct drain *drain, struct strobe_err *err);
void drain_done(struct drain *drain);
