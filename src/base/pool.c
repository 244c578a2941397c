/* pool.c - see pool.h. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/str.h"

enum { SLOTS_OF_THREAD = 2 };

/* A text on its way: from when it is made until it is taken. */
struct slot {
	struct str text;
	bool made;
};

struct run {
	size_t count;
	pool_job *job;
	void *context;
	atomic_size_t next;
	/* Of texts: */
	pool_make *maker;
	pool_take *taker;
	struct slot *slots; /* of job i, the i-th modulo their number */
	size_t slot_count;
	pthread_mutex_t lock; /* of what is below, and whether texts are made */
	pthread_cond_t changed;
	size_t begun, taken; /* jobs */
	bool taking;         /* somebody is */
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

static void *work(void *argument)
{
	struct thread *thread = argument;
	struct run *run = thread->run;
	size_t job;

	while ((job = atomic_fetch_add(&run->next, 1)) < run->count)
		run->job(run->context, job, thread->number);
	return NULL;
}

/* Under the lock, but for the job itself. */
static void make_text(struct run *run, size_t thread)
{
	size_t job = run->begun++;
	struct slot *slot = &run->slots[job % run->slot_count];

	pthread_mutex_unlock(&run->lock);
	run->maker(run->context, job, thread, &slot->text);
	pthread_mutex_lock(&run->lock);
	slot->made = true;
}

static void take_text(struct run *run, struct slot *slot)
{
	int result;

	run->taking = true;
	pthread_mutex_unlock(&run->lock);
	result = run->taker(run->context, &slot->text);
	str_clear(&slot->text);
	pthread_mutex_lock(&run->lock);
	run->taking = slot->made = false;
	run->taken++;
	run->result = result;
	pthread_cond_broadcast(&run->changed);
}

/* What is made while somebody takes, he takes next: a thread goes where there is nothing to make.
 */
static void *work_on_texts(void *argument)
{
	struct thread *thread = argument;
	struct run *run = thread->run;

	pthread_mutex_lock(&run->lock);
	while (run->result == 0) {
		struct slot *next = &run->slots[run->taken % run->slot_count];

		if (!run->taking && next->made)
			take_text(run, next);
		else if (run->begun == run->count)
			break;
		else if (run->begun - run->taken < run->slot_count)
			make_text(run, thread->number);
		else
			pthread_cond_wait(&run->changed, &run->lock);
	}
	pthread_mutex_unlock(&run->lock);
	return NULL;
}

/* Where no more threads can be had, those that are there do it all. */
static void run_all(struct run *run, void *(*body)(void *), size_t threads)
{
	struct thread all[POOL_MAX];
	size_t started = 1;

	if (threads > run->count)
		threads = run->count;
	if (threads > POOL_MAX)
		threads = POOL_MAX;
	all[0] = (struct thread){ run, 0, pthread_self() };
	for (; started < threads; started++) {
		all[started] = (struct thread){ run, started, 0 };
		if (pthread_create(&all[started].id, NULL, body, &all[started]) != 0)
			break;
	}
	(void)body(&all[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(all[i].id, NULL);
}

void pool_run(size_t threads, size_t count, pool_job *job, void *context)
{
	struct run run = { .count = count, .job = job, .context = context };

	run_all(&run, work, threads);
}

int pool_run_texts(size_t threads, size_t count, pool_make *make, pool_take *take, void *context)
{
	struct run run = { .count = count, .maker = make, .taker = take, .context = context };

	run.slot_count = threads > 1 ? SLOTS_OF_THREAD * threads : 1;
	run.slots = xcalloc(run.slot_count, sizeof(*run.slots));
	pthread_mutex_init(&run.lock, NULL);
	pthread_cond_init(&run.changed, NULL);
	run_all(&run, work_on_texts, threads);
	pthread_cond_destroy(&run.changed);
	pthread_mutex_destroy(&run.lock);
	for (size_t i = 0; i < run.slot_count; i++)
		str_done(&run.slots[i].text);
	free(run.slots);
	return run.result;
}
