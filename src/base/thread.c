/* thread.c - see thread.h. */
#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

int thread_start_quiet(pthread_t *ret_thread, void *(*body)(void *), void *context)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS };
	sigset_t quiet, before;
	int r;

	sigfillset(&quiet);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&quiet, faults[i]);
	pthread_sigmask(SIG_SETMASK, &quiet, &before);
	r = pthread_create(ret_thread, NULL, body, context);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -r;
}
