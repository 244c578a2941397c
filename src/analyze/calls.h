/*
 * calls.h - system calls, put together of their entries and exits, in order of time.
 *
 * What is handed out is what text prints a line for: a call that has returned, one that is shown
 * without its end since another one comes between, and that end. Of a call whose entry was not seen
 * only the exit is there.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "format/callvalues.h"

struct callnames_more;
struct calls;
struct profile_sample;

enum calls_part {
	CALLS_WHOLE,
	CALLS_BEGUN, /* it goes on while others come */
	CALLS_ENDED, /* of one that was BEGUN */
	CALLS_END,   /* of one whose entry was not seen */
	CALLS_FINAL, /* it does not return: exit(2) */
};

struct calls_call {
	enum calls_part part;
	uint64_t number; /* of its ABI's */
	struct callcase values;
	uint32_t pid, tid, cpu;
	const char *comm;
	uint64_t start_ns, end_ns; /* 0: not known */
	uint64_t off_ns;           /* of this time, without a CPU, as far as is known */
	int error;                 /* an errno; 0: none */
	bool has_returned;
	const struct profile_sample
		*sample; /* the record that is its end, or what it is shown for */
};

struct calls_options {
	/* Not 0 ends it, as with replay_all(). */
	int (*each)(void *context, const struct calls_call *call);
	void *context;
	const char *machine;         /* of the recording, as uname -m has it */
	struct callnames_more *more; /* names beyond those of the tables, borrowed; or NULL */
	bool foreign;                /* its byte order is not ours */
	bool only_whole;             /* none is shown before it has returned, but for exit(2) */
};

/* @options are copied. */
struct calls *calls_new(const struct calls_options *options);
void calls_free(struct calls *calls);
CLEANUP(calls_free, struct calls)

/* What the samples of an event are, by its name. */
enum calls_event {
	CALLS_OTHER,
	CALLS_ENTER,
	CALLS_EXIT,
};
enum calls_event calls_event_of(const char *name);

/* A sample of such an event, in order of time. */
int calls_take(struct calls *calls, const struct profile_sample *sample, enum calls_event event);
/* A thread lost its CPU, or got one. */
void calls_switch(struct calls *calls, uint32_t tid, uint64_t time_ns, bool is_out);
/* Something else is going to be shown: what is under way is shown before it. */
int calls_interrupt(struct calls *calls);
/* A thread is gone. */
void calls_forget(struct calls *calls, uint32_t tid);
/* Nothing comes for a while, or any more: what is under way is shown, whether or not only_whole. */
int calls_show_begun(struct calls *calls);

/* From now on, as the option says. */
void calls_only_whole(struct calls *calls, bool only_whole);

/* Records that were none. */
uint64_t calls_damaged(const struct calls *calls);
