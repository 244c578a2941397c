/* pool.c - see pool.h. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

struct run {
	size_t count;
	pool_job *job;
	pool_then *then; /* or NULL */
	void *context;
	atomic_size_t next;
	pthread_mutex_t lock; /* of what is below */
	pthread_cond_t turned;
	size_t turn; /* whose @then is next */
	int result;
};

struct thread {
	struct run *run;
	size_t number;
	pthread_t id;
};

size_t pool_threads(void)
{
	cpu_set_t set;
	size_t count = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		count = (size_t)CPU_COUNT(&set);
	if (count < 1)
		return 1;
	return count < POOL_MAX ? count : POOL_MAX;
}

/* False if the row has ended. */
static bool finish(struct run *run, size_t job, size_t thread)
{
	bool goes_on;

	pthread_mutex_lock(&run->lock);
	while (run->turn != job && run->result == 0)
		pthread_cond_wait(&run->turned, &run->lock);
	if (run->result == 0)
		run->result = run->then(run->context, job, thread);
	run->turn++;
	goes_on = run->result == 0;
	pthread_cond_broadcast(&run->turned);
	pthread_mutex_unlock(&run->lock);
	return goes_on;
}

static void *work(void *argument)
{
	struct thread *thread = argument;
	struct run *run = thread->run;
	size_t job;

	while ((job = atomic_fetch_add(&run->next, 1)) < run->count) {
		run->job(run->context, job, thread->number);
		if (run->then && !finish(run, job, thread->number))
			break;
	}
	return NULL;
}

/* Where no more threads can be had, those that are there do it all. */
static void run_all(struct run *run, size_t threads)
{
	struct thread all[POOL_MAX];
	size_t started = 1;

	if (threads > run->count)
		threads = run->count;
	if (threads > POOL_MAX)
		threads = POOL_MAX;
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->turned, NULL);
	all[0] = (struct thread){ run, 0, pthread_self() };
	for (; started < threads; started++) {
		all[started] = (struct thread){ run, started, 0 };
		if (pthread_create(&all[started].id, NULL, work, &all[started]) != 0)
			break;
	}
	(void)work(&all[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(all[i].id, NULL);
	pthread_cond_destroy(&run->turned);
	pthread_mutex_destroy(&run->lock);
}

void pool_run(size_t threads, size_t count, pool_job *job, void *context)
{
	struct run run = { .count = count, .job = job, .context = context };

	run_all(&run, threads);
}

int pool_run_ordered(size_t threads, size_t count, pool_job *job, pool_then *then, void *context)
{
	struct run run = { .count = count, .job = job, .then = then, .context = context };

	run_all(&run, threads);
	return run.result;
}
