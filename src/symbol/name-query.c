/* name-query.c - see name-query.h. */
#include "symbol/name-query.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "base/thread.h"

#define SECOND UINT64_C(1000000000)

struct name_query {
	char *host, *port;
	pthread_mutex_t lock; /* of what is below */
	pthread_cond_t changed;
	int users; /* the thread, and who asked */
	bool is_done;
	int result; /* of getaddrinfo() */
	struct addrinfo *addresses;
};

static void destroy(struct name_query *query)
{
	if (query->addresses)
		freeaddrinfo(query->addresses);
	pthread_cond_destroy(&query->changed);
	pthread_mutex_destroy(&query->lock);
	free(query->host);
	free(query->port);
	free(query);
}

/* The last one clears up. */
static void leave(struct name_query *query)
{
	bool is_last;

	pthread_mutex_lock(&query->lock);
	is_last = --query->users == 0;
	pthread_mutex_unlock(&query->lock);
	if (is_last)
		destroy(query);
}

static void *look_up(void *context)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct name_query *query = context;
	struct addrinfo *addresses = NULL;
	int result = getaddrinfo(query->host, query->port, &hints, &addresses);

	pthread_mutex_lock(&query->lock);
	query->result = result;
	query->addresses = result == 0 ? addresses : NULL;
	query->is_done = true;
	pthread_cond_signal(&query->changed);
	pthread_mutex_unlock(&query->lock);
	leave(query);
	return NULL;
}

struct name_query *name_query_start(const char *host, const char *port)
{
	struct name_query *query = xnew(struct name_query);
	pthread_condattr_t attributes;
	pthread_t thread;

	query->host = xstrdup(host);
	query->port = xstrdup(port);
	query->users = 2;
	pthread_mutex_init(&query->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&query->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (thread_start_quiet(&thread, look_up, query) < 0) {
		destroy(query);
		return NULL;
	}
	pthread_detach(thread);
	return query;
}

int name_query_wait(struct name_query *query, uint64_t end_ns,
		    const struct addrinfo **ret_addresses)
{
	const struct timespec until = { (time_t)(end_ns / SECOND), (long)(end_ns % SECOND) };
	int r = 0;

	pthread_mutex_lock(&query->lock);
	while (!query->is_done && r == 0)
		r = pthread_cond_timedwait(&query->changed, &query->lock, &until);
	if (!query->is_done)
		r = -ETIMEDOUT;
	else
		r = query->result == 0 ? 0 : -EHOSTUNREACH;
	*ret_addresses = query->addresses;
	pthread_mutex_unlock(&query->lock);
	return r;
}

void name_query_free(struct name_query *query)
{
	if (query)
		leave(query);
}
