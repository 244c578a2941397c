#include "../test.h"

#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "format/attr-text.h"
#include "format/event-name.h"

/* All expected texts are what perf evlist -v says of a file with the same attr. */

static void assert_text(const struct attr *attr, const char *expected)
{
	_cleanup_(str_done) struct str text = { 0 };

	attr_text_add(&text, attr, ": ", "sched:sched_switch");
	assert_string_equal(str_text(&text), expected);
}

static void assert_name(const struct attr *attr, const char *expected)
{
	_cleanup_(str_done) struct str text = { 0 };

	event_name_add(&text, attr);
	assert_string_equal(str_text(&text), expected);
}

static void an_empty_attr_has_type_size_and_config(void **state)
{
	assert_text(&(struct attr){ .size = 64 },
		    "type: 0 (PERF_TYPE_HARDWARE), size: 64, config: 0 (PERF_COUNT_HW_CPU_CYCLES)");
	assert_text(&(struct attr){ .type = 6, .size = 64, .config = 0x1a8 },
		    "type: 6, size: 64, config: 0x1a8");
	assert_text(&(struct attr){ .type = 2, .size = 64, .config = 372 },
		    "type: 2 (PERF_TYPE_TRACEPOINT), size: 64, config: 0x174 (sched:sched_switch)");
}

static void the_fields_behind_the_flags_have_the_order_and_base_of_perf(void **state)
{
	struct attr attr = {
		.type = 5,
		.size = 144,
		.wakeup_events = 7,
		.bp_type = 3,
		.config1 = 0x1000,
		.config2 = 2,
		.branch_sample_type = (1 << 21) - 1,
		.sample_regs_user = 5,
		.sample_stack_user = 6,
		.clockid = -1,
		.sample_regs_intr = 8,
		.aux_watermark = 9,
		.sample_max_stack = 10,
		.aux_sample_size = 11,
		.aux_action = 7,
		.sig_data = 13,
		.config3 = 14,
		.config4 = 15,
		.defer_output = 1,
		.precise_ip = 2,
	};

	assert_text(&attr,
		    "type: 5 (PERF_TYPE_BREAKPOINT), size: 144, config: 0, precise_ip: 2, "
		    "defer_output: 1, { wakeup_events, wakeup_watermark }: 7, bp_type: 3, "
		    "{ bp_addr, config1 }: 0x1000, { bp_len, config2 }: 0x2, branch_sample_type: "
		    "USER|KERNEL|HV|ANY|ANY_CALL|ANY_RETURN|IND_CALL|ABORT_TX|IN_TX|NO_TX|COND|"
		    "CALL_STACK|IND_JUMP|CALL|NO_FLAGS|NO_CYCLES|TYPE_SAVE|HW_INDEX|PRIV_SAVE|"
		    "COUNTERS, sample_regs_user: 0x5, sample_stack_user: 6, clockid: -1, "
		    "sample_regs_intr: 0x8, aux_watermark: 9, sample_max_stack: 10, "
		    "aux_sample_size: 11, sig_data: 13, aux_start_paused: 1, aux_pause: 1, "
		    "aux_resume: 1");
}

static void a_cache_event_is_spelled_out_unless_it_makes_no_sense(void **state)
{
	assert_text(&(struct attr){ .type = 3, .size = 64, .config = 0x10200 },
		    "type: 3 (PERF_TYPE_HW_CACHE), size: 64, config: 0x10200 "
		    "(PERF_COUNT_HW_CACHE_RESULT_MISS | PERF_COUNT_HW_CACHE_OP_PREFETCH | "
		    "PERF_COUNT_HW_CACHE_L1D)");
	assert_text(&(struct attr){ .type = 3, .size = 64, .config = 0x300 },
		    "type: 3 (PERF_TYPE_HW_CACHE), size: 64, config: 0x300");
}

static void bits_without_a_name_alone_are_a_number(void **state)
{
	assert_text(&(struct attr){ .type = 1, .size = 64, .config = 9, .sample_type = 1 << 27 },
		    "type: 1 (PERF_TYPE_SOFTWARE), size: 64, config: 0x9 (PERF_COUNT_SW_DUMMY), "
		    "sample_type: 0x8000000");
}

static void names_of_events_are_those_of_perf(void **state)
{
	assert_name(&(struct attr){ .type = 0, .config = 4 }, "branches");
	assert_name(&(struct attr){ .type = 0, .config = 0x400000003 }, "cpu/cache-misses/");
	assert_name(&(struct attr){ .type = 0, .config = 0x1a8 }, "unknown-hardware");
	assert_name(&(struct attr){ .type = 1, .config = 1 }, "task-clock");
	assert_name(&(struct attr){ .type = 1, .config = 10 }, "unknown-software");
	assert_name(&(struct attr){ .type = 2, .config = 5 }, "unknown tracepoint id=0x5");
	assert_name(&(struct attr){ .type = 3, .config = 0x10000 }, "L1-dcache-load-misses");
	assert_name(&(struct attr){ .type = 3, .config = 2 }, "LLC-loads");
	assert_name(&(struct attr){ .type = 3, .config = 0x101 }, "invalid-cache");
	assert_name(&(struct attr){ .type = 3, .config = 7 }, "unknown-ext-hardware-cache-type");
	assert_name(&(struct attr){ .type = 4 }, "raw 0x0");
	assert_name(&(struct attr){ .type = 5, .bp_type = 3, .bp_addr = 255 }, "mem:0xff:rw");
	assert_name(&(struct attr){ .type = 5 }, "mem:0x0:");
	assert_name(&(struct attr){ .type = 4294901760, .config = 3 },
		    "unknown event PMU=-65536 config=0x3");
}

static void modifiers_say_who_is_counted(void **state)
{
	assert_name(&(struct attr){ .exclude_kernel = 1, .exclude_hv = 1 }, "cycles:u");
	assert_name(&(struct attr){ .exclude_hv = 1 }, "cycles:ku");
	assert_name(&(struct attr){ .exclude_user = 1, .precise_ip = 2 }, "cycles:khpp");
	assert_name(&(struct attr){ .exclude_user = 1, .exclude_kernel = 1, .exclude_hv = 1 },
		    "cycles");
	assert_name(&(struct attr){ .precise_ip = 3, .exclude_guest = 1 }, "cycles:pppH");
	assert_name(&(struct attr){ .exclude_host = 1 }, "cycles:G");
	assert_name(&(struct attr){ .exclude_host = 1, .exclude_guest = 1 }, "cycles");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_attr_has_type_size_and_config),
		cmocka_unit_test(the_fields_behind_the_flags_have_the_order_and_base_of_perf),
		cmocka_unit_test(a_cache_event_is_spelled_out_unless_it_makes_no_sense),
		cmocka_unit_test(bits_without_a_name_alone_are_a_number),
		cmocka_unit_test(names_of_events_are_those_of_perf),
		cmocka_unit_test(modifiers_say_who_is_counted),
	};

	return cmocka_run_group_tests_name("attr-text", tests, NULL, NULL);
}
