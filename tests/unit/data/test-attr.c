#include "../test.h"

#include <errno.h>
#include <stdbool.h>

#include "data/attr.h"

static void the_smallest_size_holds_every_field_in_use(void **state)
{
	assert_int_equal(attr_smallest_size(&(struct attr){ .bp_type = 1 }), 64);
	assert_int_equal(attr_smallest_size(&(struct attr){ .config2 = 1 }), 72);
	assert_int_equal(attr_smallest_size(&(struct attr){ .branch_sample_type = 1 }), 80);
	assert_int_equal(attr_smallest_size(&(struct attr){ .clockid = 1 }), 96);
	assert_int_equal(attr_smallest_size(&(struct attr){ .sample_regs_intr = 1 }), 104);
	assert_int_equal(attr_smallest_size(&(struct attr){ .sample_max_stack = 1 }), 112);
	assert_int_equal(attr_smallest_size(&(struct attr){ .aux_sample_size = 1 }), 120);
	assert_int_equal(attr_smallest_size(&(struct attr){ .sig_data = 1 }), 128);
	assert_int_equal(attr_smallest_size(&(struct attr){ .config3 = 1 }), 136);
	assert_int_equal(attr_smallest_size(&(struct attr){ .config4 = 1 }), ATTR_SIZE_FULL);
}

static void a_small_attr_is_filled_up_and_a_large_one_cut(void **state)
{
	struct {
		struct attr attr;
		uint64_t newer;
	} given = { .attr = { .size = 152, .config = 7, .config2 = 8 }, .newer = 9 };
	struct attr attr;

	assert_int_equal(attr_decode(&given, 63, false, &attr), -EINVAL);
	assert_int_equal(attr_decode(&given, ATTR_SIZE_MIN, false, &attr), 0);
	assert_int_equal(attr.config, 7);
	assert_int_equal(attr.config2, 0);
	assert_int_equal(attr_decode(&given, sizeof(given), false, &attr), 0);
	assert_int_equal(attr.config2, 8);
	assert_int_equal(attr.size, 152);
}

/* Flags as a big-endian machine has them: the first is the highest bit of the first byte. */
static void the_other_byte_order_keeps_numbers_and_flags(void **state)
{
	static const uint8_t flags[8] = { 0, 0x81, 0, 0,
					  0x01 }; /* mmap, precise_ip 2, defer_output */
	struct attr given = { .config = UINT64_C(0x0102) << 48, .sample_max_stack = 0x0405 }, attr;

	memcpy((char *)&given + offsetof(struct attr, read_format) + 8, flags, sizeof(flags));
	assert_int_equal(attr_decode(&given, sizeof(given), true, &attr), 0);
	assert_int_equal(attr.config, 0x0201);
	assert_int_equal(attr.sample_max_stack, 0x0504);
	assert_int_equal(attr.mmap, 1);
	assert_int_equal(attr.precise_ip, 2);
	assert_int_equal(attr.defer_output, 1);
	assert_int_equal(attr.comm + attr.mmap_data + attr.defer_callchain + attr.inherit, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_size_holds_every_field_in_use),
		cmocka_unit_test(a_small_attr_is_filled_up_and_a_large_one_cut),
		cmocka_unit_test(the_other_byte_order_keeps_numbers_and_flags),
	};

	return cmocka_run_group_tests_name("attr", tests, NULL, NULL);
}
