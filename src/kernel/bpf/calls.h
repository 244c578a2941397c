/*
 * calls.h - what the loader (kernel/callprobe.c) tells the BPF programs, and what they tell back.
 */
#pragma once

#include "base/callcopy.h"

/* What the map of threads says of one. */
enum calls_thread {
	CALLS_WATCHED = 1,
	/*
	 * It is yet to become the command: nothing of it is told but the execve(2) by which it
	 * does, which is held back until it has.
	 */
	CALLS_WAITING = 2,
};

enum { CALLS_IGNORED = 4096 }; /* processes and threads that may be named to be left out */

/* Constants, from before the programs are loaded. */
struct calls_settings {
	uint64_t enter_id, exit_id; /* of the samples' events */
	uint32_t enter_type, exit_type;
	uint32_t self;        /* the process that does not look at itself */
	uint32_t by_thread;   /* only threads that are in the map; else all but self */
	uint32_t follows;     /* what such threads start is in it, too */
	uint32_t by_cpu;      /* only CPUs that are in the map */
	uint32_t by_cgroup;   /* only the cgroup that is in the map */
	uint32_t ignores;     /* not the processes and threads that are in the map of those */
	uint32_t wants_stack; /* call chains */
	uint32_t wants_other; /* calls whose number has no plan */
	uint64_t secret;      /* mixed into the keys of files */
	uint64_t wake_ns;     /* so long the reader is not woken again */
};

/* What is counted while they run. */
struct calls_state {
	uint64_t woken_ns;              /* when the reader was */
	uint64_t lost;                  /* records that found no room in the ring */
	uint64_t lost_first, lost_last; /* when; first is 0 until there is one */
	uint64_t missed; /* memory that was not there yet, to be copied at the exit */
	uint32_t on;     /* records are made at all */
	uint32_t untold; /* threads that found no room in the map */
};
