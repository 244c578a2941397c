/* test-server-probe.c - symbol/server-probe.h: hosts in urls, and ports that are there and not. */
#include "../test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "symbol/server-probe.h"

enum { LIMIT_MS = 300 };

static int without_proxies(void **state)
{
	static const char *const names[] = { "http_proxy", "https_proxy", "HTTPS_PROXY",
					     "all_proxy", "ALL_PROXY" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(unsetenv(names[i]), 0);
	return 0;
}

/* A socket of this machine that takes connections, or, bound alone, refuses them. */
static int local_socket(int queue, uint16_t *ret_port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	if (queue > 0)
		assert_int_equal(listen(fd, queue), 0);
	*ret_port = ntohs(address.sin_port);
	return fd;
}

static void the_host_is_found_in_a_url(void **state)
{
	static const struct {
		const char *url, *host;
	} cases[] = {
		{ "http://127.0.0.1", "127.0.0.1" },
		{ "http://127.0.0.1:1/", "127.0.0.1" },
		{ "https://user:pass@127.0.0.1:1/a@b", "127.0.0.1" },
		{ "http://[::1]:1/x", "::1" },
		{ "http://[::1", NULL },
		{ "http:///x", NULL },
		{ "ftp://127.0.0.1", NULL },
		{ "file:///srv", NULL },
		{ "127.0.0.1:1", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct server_probe probe = { .url = cases[i].url };

		server_probe(&probe, 1, LIMIT_MS);
		if (cases[i].host) {
			assert_int_equal(probe.host_size, strlen(cases[i].host));
			assert_memory_equal(probe.host, cases[i].host, probe.host_size);
		} else {
			assert_int_equal(probe.result, 0); /* nobody can tell */
		}
	}
}

static void a_port_that_takes_connections_is_reached(void **state)
{
	struct server_probe probes[2] = { 0 };
	char urls[2][64];
	uint16_t port[2];
	int listens = local_socket(4, &port[0]), refuses = local_socket(0, &port[1]);

	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(urls[i], sizeof(urls[i]), "http://127.0.0.1:%u/x", port[i]);
		probes[i].url = urls[i];
	}
	server_probe(probes, 2, 10000);
	assert_int_equal(probes[0].result, 0);
	assert_int_equal(probes[1].result, -ECONNREFUSED);
	(void)close(listens);
	(void)close(refuses);
}

static void through_a_proxy_nobody_can_tell(void **state)
{
	struct server_probe probe = { .url = "http://127.0.0.1:1/" };

	assert_int_equal(setenv("http_proxy", "http://127.0.0.1:2", 1), 0);
	server_probe(&probe, 1, LIMIT_MS);
	assert_int_equal(probe.result, 0);
	assert_int_equal(unsetenv("http_proxy"), 0);
}

static void a_host_that_has_no_address_takes_no_longer_than_the_limit(void **state)
{
	struct server_probe probe = { .url = "http://no-such-host.invalid/" };
	uint64_t began = clock_now_ns();

	server_probe(&probe, 1, LIMIT_MS);
	assert_true(probe.result < 0);
	assert_in_range((clock_now_ns() - began) / 1000000, 0, LIMIT_MS + 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_host_is_found_in_a_url),
		cmocka_unit_test(a_port_that_takes_connections_is_reached),
		cmocka_unit_test(through_a_proxy_nobody_can_tell),
		cmocka_unit_test(a_host_that_has_no_address_takes_no_longer_than_the_limit),
	};

	return cmocka_run_group_tests_name("server-probe", tests, without_proxies, NULL);
}
