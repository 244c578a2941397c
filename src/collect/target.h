/*
 * target.h - what is watched: threads, or CPUs.
 *
 * Either all that runs on @cpus (all_cpus; tids is then the one entry -1), or threads, each on all
 * CPUs online; per_thread follows a thread wherever it runs with one event, and no children.
 */
#pragma once

#include <stdbool.h>

#include "kernel/cpus.h"
#include "kernel/proc.h"

struct strobe_err;

struct target_request {
	const char *pids, *tids; /* "1,2,3" or NULL */
	const char *uid;         /* a name or a number, or NULL */
	const char *cpus;        /* "0-2,5" or NULL */
	bool all_cpus;
	bool per_thread;
	bool all_threads; /* each thread that there is now, not by CPU; with none of the others */
};

struct target {
	struct cpus cpus;      /* the one entry -1 if per_thread */
	struct proc_ids tids;  /* ascending, each once */
	struct proc_ids roots; /* the processes they belong to, for /proc */
	bool all_cpus, per_thread;
};

/* Are threads or processes named, by number or by their user? */
bool target_wants_threads(const struct target_request *request);
/* Is anything? If nothing is, a workload is what is watched. */
bool target_wants_any(const struct target_request *request);
/* -EINVAL if a list is not written as one; who is in it does not matter. */
int target_check(const struct target_request *request, struct strobe_err *err);
/* -ESRCH if nobody is there to be watched. Without any request there is nothing in tids: the
 * workload is for target_add(). */
int target_resolve(const struct target_request *request, struct target *ret_target,
		   struct strobe_err *err);
/* Adds the numbers of "1,2,3" to @ids; -EINVAL: one is no number of a @what. */
int target_ids(const char *list, const char *what, struct proc_ids *ids, struct strobe_err *err);
void target_add(struct target *target, pid_t pid, pid_t tid);
void target_done(struct target *target);
