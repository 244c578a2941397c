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

static void assert_class(enum data_src_kind kind, union perf_mem_data_src source, const char *name)
{
	assert_string_equal(data_src_class_name(kind, data_src_class(kind, source.val)), name);
}

static void an_access_is_of_one_class_of_each_kind(void **state)
{
	assert_class(DATA_SRC_OP, FIELDS(.mem_op = PERF_MEM_OP_STORE), "Store");
	assert_class(DATA_SRC_OP, FIELDS(.mem_op = PERF_MEM_OP_EXEC | PERF_MEM_OP_PFETCH),
		     "Pfetch");
	assert_class(DATA_SRC_OP, FIELDS(.mem_op = PERF_MEM_OP_NA | PERF_MEM_OP_LOAD), "Other");
	assert_class(DATA_SRC_CACHE, FIELDS(.mem_lvl_num = PERF_MEM_LVLNUM_L3), "L3");
	assert_class(DATA_SRC_MEMORY, FIELDS(.mem_lvl_num = PERF_MEM_LVLNUM_L3), "Other");
	assert_class(DATA_SRC_MEMORY, FIELDS(.mem_lvl_num = PERF_MEM_LVLNUM_RAM), "RAM");
	assert_class(DATA_SRC_SNOOP, FIELDS(.mem_snoop = PERF_MEM_SNOOP_HITM), "HitM");
	assert_class(DATA_SRC_DTLB,
		     FIELDS(.mem_dtlb = PERF_MEM_TLB_MISS | PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT),
		     "Miss");
	assert_class(DATA_SRC_DTLB, FIELDS(.mem_dtlb = PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT),
		     "L2-Hit");
	for (size_t kind = 0; kind < DATA_SRC_KINDS; kind++)
		assert_class((enum data_src_kind)kind, FIELDS(.val = 0), "Other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_done_has_a_name),
		cmocka_unit_test(levels_are_older_bits_or_a_number),
		cmocka_unit_test(answers_of_other_caches_are_listed),
		cmocka_unit_test(the_tlb_tells_level_and_outcome),
		cmocka_unit_test(locks_and_blocks_are_told),
		cmocka_unit_test(an_access_is_of_one_class_of_each_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
