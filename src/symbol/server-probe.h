/*
 * server-probe.h - which servers can be reached at all, found out in little time.
 *
 * Clients wait for minutes for a server that does not answer, and for each file anew. A server
 * whose port cannot be connected to at once is not worth asking.
 */
#pragma once

#include <stddef.h>

struct server_probe {
	const char *url;  /* http or https; borrowed */
	const char *host; /* in the url, not ended by a NUL; NULL: there is none */
	size_t host_size;
	int result; /* 0: it can be reached, or nobody can tell; else -errno */
};

/*
 * Fills in the rest of each, all at the same time, in no more than @limit_ms. What is reached
 * through a proxy, and what is no http, nobody can tell.
 */
void server_probe(struct server_probe *probes, size_t count, int limit_ms);
