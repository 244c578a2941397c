/*
 * thread.h - threads that wait for others on the program's behalf.
 */
#pragma once

#include <pthread.h>

/*
 * Starts a thread that takes none of the signals that are for the program. Those that its own
 * faults raise it does take: blocked, they would end the program without a word of whoever handles
 * them. Returns 0 or -errno.
 */
int thread_start_quiet(pthread_t *ret_thread, void *(*body)(void *), void *context);
