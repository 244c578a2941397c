#include "../test.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "collect/bpf-records.h"
#include "collect/recordbuf.h"
#include "data/body.h"
#include "data/bpfinfo.h"
#include "data/record.h"
#include "kernel/bpf-programs.h"

/* Two functions; the second's tag is 8 times 0xbb. */
struct arrays {
	uint64_t addrs[2];
	uint32_t sizes[2];
	uint8_t tags[2][8];
};

static struct arrays arrays = {
	.addrs = { 0xffffffffc0000100, 0xffffffffc0000200 },
	.sizes = { 23, 35 },
	.tags = { { 0x11 }, { 0xbb, 0xbb, 0xbb, 0xbb, 0xbb, 0xbb, 0xbb, 0xbb } },
};

static struct bpf_prog_info info = {
	.id = 7,
	.tag = { 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa },
	.name = "mine",
	.nr_jited_ksyms = 2,
	.nr_jited_func_lens = 2,
	.nr_prog_tags = 2,
	.jited_ksyms = offsetof(struct arrays, addrs),
	.jited_func_lens = offsetof(struct arrays, sizes),
	.prog_tags = offsetof(struct arrays, tags),
};

static struct bpf_program program = {
	.id = 7,
	.info = (uint8_t *)&info,
	.info_size = sizeof(info),
	.arrays = (uint8_t *)&arrays,
	.arrays_size = sizeof(arrays),
	.array_mask = 1 << 3 | 1 << 4 | 1 << 8,
};

static const struct bpf_programs programs = { .items = &program, .count = 1 };

static void functions_are_named_as_the_kernel_names_them(void **state)
{
	_cleanup_(recordbuf_done) struct recordbuf buf = { .trailer_size = 8 };
	const struct record_ksymbol *symbol;
	const struct record_bpf_event *event;
	const char *at;

	bpf_records_add(&programs, &buf);
	at = buf.bytes.text;
	symbol = (const void *)at;
	assert_int_equal(symbol->header.type, PERF_RECORD_KSYMBOL);
	assert_int_equal(symbol->addr, 0xffffffffc0000100);
	assert_int_equal(symbol->size, 23);
	assert_int_equal(symbol->ksym_type, 1);
	assert_string_equal(symbol->name, "bpf_prog_aaaaaaaaaaaaaaaa_mine");
	at += symbol->header.size;
	symbol = (const void *)at;
	assert_int_equal(symbol->addr, 0xffffffffc0000200);
	assert_string_equal(symbol->name, "bpf_prog_bbbbbbbbbbbbbbbb_F");
	at += symbol->header.size;
	event = (const void *)at;
	assert_int_equal(event->header.type, PERF_RECORD_BPF_EVENT);
	assert_int_equal(event->type, 1);
	assert_int_equal(event->id, 7);
	assert_memory_equal(event->tag, info.tag, sizeof(info.tag));
	at += event->header.size;
	assert_ptr_equal(at, buf.bytes.text + buf.bytes.size);
}

static void hidden_addresses_make_no_symbols(void **state)
{
	_cleanup_(recordbuf_done) struct recordbuf buf = { 0 };
	struct arrays before = arrays;

	memset(arrays.addrs, 0, sizeof(arrays.addrs));
	bpf_records_add(&programs, &buf);
	arrays = before;
	const struct perf_event_header *header = (const void *)buf.bytes.text;

	assert_int_equal(header->type, PERF_RECORD_BPF_EVENT);
}

static void a_program_without_its_arrays_has_no_functions(void **state)
{
	_cleanup_(recordbuf_done) struct recordbuf buf = { 0 };
	struct bpf_program cut = program;
	const struct bpf_programs few = { .items = &cut, .count = 1 };

	cut.arrays_size = 4;
	bpf_records_add(&few, &buf);
	assert_int_equal(buf.bytes.size, 0);
}

static void types_come_out_as_they_went_in(void **state)
{
	_cleanup_(body_done) struct body_out out = { 0 };
	struct arena arena = { 0 };
	uint8_t bytes[] = "some types";
	struct bpf_program_types types = { .id = 3, .bytes = bytes, .size = sizeof(bytes) };
	const struct bpf_programs with = { .types = &types, .types_count = 1 };
	struct bpfinfo_btfs btfs;

	bpf_records_types(&with, &out);
	assert_int_equal(bpfinfo_btfs_decode(out.bytes, out.size, false, &arena, &btfs), 0);
	assert_int_equal(btfs.count, 1);
	assert_int_equal(btfs.items[0].id, 3);
	assert_int_equal(btfs.items[0].size, sizeof(bytes));
	assert_memory_equal(btfs.items[0].bytes, bytes, sizeof(bytes));
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_named_as_the_kernel_names_them),
		cmocka_unit_test(hidden_addresses_make_no_symbols),
		cmocka_unit_test(a_program_without_its_arrays_has_no_functions),
		cmocka_unit_test(types_come_out_as_they_went_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
