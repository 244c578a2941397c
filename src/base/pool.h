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
 * The same for jobs that make texts, each of which is handed to @take, one at a time and in the
 * order of the jobs, by whichever thread has it at hand. Texts wait for those before them, a few
 * for each thread; then threads wait, too. The first @take that returns other than 0 ends all: no
 * job is begun after it, and that is what is returned.
 */
struct str;
typedef void pool_make(void *context, size_t job, size_t thread, struct str *text);
typedef int pool_take(void *context, const struct str *text);
int pool_run_texts(size_t threads, size_t count, pool_make *make, pool_take *take, void *context);
