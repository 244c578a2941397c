/*
 * callprobe.h - system calls as they happen, with what their arguments point at, told by programs
 * in the kernel (bpf/calls.bpf.c; base/callcopy.h has the form of the records).
 *
 * Records of all CPUs come out of one ring, in order. They are whole samples, as a reader of
 * perf_event_open(2)'s rings gets them; times are of the monotonic clock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/callcopy.h"
#include "base/mem.h"

struct callprobe;
struct strobe_err;

struct callprobe_options {
	uint64_t enter_id, exit_id;     /* the samples' ids */
	uint16_t enter_type, exit_type; /* of raw_syscalls' tracepoints; 0 where not known */
	bool by_thread;  /* only threads that are named by callprobe_watch(); else all but self */
	bool follows;    /* what such threads start is watched, too */
	const int *cpus; /* only on these; NULL: on all */
	size_t cpu_count;
	const pid_t *ignored; /* nothing of these processes and threads */
	size_t ignored_count;
	int cgroup;       /* a descriptor: only what runs in it; -1: everywhere */
	size_t ring_size; /* bytes, a power of two of pages */
	bool wants_stack; /* call chains, by frame pointers */
	bool wants_other; /* calls that have no number in a plan */
	/* CALLCOPY_CALLS each, by number: of the ABIs of 64 and 32 bits. */
	const struct callcopy_plan *wide, *narrow;
};

/*
 * Nothing is told until callprobe_turn(). -ENOSYS: this was built without; -EPERM: BPF is not for
 * this user, or -ENOTSUP, not of this kernel: @err says why in a sentence.
 */
int callprobe_open(const struct callprobe_options *options, struct callprobe **ret_probe,
		   struct strobe_err *err);
void callprobe_close(struct callprobe *probe);
CLEANUP(callprobe_close, struct callprobe)

/* Of by_thread: one more thread. Of one that is @waiting only what it does once it has become
 * another program, and that. */
int callprobe_watch(struct callprobe *probe, pid_t tid, bool waiting);
/* From now on calls are told, or none are. */
void callprobe_turn(struct callprobe *probe, bool on);

/*
 * To be polled. It is woken at most every hundredth of a second: who has found records looks again
 * after that time.
 */
int callprobe_fd(const struct callprobe *probe);
uint64_t callprobe_wake_ns(void);

/* Hands out what is there record by record, until @hand_out returns another value than 0, which is
 * then returned; bytes are valid for the call. */
typedef int callprobe_take(void *context, const void *record, size_t size);
int callprobe_read(struct callprobe *probe, callprobe_take *hand_out, void *context);

/* What found no room in the ring since the last call, and when: 0 if nothing did. */
struct callprobe_loss {
	uint64_t count, first_ns, last_ns;
};
struct callprobe_loss callprobe_lost(struct callprobe *probe);
