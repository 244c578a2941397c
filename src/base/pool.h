/*
 * pool.h - a row of jobs, done by several threads.
 *
 * The jobs 0 to count - 1 are taken in that order by whoever is free. A job is told which thread
 * does it, as a number below that of the threads, so that each thread can have things of its own.
 * The calling thread is one of them; on one thread all is done in it, in order.
 */
#pragma once

#include <stddef.h>

/* CPUs that this process may run on, at least 1 and no more than POOL_MAX. */
enum { POOL_MAX = 64 };
size_t pool_threads(void);

typedef void pool_job(void *context, size_t job, size_t thread);

/* Returns when all jobs are done. */
void pool_run(size_t threads, size_t count, pool_job *job, void *context);

/*
 * The same, and after each job its @then, one at a time and in the order of the jobs: a thread
 * waits until those before its own are through. The first @then that returns other than 0 ends all:
 * no job is begun after it, and that is what is returned.
 */
typedef int pool_then(void *context, size_t job, size_t thread);
int pool_run_ordered(size_t threads, size_t count, pool_job *job, pool_then *then, void *context);
