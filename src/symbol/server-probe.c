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
#include "symbol/name-query.h"

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

/* NULL if it needs none: nobody can tell then. */
static struct name_query *start_query(struct server_probe *probe, bool proxy)
{
	_cleanup_(freep) char *host = NULL, *digits = NULL;
	const char *port = NULL, *usual = NULL;

	probe->result = 0;
	probe->host = NULL;
	probe->host_size = 0;
	if (!parse(probe, &port, &usual) || proxy)
		return NULL;
	host = xstrndup(probe->host, probe->host_size);
	if (port)
		digits = xstrndup(port, strspn(port, "0123456789"));
	return name_query_start(host, digits ? digits : usual);
}

static int left_ms(uint64_t end_ns)
{
	uint64_t now = clock_now_ns();

	return now < end_ns ? (int)((end_ns - now) / 1000000) + 1 : 0;
}

static int connect_error(int code)
{
	/* A firewall's word. */
	return code == EACCES || code == EPERM ? -ECONNREFUSED : -code;
}

/* One attempt for each address; what fails at once is the result so far. */
static void start_attempts(struct server_probe *probe, size_t number,
			   const struct addrinfo *address, struct attempts *attempts)
{
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
		/* Without time left, what has been answered by now counts still. */
		if (!waits || poll(polls, attempts->count, left_ms(end_ns)) <= 0)
			break;
		for (size_t i = 0; i < attempts->count; i++) {
			if (polls[i].fd >= 0 && polls[i].revents)
				take_result(&probes[attempts->items[i].probe], &attempts->items[i]);
		}
	}
	free(polls);
}

void server_probe(struct server_probe *probes, size_t count, int limit_ms)
{
	uint64_t now_ns = clock_now_ns(), limit_ns = (uint64_t)limit_ms * 1000000;
	struct name_query **queries = xcalloc(count + 1, sizeof(struct name_query *));
	struct attempts attempts = { 0 };
	bool proxy = has_proxy();

	for (size_t i = 0; i < count; i++)
		queries[i] = start_query(&probes[i], proxy);
	for (size_t i = 0; i < count; i++) {
		const struct addrinfo *addresses;

		if (!queries[i])
			continue;
		/* A name that takes long leaves the other servers their time to answer. */
		probes[i].result = name_query_wait(queries[i], now_ns + limit_ns / 2, &addresses);
		if (probes[i].result == 0) {
			probes[i].result = -ETIMEDOUT;
			start_attempts(&probes[i], i, addresses, &attempts);
		}
	}
	wait_for_answers(probes, &attempts, now_ns + limit_ns);
	for (size_t i = 0; i < attempts.count; i++) {
		if (attempts.items[i].fd >= 0)
			(void)close(attempts.items[i].fd);
	}
	for (size_t i = 0; i < count; i++)
		name_query_free(queries[i]);
	free(attempts.items);
	free(queries);
}
