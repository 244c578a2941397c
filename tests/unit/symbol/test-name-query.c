/* test-name-query.c - symbol/name-query.h: addresses, names without any, and who does not wait. */
#include "../test.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>

#include "base/clock.h"
#include "symbol/name-query.h"

#define SECOND UINT64_C(1000000000)

static void a_host_has_addresses_with_the_port(void **state)
{
	struct name_query *query = name_query_start("127.0.0.1", "8002");
	const struct addrinfo *addresses = NULL;
	const struct sockaddr_in *address;

	assert_non_null(query);
	assert_int_equal(name_query_wait(query, clock_now_ns() + 60 * SECOND, &addresses), 0);
	assert_non_null(addresses);
	assert_int_equal(addresses->ai_family, AF_INET);
	assert_int_equal(addresses->ai_socktype, SOCK_STREAM);
	address = (const struct sockaddr_in *)(const void *)addresses->ai_addr;
	assert_int_equal(ntohs(address->sin_port), 8002);
	assert_int_equal(ntohl(address->sin_addr.s_addr), INADDR_LOOPBACK);
	name_query_free(query);
}

static void a_port_that_is_no_number_has_none(void **state)
{
	struct name_query *query = name_query_start("127.0.0.1", "no such service");
	const struct addrinfo *addresses = NULL;

	assert_non_null(query);
	assert_int_equal(name_query_wait(query, clock_now_ns() + 60 * SECOND, &addresses),
			 -EHOSTUNREACH);
	assert_null(addresses);
	name_query_free(query);
}

/* Whoever of the two is last frees it: the sanitizers see if both do, or nobody. */
static void one_that_is_not_waited_for_clears_up_behind_itself(void **state)
{
	for (int i = 0; i < 50; i++) {
		struct name_query *query = name_query_start("127.0.0.1", "1");
		const struct addrinfo *addresses = NULL;
		int r;

		assert_non_null(query);
		r = i % 2 ? name_query_wait(query, 0, &addresses) : 0;
		assert_true(r == 0 || r == -ETIMEDOUT);
		name_query_free(query);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_has_addresses_with_the_port),
		cmocka_unit_test(a_port_that_is_no_number_has_none),
		cmocka_unit_test(one_that_is_not_waited_for_clears_up_behind_itself),
	};

	return cmocka_run_group_tests_name("name-query", tests, NULL, NULL);
}
