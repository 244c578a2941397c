/* test-unpack.c - object/unpack.h on what the compressors themselves made. */
#include "../test.h"

#include <errno.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "object/unpack.h"

enum { TEXT_SIZE = 100000, ROOM = 200000 };

struct packed {
	uint8_t text[TEXT_SIZE], bytes[ROOM];
	size_t size;
};

static int fill(void **state)
{
	struct packed *packed = xnew(struct packed);

	for (size_t i = 0; i < TEXT_SIZE; i++)
		packed->text[i] = (uint8_t)(i * i >> 7);
	*state = packed;
	return 0;
}

static int done(void **state)
{
	free(*state);
	return 0;
}

static void pack(struct packed *packed, enum unpack_kind kind, size_t text_size)
{
	uLongf size = ROOM;
	size_t at = 0;

	switch (kind) {
	case UNPACK_ZLIB:
		assert_int_equal(compress(packed->bytes, &size, packed->text, text_size), Z_OK);
		break;
	case UNPACK_ZSTD:
		size = ZSTD_compress(packed->bytes, ROOM, packed->text, text_size, 3);
		assert_false(ZSTD_isError(size));
		break;
	default:
		assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, packed->text,
							 text_size, packed->bytes, &at, ROOM),
				 LZMA_OK);
		size = at;
	}
	packed->size = size;
}

static const enum unpack_kind kinds[] = { UNPACK_ZLIB, UNPACK_ZSTD, UNPACK_XZ };
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static size_t whole_of(enum unpack_kind kind, size_t size)
{
	return kind == UNPACK_XZ ? 0 : size;
}

static void what_was_packed_comes_out_again(void **state)
{
	struct packed *packed = *state;

	for (size_t i = 0; i < KINDS; i++) {
		_cleanup_(freep) void *bytes = NULL;
		size_t size = 0;

		pack(packed, kinds[i], TEXT_SIZE);
		assert_int_equal(unpack(kinds[i], packed->bytes, packed->size,
					whole_of(kinds[i], TEXT_SIZE), &bytes, &size),
				 0);
		assert_int_equal(size, TEXT_SIZE);
		assert_memory_equal(bytes, packed->text, TEXT_SIZE);
	}
}

static void what_is_cut_short_is_damaged(void **state)
{
	struct packed *packed = *state;

	for (size_t i = 0; i < KINDS; i++) {
		void *bytes = NULL;
		size_t size = 0;

		pack(packed, kinds[i], TEXT_SIZE);
		assert_int_equal(unpack(kinds[i], packed->bytes, packed->size / 2,
					whole_of(kinds[i], TEXT_SIZE), &bytes, &size),
				 -EBADMSG);
		assert_null(bytes);
	}
}

static void a_size_that_is_not_so_is_damage(void **state)
{
	struct packed *packed = *state;

	for (size_t i = 0; i < KINDS; i++) {
		void *bytes = NULL;
		size_t size = 0;

		if (kinds[i] == UNPACK_XZ)
			continue;
		pack(packed, kinds[i], TEXT_SIZE);
		for (int by = -1; by <= 1; by += 2)
			assert_int_equal(unpack(kinds[i], packed->bytes, packed->size,
						(size_t)(TEXT_SIZE + by), &bytes, &size),
					 -EBADMSG);
		assert_int_equal(unpack(kinds[i], packed->bytes, packed->size, 0, &bytes, &size),
				 -EBADMSG);
	}
}

static void no_size_is_believed_that_such_bytes_do_not_have(void **state)
{
	struct packed *packed = *state;
	void *bytes = NULL;
	size_t size = 0;

	pack(packed, UNPACK_ZLIB, TEXT_SIZE);
	assert_int_equal(unpack(UNPACK_ZLIB, packed->bytes, 100, SIZE_MAX, &bytes, &size), -EFBIG);
	assert_int_equal(unpack(UNPACK_ZSTD, packed->bytes, 100, 2UL << 20, &bytes, &size), -EFBIG);
}

static void bytes_of_an_unknown_kind_are_damaged(void **state)
{
	void *bytes = NULL;
	size_t size = 0;

	assert_int_equal(unpack(UNPACK_UNKNOWN, "x", 1, 1, &bytes, &size), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_packed_comes_out_again),
		cmocka_unit_test(what_is_cut_short_is_damaged),
		cmocka_unit_test(a_size_that_is_not_so_is_damage),
		cmocka_unit_test(no_size_is_believed_that_such_bytes_do_not_have),
		cmocka_unit_test(bytes_of_an_unknown_kind_are_damaged),
	};

	return cmocka_run_group_tests(tests, fill, done);
}
