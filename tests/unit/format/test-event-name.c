#include "../test.h"

#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "data/events.h"
#include "format/event-name.h"

static void is_called(struct attr attr, const char *expected)
{
	_cleanup_(str_done) struct str name = { 0 };

	event_name_add(&name, &attr);
	assert_string_equal(str_text(&name), expected);
}

static void each_type_has_names(void **state)
{
	is_called((struct attr){ .type = PERF_TYPE_HARDWARE, .config = 1 }, "instructions");
	is_called((struct attr){ .type = PERF_TYPE_HARDWARE, .config = UINT64_C(4) << 32 },
		  "cpu/cycles/");
	is_called((struct attr){ .type = PERF_TYPE_SOFTWARE, .config = 2 }, "page-faults");
	is_called((struct attr){ .type = PERF_TYPE_SOFTWARE, .config = 999 }, "unknown-software");
	is_called((struct attr){ .type = PERF_TYPE_RAW, .config = 0x1a8 }, "raw 0x1a8");
	is_called((struct attr){ .type = PERF_TYPE_BREAKPOINT, .bp_addr = 0x1000, .bp_type = 3 },
		  "mem:0x1000:rw");
	is_called((struct attr){ .type = PERF_TYPE_TRACEPOINT, .config = 5, .exclude_user = 1 },
		  "unknown tracepoint id=0x5");
	is_called((struct attr){ .type = 77, .config = 1 }, "unknown event PMU=77 config=0x1");
}

static void caches_are_named_by_cache_access_and_result(void **state)
{
	is_called((struct attr){ .type = PERF_TYPE_HW_CACHE, .config = 0x10000 },
		  "L1-dcache-load-misses");
	is_called((struct attr){ .type = PERF_TYPE_HW_CACHE, .config = 0x102 }, "LLC-stores");
	is_called((struct attr){ .type = PERF_TYPE_HW_CACHE, .config = 0x101 }, "invalid-cache");
	is_called((struct attr){ .type = PERF_TYPE_HW_CACHE, .config = 0x20000 },
		  "unknown-ext-hardware-cache-result");
}

static void modifiers_say_what_is_left_out(void **state)
{
	struct attr attr = { .type = PERF_TYPE_HARDWARE };

	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	is_called(attr, "cycles:u");
	attr.precise_ip = 2;
	is_called(attr, "cycles:upp");
	attr.exclude_host = 1;
	is_called(attr, "cycles:uppG");
}

static void a_name_in_the_file_goes_before_one_of_the_attr(void **state)
{
	_cleanup_(str_done) struct str text = { 0 };

	event_name_add_desc(&text, &(struct event_desc){ .name = "mine" });
	event_name_add_desc(&text, &(struct event_desc){ .attr.type = PERF_TYPE_SOFTWARE });
	assert_string_equal(str_text(&text), "minecpu-clock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_type_has_names),
		cmocka_unit_test(caches_are_named_by_cache_access_and_result),
		cmocka_unit_test(modifiers_say_what_is_left_out),
		cmocka_unit_test(a_name_in_the_file_goes_before_one_of_the_attr),
	};

	return cmocka_run_group_tests_name("event-name", tests, NULL, NULL);
}
