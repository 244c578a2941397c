/* test-data-src.c - the parts of a data source in words. */
#include "../test.h"

#include <linux/perf_event.h>

#include "base/str.h"
#include "format/data-src.h"

typedef void add(struct str *out, uint64_t data_src);

static void assert_text(add *part, union perf_mem_data_src fields, const char *expected)
{
	struct str text = { 0 };

	part(&text, fields.val);
	assert_string_equal(str_text(&text), expected);
	str_done(&text);
}

#define FIELDS(...) ((union perf_mem_data_src){ __VA_ARGS__ })

static void what_was_done_has_a_name(void **state)
{
	assert_text(data_src_add_operation, FIELDS(.mem_op = PERF_MEM_OP_STORE), "STORE");
	assert_text(data_src_add_operation, FIELDS(.mem_op = 0), "No");
}

static void levels_are_older_bits_or_a_number(void **state)
{
	enum { HIT = PERF_MEM_LVL_HIT, MISS = PERF_MEM_LVL_MISS };

	assert_text(data_src_add_level, FIELDS(.mem_lvl = 0), "N/A");
	assert_text(data_src_add_level, FIELDS(.mem_lvl = PERF_MEM_LVL_L1 | HIT), "L1 hit");
	assert_text(data_src_add_level, FIELDS(.mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_L2 | HIT),
		    "L1 or L2 hit");
	assert_text(data_src_add_level, FIELDS(.mem_lvl = MISS, .mem_lvl_num = 3, .mem_remote = 1),
		    "Remote L3 miss");
	assert_text(data_src_add_level,
		    FIELDS(.mem_lvl = HIT, .mem_lvl_num = 1, .mem_remote = 1, .mem_hops = 2),
		    "Remote node, same socket L1 hit");
	assert_text(data_src_add_level, FIELDS(.mem_lvl = HIT, .mem_lvl_num = 7),
		    "Unknown level 7 hit");
	assert_text(data_src_add_level, FIELDS(.mem_lvl = HIT, .mem_lvl_num = 15), "N/A");
}

static void answers_of_other_caches_are_listed(void **state)
{
	assert_text(data_src_add_snoop, FIELDS(.mem_snoop = 0), "N/A");
	assert_text(data_src_add_snoop, FIELDS(.mem_snoop = PERF_MEM_SNOOP_HITM), "HitM");
	assert_text(data_src_add_snoop, FIELDS(.mem_snoop = PERF_MEM_SNOOP_HIT, .mem_snoopx = 1),
		    "Hit or Fwd");
}

static void the_tlb_tells_level_and_outcome(void **state)
{
	assert_text(data_src_add_tlb, FIELDS(.mem_dtlb = PERF_MEM_TLB_HIT), "N/A hit");
	assert_text(data_src_add_tlb,
		    FIELDS(.mem_dtlb = PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT),
		    "L1 or L2 hit");
}

static void locks_and_blocks_are_told(void **state)
{
	assert_text(data_src_add_lock, FIELDS(.mem_lock = 0), "No");
	assert_text(data_src_add_lock, FIELDS(.mem_lock = PERF_MEM_LOCK_NA), "N/A");
	assert_text(data_src_add_lock, FIELDS(.mem_lock = PERF_MEM_LOCK_LOCKED), "Yes");
	assert_text(data_src_add_blocked, FIELDS(.mem_blk = 0), " N/A");
	assert_text(data_src_add_blocked, FIELDS(.mem_blk = PERF_MEM_BLK_DATA | PERF_MEM_BLK_ADDR),
		    " Data Addr");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_done_has_a_name),
		cmocka_unit_test(levels_are_older_bits_or_a_number),
		cmocka_unit_test(answers_of_other_caches_are_listed),
		cmocka_unit_test(the_tlb_tells_level_and_outcome),
		cmocka_unit_test(locks_and_blocks_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
