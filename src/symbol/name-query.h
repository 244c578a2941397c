/*
 * name-query.h - the addresses of hosts, looked up side by side, and waited for no longer than one
 * likes.
 *
 * getaddrinfo(3) cannot be told to stop, and takes minutes where a name server is silent. So each
 * name has a thread of its own, and one that is not done in time is left behind, with its memory.
 * (getaddrinfo_a(3) does the same, in threads with a few pages of stack and all signals blocked.)
 */
#pragma once

#include <stdint.h>

struct addrinfo;
struct name_query;

/* The addresses of a TCP service; @port is a number. NULL if no thread can be had. */
struct name_query *name_query_start(const char *host, const char *port);
/*
 * Until @end_ns of clock_now_ns() at most. The addresses belong to the query. -ETIMEDOUT, or
 * -EHOSTUNREACH where the name has none.
 */
int name_query_wait(struct name_query *query, uint64_t end_ns,
		    const struct addrinfo **ret_addresses);
void name_query_free(struct name_query *query);
