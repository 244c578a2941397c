/* test-cfi.c - object/cfi.h: rows are those that libdw finds, in whatever section they stand. */
#include "../test.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "object/cfi-index.h"
#include "object/cfi-program.h"
#include "object/cfi.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/symtab.h"

/* What cases opened, to be closed in the end. */
static struct elf_file *opened[32];
static size_t opened_count;

static struct elf_file *open_file(const char *path)
{
	assert_true(opened_count < sizeof(opened) / sizeof(opened[0]));
	assert_int_equal(elf_file_open(path, &opened[opened_count], NULL), 0);
	return opened[opened_count++];
}

static int close_files(void **state)
{
	while (opened_count > 0)
		elf_file_free(opened[--opened_count]);
	return 0;
}

static struct elf_file *sample(const char *layout)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"), layout);
	return open_file(path);
}

/* False where the tools could not make it. */
static bool has_sample(const char *layout)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"), layout);
	return access(path, R_OK) == 0;
}

static void check_cfa(Dwarf_Frame *frame, const struct cfi_row *row)
{
	Dwarf_Op *ops;
	size_t count;

	assert_int_equal(dwarf_frame_cfa(frame, &ops, &count), 0);
	if (row->cfa.kind != CFI_REGISTER) {
		assert_int_equal(row->cfa.kind, CFI_VALUE_EXPRESSION);
		return;
	}
	assert_int_equal(count, 1);
	assert_int_equal(ops[0].atom, DW_OP_bregx);
	assert_int_equal(ops[0].number, row->cfa.reg);
	assert_true((int64_t)ops[0].number2 == row->cfa_offset);
}

static void check_register(Dwarf_Frame *frame, const struct cfi_row *row, int number)
{
	const struct cfi_rule *rule = &row->registers[number];
	Dwarf_Op buffer[3], *ops;
	size_t count;

	assert_int_equal(dwarf_frame_register(frame, number, buffer, &ops, &count), 0);
	if (count == 0) {
		/* libdw knows of some that the ABI leaves them undefined. */
		assert_true(rule->kind == CFI_SAME || rule->kind == CFI_UNDEFINED);
		return;
	}
	if (rule->kind != CFI_OFFSET)
		return;
	assert_int_equal(ops[0].atom, DW_OP_call_frame_cfa);
	assert_true(count == 1 ? rule->offset == 0 : (int64_t)ops[1].number == rule->offset);
}

/* Returns how many of the addresses have a row. */
static size_t compare(const struct cfi *cfi, Dwarf_CFI *theirs, uint64_t begin, uint64_t end)
{
	size_t found = 0;

	for (uint64_t addr = begin; addr < end; addr++) {
		struct cfi_row row;
		Dwarf_Frame *frame = NULL;
		bool theirs_found = dwarf_cfi_addrframe(theirs, addr, &frame) == 0;

		assert_int_equal(cfi_find(cfi, addr, &row) == 0, theirs_found);
		if (!theirs_found)
			continue;
		check_cfa(frame, &row);
		for (int i = 0; i <= 16; i++)
			check_register(frame, &row, i);
		free(frame);
		found++;
	}
	return found;
}

static void check_code(const char *path, size_t most)
{
	_cleanup_(cfi_freep) struct cfi *cfi = cfi_new(open_file(path), NULL);
	struct elf_file *file = open_file(path);
	Dwarf_CFI *theirs = dwarf_getcfi_elf(elf_file_handle(file));
	size_t found = 0;

	assert_non_null(theirs);
	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_file_segment *segment = elf_file_segment(file, i);
		uint64_t size = segment->mem_size < most ? segment->mem_size : most;

		if (segment->executable)
			found += compare(cfi, theirs, segment->vaddr, segment->vaddr + size);
	}
	assert_true(found > 100);
	(void)dwarf_cfi_end(theirs);
}

static void rows_are_those_of_libdw(void **state)
{
	check_code("/proc/self/exe", 200000);
}

static void rows_of_a_library_with_hand_written_ones_are_too(void **state)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4096], path[4096] = "";

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (strstr(line, "/libc.so"))
			(void)sscanf(strchr(line, '/'), "%4095[^\n]", path);
	}
	(void)fclose(maps);
	if (!path[0])
		skip();
	check_code(path, 100000);
}

static struct cfi_row row_of(const struct cfi *cfi, const char *name)
{
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(cfi_file(cfi), NULL, NULL);
	const struct symbol *symbol = symtab_find_name(table, name);
	struct cfi_row row;

	assert_non_null(symbol);
	assert_int_equal(cfi_find(cfi, symbol->start, &row), 0);
	return row;
}

/* At its first instruction a function of any machine is called with the CFA near the stack. */
static void assert_as_good(const struct cfi *cfi)
{
	_cleanup_(cfi_freep) struct cfi *plain = cfi_new(sample("pie"), NULL);
	struct cfi_row is = row_of(cfi, "sample_global"), should = row_of(plain, "sample_global");

	assert_int_equal(is.cfa.reg, should.cfa.reg);
	assert_true(is.cfa_offset == should.cfa_offset);
	assert_int_equal(is.return_column, should.return_column);
}

static void a_debug_frame_is_as_good(void **state)
{
	_cleanup_(cfi_freep) struct cfi *debug = cfi_new(sample("debug-frame"), NULL);

	assert_as_good(debug);
	assert_null(elf_file_section_find(cfi_file(debug), ".debug_none"));
}

static void a_packed_debug_frame_is_as_good(void **state)
{
	static const struct {
		const char *layout, *name;
		enum unpack_kind packing;
	} packed[] = {
		{ "debug-frame-zlib-gabi", ".debug_frame", UNPACK_ZLIB },
		{ "debug-frame-zlib-gnu", ".zdebug_frame", UNPACK_ZLIB },
		{ "debug-frame-zstd", ".debug_frame", UNPACK_ZSTD },
	};
	size_t tried = 0;

	for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++) {
		_cleanup_(cfi_freep) struct cfi *cfi = NULL;
		const struct elf_file_section *section;

		if (!has_sample(packed[i].layout))
			continue;
		cfi = cfi_new(sample(packed[i].layout), NULL);
		section = elf_file_section_find(cfi_file(cfi), ".debug_frame");
		assert_non_null(section);
		assert_string_equal(section->name, packed[i].name);
		assert_int_equal(section->packing, packed[i].packing);
		assert_as_good(cfi);
		tried++;
	}
	if (tried == 0)
		skip();
}

static void a_debug_frame_may_lie_in_a_file_of_its_own(void **state)
{
	_cleanup_(cfi_freep) struct cfi *whole = cfi_new(sample("debug-frame"), NULL);
	_cleanup_(cfi_freep) struct cfi *stripped =
		cfi_new(sample("stripped-frame"), sample("debug-frame"));
	_cleanup_(cfi_freep) struct cfi *alone = cfi_new(sample("stripped-frame"), NULL);
	_cleanup_(symtab_freep) struct symtab *table =
		elf_symbols_load(cfi_file(whole), NULL, NULL);
	const struct symbol *symbol = symtab_find_name(table, "sample_global");
	struct cfi_row row;

	assert_int_equal(cfi_find(stripped, symbol->start, &row), 0);
	assert_int_equal(cfi_find(alone, symbol->start, &row), -ENOENT);
}

/* A program without sections, or with a header that cannot be searched, is unwound all the same. */
static void an_eh_frame_is_found_without_its_header_and_by_it_alone(void **state)
{
	struct cfi_section section = { .is_eh = true, .address_size = 8, .vaddr = 0x1000 };
	struct elf_file *file = sample("pie");
	const struct elf_file_section *found = elf_file_section_find(file, ".eh_frame");
	struct cfi_index index = { 0 };
	_cleanup_(cfi_freep) struct cfi *cfi = cfi_new(sample("pie"), NULL);
	size_t compared = 0;

	section.bytes = elf_file_section_bytes(file, found, &section.size);
	section.vaddr = found->vaddr;
	section.address_size = elf_file_is_64bit(file) ? 8 : 4;
	cfi_index_scan(&index, &section);
	assert_true(index.count > 5);
	for (size_t i = 0; i < index.count; i++) {
		struct cfi_row row, scanned;
		struct cfi_fde fde;
		size_t next, offset;

		assert_true(cfi_index_find(&index, &section, index.items[i].start, &offset));
		assert_int_equal(cfi_section_fde(&section, offset, &fde, &next), 0);
		assert_int_equal(cfi_program_run(&fde, elf_file_machine(file), fde.start, &scanned),
				 0);
		if (cfi_find(cfi, fde.start, &row) < 0)
			continue; /* the linker's table may leave out the PLT */
		assert_int_equal(row.cfa.reg, scanned.cfa.reg);
		assert_true(row.cfa_offset == scanned.cfa_offset);
		compared++;
	}
	assert_true(compared > 5);
	cfi_index_done(&index);
}

/* A CIE of arm64, and an FDE that runs @code. */
static int run_arm64(const uint8_t *code, size_t size, uint64_t at, struct cfi_row *ret_row)
{
	static const uint8_t initial[] = { DW_CFA_def_cfa, 31, 0 };
	const struct cfi_fde fde = {
		.cie = { .code_factor = 4,
			 .data_factor = -8,
			 .address_size = 8,
			 .return_column = 30,
			 .begin = initial,
			 .end = initial + sizeof(initial) },
		.start = 0x1000,
		.end = 0x2000,
		.begin = code,
		.end_bytes = code + size,
	};

	return cfi_program_run(&fde, 183 /* EM_AARCH64 */, at, ret_row);
}

static void arm64_says_where_return_addresses_are_signed(void **state)
{
	static const uint8_t code[] = { DW_CFA_advance_loc | 1,
					DW_CFA_GNU_window_save,
					DW_CFA_advance_loc | 1,
					DW_CFA_def_cfa_offset,
					16,
					DW_CFA_offset | 29,
					2,
					DW_CFA_offset | 30,
					1 };
	struct cfi_row row;

	assert_int_equal(run_arm64(code, sizeof(code), 0x1000, &row), 0);
	assert_false(row.return_is_signed);
	assert_int_equal(run_arm64(code, sizeof(code), 0x1004, &row), 0);
	assert_true(row.return_is_signed);
	assert_true(row.cfa_offset == 0);
	assert_int_equal(run_arm64(code, sizeof(code), 0x1008, &row), 0);
	assert_true(row.cfa_offset == 16);
	assert_true(row.registers[29].offset == -16 && row.registers[30].offset == -8);
}

static void states_are_remembered_and_damage_is_found(void **state)
{
	static const uint8_t code[] = { DW_CFA_remember_state, DW_CFA_def_cfa_offset, 32,
					DW_CFA_advance_loc | 1, DW_CFA_restore_state };
	static const uint8_t nothing_to_restore[] = { DW_CFA_restore_state };
	static const uint8_t cut_off[] = { DW_CFA_def_cfa_expression, 9, 1 };
	static const uint8_t unknown[] = { 0x3d };
	struct cfi_row row;

	assert_int_equal(run_arm64(code, sizeof(code), 0x1003, &row), 0);
	assert_true(row.cfa_offset == 32);
	assert_int_equal(run_arm64(code, sizeof(code), 0x1004, &row), 0);
	assert_true(row.cfa_offset == 0);
	assert_int_equal(run_arm64(nothing_to_restore, 1, 0x1000, &row), -EBADMSG);
	assert_int_equal(run_arm64(cut_off, sizeof(cut_off), 0x1000, &row), -EBADMSG);
	assert_int_equal(run_arm64(unknown, 1, 0x1000, &row), -EBADMSG);
}

static void stubs_of_arm64_leave_all_to_the_function_that_they_lead_to(void **state)
{
	char path[4096];
	const struct elf_file_section *plt;
	struct elf_file *file;
	struct cfi *cfi;
	struct cfi_row row;

	(void)snprintf(path, sizeof(path), "%s/sample-arm64", getenv("STROBE_SAMPLES"));
	if (access(path, R_OK) < 0)
		skip();
	file = open_file(path);
	plt = elf_file_section_find(file, ".plt");
	assert_non_null(plt);
	cfi = cfi_new(file, NULL);
	for (uint64_t addr = plt->vaddr; addr < plt->vaddr + plt->size; addr += 4) {
		assert_int_equal(cfi_find(cfi, addr, &row), 0);
		assert_int_equal(row.cfa.kind, CFI_REGISTER);
		assert_int_equal(row.cfa.reg, 31);
		assert_int_equal(row.cfa_offset, 0);
		assert_int_equal(row.return_column, 30);
		assert_int_equal(row.registers[30].kind, CFI_SAME);
	}
	assert_int_equal(cfi_find(cfi, plt->vaddr + plt->size, &row), -ENOENT);
	cfi_free(cfi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_those_of_libdw),
		cmocka_unit_test(rows_of_a_library_with_hand_written_ones_are_too),
		cmocka_unit_test(a_debug_frame_is_as_good),
		cmocka_unit_test(a_packed_debug_frame_is_as_good),
		cmocka_unit_test(a_debug_frame_may_lie_in_a_file_of_its_own),
		cmocka_unit_test(an_eh_frame_is_found_without_its_header_and_by_it_alone),
		cmocka_unit_test(stubs_of_arm64_leave_all_to_the_function_that_they_lead_to),
		cmocka_unit_test(arm64_says_where_return_addresses_are_signed),
		cmocka_unit_test(states_are_remembered_and_damage_is_found),
	};

	return cmocka_run_group_tests_name("cfi", tests, NULL, close_files);
}
