/* server-probe.c - see server-probe.h. */
#include "symbol/server-probe.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"

enum { ADDRESSES_MAX = 4 }; /* that are tried of a host */

/* One attempt to connect. */
struct attempt {
	size_t probe;
	int fd;
};

struct attempts {
	struct attempt *items;
	size_t count, capacity;
};

/* A name that is being looked up. The C library writes to it until it is done, whenever that is. */
struct name_query {
	struct gaicb request;
	struct addrinfo hints;
	char *host, *port;
};

static bool has_proxy(void)
{
	static const char *const names[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
					     "all_proxy", "ALL_PROXY" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && value[0])
			return true;
	}
	return false;
}

/* "https://user@host:port/path": where the host is, and the port, which may be NULL. */
static bool parse(struct server_probe *probe, const char **ret_port, const char **ret_default)
{
	const char *secure = str_after(probe->url, "https://");
	const char *begin = secure ? secure : str_after(probe->url, "http://");
	const char *end, *at;

	if (!begin)
		return false;
	end = begin + strcspn(begin, "/?#");
	at = memrchr(begin, '@', (size_t)(end - begin));
	begin = at ? at + 1 : begin;
	probe->host = begin;
	if (*begin == '[') {
		const char *close = memchr(begin, ']', (size_t)(end - begin));

		if (!close)
			return false;
		probe->host = begin + 1;
		probe->host_size = (size_t)(close - begin) - 1;
		begin = close + 1;
	} else {
		probe->host_size = strcspn(begin, ":/?#");
		begin += probe->host_size;
	}
	*ret_port = *begin == ':' && begin < end ? begin + 1 : NULL;
	*ret_default = secure ? "443" : "80";
	return probe->host_size > 0;
}

/* NULL if it needs none. */
static struct name_query *start_query(struct server_probe *probe)
{
	const char *port = NULL, *usual = NULL;
	struct name_query *query;
	struct gaicb *list[1];

	probe->result = 0;
	probe->host = NULL;
	probe->host_size = 0;
	if (!parse(probe, &port, &usual))
		return NULL;
	query = xnew(struct name_query);
	query->host = xstrndup(probe->host, probe->host_size);
	query->port = port ? xstrndup(port, strspn(port, "0123456789")) : xstrdup(usual);
	query->hints = (struct addrinfo){ .ai_socktype = SOCK_STREAM };
	query->request = (struct gaicb){ .ar_name = query->host,
					 .ar_service = query->port,
					 .ar_request = &query->hints };
	list[0] = &query->request;
	(void)getaddrinfo_a(GAI_NOWAIT, list, 1, NULL);
	return query;
}

static void end_query(struct name_query *query)
{
	/* One that is under way is left to the C library, with its memory. */
	if (gai_error(&query->request) == EAI_INPROGRESS &&
	    gai_cancel(&query->request) != EAI_CANCELED)
		return;
	if (query->request.ar_result)
		freeaddrinfo(query->request.ar_result);
	free(query->host);
	free(query->port);
	free(query);
}

static int left_ms(uint64_t end_ns)
{
	uint64_t now = clock_now_ns();

	return now < end_ns ? (int)((end_ns - now) / 1000000) + 1 : 0;
}

static void wait_for_names(struct name_query *const *queries, size_t count, uint64_t end_ns)
{
	const struct gaicb **list = xcalloc(count + 1, sizeof(*list));
	bool waits = true;

	while (waits && left_ms(end_ns) > 0) {
		int left = left_ms(end_ns);
		struct timespec time = { left / 1000, (long)(left % 1000) * 1000000 };

		waits = false;
		for (size_t i = 0; i < count; i++) {
			bool open = queries[i] && gai_error(&queries[i]->request) == EAI_INPROGRESS;

			list[i] = open ? &queries[i]->request : NULL;
			waits = waits || open;
		}
		if (waits)
			(void)gai_suspend(list, (int)count, &time);
	}
	free(list);
}

static int connect_error(int code)
{
	/* A firewall's word. */
	return code == EACCES || code == EPERM ? -ECONNREFUSED : -code;
}

/* One attempt for each address; what fails at once is the result so far. */
static void start_attempts(struct server_probe *probe, size_t number,
			   const struct name_query *query, struct attempts *attempts)
{
	const struct addrinfo *address = query->request.ar_result;

	for (size_t i = 0; address && i < ADDRESSES_MAX; i++, address = address->ai_next) {
		int fd = socket(address->ai_family,
				address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

		if (fd < 0)
			continue;
		if (connect(fd, address->ai_addr, address->ai_addrlen) < 0 &&
		    errno != EINPROGRESS) {
			probe->result = connect_error(errno);
			(void)close(fd);
			continue;
		}
		grow(attempts);
		attempts->items[attempts->count++] = (struct attempt){ number, fd };
	}
}

/* What an attempt has come to. */
static void take_result(struct server_probe *probe, struct attempt *attempt)
{
	socklen_t size = sizeof(int);
	int code = 0;

	if (getsockopt(attempt->fd, SOL_SOCKET, SO_ERROR, &code, &size) < 0)
		code = errno;
	if (code == 0 || probe->result != 0)
		probe->result = code ? connect_error(code) : 0;
	(void)close(attempt->fd);
	attempt->fd = -1;
}

/* Whether something is still to be waited for: nobody has answered of a server that may. */
static bool is_open(const struct server_probe *probes, const struct attempt *attempt)
{
	return attempt->fd >= 0 && probes[attempt->probe].result != 0;
}

static void wait_for_answers(struct server_probe *probes, struct attempts *attempts,
			     uint64_t end_ns)
{
	struct pollfd *polls = xcalloc(attempts->count + 1, sizeof(*polls));
	bool waits = true;

	while (waits) {
		waits = false;
		for (size_t i = 0; i < attempts->count; i++) {
			bool open = is_open(probes, &attempts->items[i]);

			polls[i] = (struct pollfd){ open ? attempts->items[i].fd : -1, POLLOUT, 0 };
			waits = waits || open;
		}
		if (!waits || left_ms(end_ns) == 0 ||
		    poll(polls, attempts->count, left_ms(end_ns)) <= 0)
			break;
		for (size_t i = 0; i < attempts->count; i++) {
			if (polls[i].fd >= 0 && polls[i].revents)
				take_result(&probes[attempts->items[i].probe], &attempts->items[i]);
		}
	}
	free(polls);
}

/* As an error of connecting. */
static int query_error(struct name_query *query)
{
	int code = gai_error(&query->request);

	if (code == EAI_INPROGRESS)
		return -ETIMEDOUT;
	return code ? -EHOSTUNREACH : -ETIMEDOUT;
}

void server_probe(struct server_probe *probes, size_t count, int limit_ms)
{
	uint64_t end_ns = clock_now_ns() + (uint64_t)limit_ms * 1000000;
	struct name_query **queries = xcalloc(count + 1, sizeof(struct name_query *));
	struct attempts attempts = { 0 };
	bool proxy = has_proxy();

	for (size_t i = 0; i < count; i++) {
		queries[i] = start_query(&probes[i]);
		if (proxy && queries[i]) {
			end_query(queries[i]);
			queries[i] = NULL;
		}
	}
	wait_for_names(queries, count, end_ns);
	for (size_t i = 0; i < count; i++) {
		if (!queries[i])
			continue;
		probes[i].result = query_error(queries[i]);
		if (gai_error(&queries[i]->request) == 0)
			start_attempts(&probes[i], i, queries[i], &attempts);
	}
	wait_for_answers(probes, &attempts, end_ns);
	for (size_t i = 0; i < attempts.count; i++) {
		if (attempts.items[i].fd >= 0)
			(void)close(attempts.items[i].fd);
	}
	for (size_t i = 0; i < count; i++) {
		if (queries[i])
			end_query(queries[i]);
	}
	free(attempts.items);
	free(queries);
}
