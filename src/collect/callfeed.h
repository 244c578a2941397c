/*
 * callfeed.h - system calls that the kernel's BPF programs tell of, as a recording's feed.
 *
 * Its events are raw_syscalls:sys_enter and sys_exit, which callfeed_events() puts at the beginning
 * of a list.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/callcopy.h"
#include "base/mem.h"
#include "collect/feed.h"

struct callfeed;
struct eventlist;
struct proc_ids;
struct strobe_err;

struct callfeed_options {
	bool by_thread;                 /* the recording's target are threads */
	bool follows;                   /* and what they start */
	const char *cpus;               /* "0-2,5": only there; NULL: everywhere */
	const char *cgroup;             /* only what runs in it; or NULL */
	const struct proc_ids *ignored; /* nothing of these processes and threads */
	size_t ring_size;
	bool wants_stack;
	bool wants_other;
	const struct callcopy_plan *wide, *narrow; /* as callprobe.h has them */
};

/* Errors are those of callprobe_open(). */
int callfeed_open(const struct callfeed_options *options, struct callfeed **ret_feed,
		  struct strobe_err *err);
void callfeed_close(struct callfeed *feed);
CLEANUP(callfeed_close, struct callfeed)

struct feed *callfeed_feed(struct callfeed *feed);

/* Two events more, at the end of an empty list. Their tracepoints' ids are there if they may be
 * known. */
void callfeed_events(struct eventlist *list);
