#include "../test.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

static void an_empty_map_has_nothing(void **state)
{
	struct hash hash = { 0 };

	assert_null(hash_find(&hash, 0));
	assert_false(hash_remove(&hash, 0, NULL));
	assert_null(hash_next(&hash, NULL));
	hash_done(&hash);
}

static void any_key_keeps_its_value(void **state)
{
	static const uint64_t keys[] = { 0, 1, UINT64_MAX, UINT64_C(1) << 63, 0xffffffff81000000 };
	_cleanup_(hash_done) struct hash hash = { 0 };
	bool is_new;

	for (size_t i = 0; i < 5; i++) {
		struct hash_entry *entry = hash_add(&hash, keys[i], &is_new);

		assert_true(is_new);
		assert_int_equal(entry->number, 0);
		entry->index = i + 1;
	}
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(hash_add(&hash, keys[i], &is_new)->index, i + 1);
		assert_false(is_new);
	}
	assert_int_equal(hash.count, 5);
	assert_null(hash_find(&hash, 2));
}

/* A thousand steps of a fixed pseudo-random walk, checked against a plain array. */
static void adds_and_removes_agree_with_an_array(void **state)
{
	enum { KEYS = 200 };
	_cleanup_(hash_done) struct hash hash = { 0 };
	uint64_t model[KEYS] = { 0 }, random = 1;
	size_t count = 0;

	for (uint64_t step = 1; step < 20000; step++) {
		random = hash_u64(random);
		uint64_t key = random % KEYS;

		if (random >> 63) {
			count += model[key] == 0;
			model[key] = step;
			hash_add(&hash, key * 4096, NULL)->number = step;
		} else {
			struct hash_entry entry = { 0 };

			assert_int_equal(hash_remove(&hash, key * 4096, &entry), model[key] != 0);
			assert_int_equal(entry.number, model[key]);
			count -= model[key] != 0;
			model[key] = 0;
		}
		assert_int_equal(hash.count, count);
	}
	for (uint64_t key = 0; key < KEYS; key++) {
		const struct hash_entry *entry = hash_find(&hash, key * 4096);

		assert_int_equal(entry ? entry->number : 0, model[key]);
	}
}

static void walking_meets_each_entry_once(void **state)
{
	_cleanup_(hash_done) struct hash hash = { 0 };
	bool seen[1000] = { 0 };
	size_t count = 0;

	for (uint64_t key = 0; key < 1000; key++)
		hash_add(&hash, key, NULL);
	for (struct hash_entry *e = hash_next(&hash, NULL); e; e = hash_next(&hash, e), count++) {
		assert_false(seen[e->key]);
		seen[e->key] = true;
	}
	assert_int_equal(count, 1000);
}

static void bytes_of_every_length_hash_apart(void **state)
{
	static const char bytes[64] = { 0 };
	_cleanup_(hash_done) struct hash hash = { 0 };
	bool is_new;

	for (size_t size = 0; size <= sizeof(bytes); size++) {
		hash_add(&hash, hash_bytes(bytes, size), &is_new);
		assert_true(is_new);
	}
	assert_int_equal(hash_bytes("hot loop", 8), hash_bytes("hot loop!", 8));
	assert_int_not_equal(hash_bytes("hot loop", 8), hash_bytes("hot lo0p", 8));
	assert_int_not_equal(hash_bytes("12345678abcdefgh", 16),
			     hash_bytes("abcdefgh12345678", 16));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_has_nothing),
		cmocka_unit_test(any_key_keeps_its_value),
		cmocka_unit_test(adds_and_removes_agree_with_an_array),
		cmocka_unit_test(walking_meets_each_entry_once),
		cmocka_unit_test(bytes_of_every_length_hash_apart),
	};

	return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
