/* named-threads.c - threads that are told apart by name and function alike: thread1, thread2, ...
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "base/err.h"
#include "workload/loadargs.h"
#include "workload/loads.h"

enum { THREADS_MOST = 25, LOOPS = 100 };

#define THREADS(X)                                                                                 \
	X(1)                                                                                       \
	X(2)                                                                                       \
	X(3)                                                                                       \
	X(4)                                                                                       \
	X(5)                                                                                       \
	X(6)                                                                                       \
	X(7)                                                                                       \
	X(8)                                                                                       \
	X(9)                                                                                       \
	X(10)                                                                                      \
	X(11)                                                                                      \
	X(12)                                                                                      \
	X(13)                                                                                      \
	X(14)                                                                                      \
	X(15)                                                                                      \
	X(16)                                                                                      \
	X(17)                                                                                      \
	X(18)                                                                                      \
	X(19)                                                                                      \
	X(20)                                                                                      \
	X(21)                                                                                      \
	X(22)                                                                                      \
	X(23)                                                                                      \
	X(24)                                                                                      \
	X(25)

/* Each does so many rounds; 0: for ever. */
#define DEFINE(number)                                                                             \
	static void *thread##number(void *loops)                                                   \
	{                                                                                          \
		const uint64_t count = *(const uint64_t *)loops;                                   \
                                                                                                   \
		(void)prctl(PR_SET_NAME, "thread" #number);                                        \
		for (volatile uint64_t i = 0; count == 0 || i < count; i++)                        \
			continue;                                                                  \
		return NULL;                                                                       \
	}
#define LIST(number) thread##number,

THREADS(DEFINE)

static void *(*const functions[THREADS_MOST])(void *) = { THREADS(LIST) };

int named_threads(const char *const *args, struct strobe_err *err)
{
	pthread_t threads[THREADS_MOST];
	uint64_t count, loops;
	unsigned begun = 0;
	int r = loadargs_number(&args, "threads", 1, &count, err);

	if (r == 0)
		r = loadargs_number(&args, "loops", LOOPS, &loops, err);
	if (r == 0 && (count == 0 || count > THREADS_MOST))
		r = err_set(err, -EINVAL, "the number of threads is from 1 to %d", THREADS_MOST);
	if (r < 0)
		return r;
	while (begun < count && r == 0) {
		errno = pthread_create(&threads[begun], NULL, functions[begun], &loops);
		if (errno)
			r = err_errno(err, "cannot begin a thread");
		else
			begun++;
	}
	for (unsigned i = 0; i < begun; i++)
		(void)pthread_join(threads[i], NULL);
	return r;
}
