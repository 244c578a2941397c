/* test-elf.c - elf-file, elf-symbols, elf-plt, minidebug and debugfile on files that the linker
 * made. STROBE_SAMPLES is the folder with sample-LAYOUT, see sample.c and meson.build.
 */
#include "../test.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "object/debugfile.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"
#include "object/symtab.h"

static struct elf_file *sample(const char *layout)
{
	struct elf_file *file = NULL;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"), layout);
	if (access(path, F_OK) < 0 && !strcmp(layout, "lld"))
		skip(); /* that linker is not here */
	assert_int_equal(elf_file_open(path, &file, NULL), 0);
	return file;
}

/* A copy of a sample after shell commands; $S is the sample, $T the folder, $T/x the result. */
struct changed {
	char folder[64], path[80];
};

static void changed_done(struct changed *changed)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "rm -rf '%s'", changed->folder);
	assert_int_equal(system(line), 0);
}

static void change(struct changed *changed, const char *layout, const char *commands)
{
	char path[4096], line[8192];

	strcpy(changed->folder, "/tmp/strobe-elf-XXXXXX");
	assert_non_null(mkdtemp(changed->folder));
	(void)snprintf(changed->path, sizeof(changed->path), "%s/x", changed->folder);
	(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"), layout);
	(void)snprintf(line, sizeof(line), "set -e; S='%s'; T='%s'; cd $T; %s", path,
		       changed->folder, commands);
	if (system("command -v objcopy xz >/dev/null") != 0) {
		changed_done(changed);
		skip();
	}
	assert_int_equal(system(line), 0);
}

static uint64_t start_of(const struct symtab *table, const char *name)
{
	const struct symbol *symbol = symtab_find_name(table, name);

	if (!symbol)
		fail_msg("no symbol %s", name);
	return symbol ? symbol->start : 0;
}

static void check(const struct symtab *table, uint64_t addr, const char *name)
{
	const struct symbol *symbol = symtab_find(table, addr);

	if (!name && symbol)
		fail_msg("%lx is %s", (unsigned long)addr, symbol->name);
	if (name && !symbol)
		fail_msg("%lx is not found, but is %s", (unsigned long)addr, name);
	if (name && symbol)
		assert_string_equal(symbol->name, name);
}

static void what_is_not_elf_is_an_error(void **state)
{
	struct elf_file *file = NULL;
	struct strobe_err err = { 0 };

	assert_int_equal(elf_file_open("/nowhere/x", &file, &err), -ENOENT);
	assert_string_equal(err.text, "cannot open '/nowhere/x': No such file or directory");
	assert_int_equal(elf_file_open("/tmp", &file, &err), -ENOEXEC);
	assert_int_equal(elf_file_from_memory("text", 4, "x", &file, &err), -ENOEXEC);
	assert_string_equal(err.text, "'x' is not an ELF file");
	assert_int_equal(elf_file_from_memory(NULL, 0, "x", &file, &err), -ENOEXEC);
	assert_int_equal(elf_file_from_memory("\177ELF\2\1\1", 7, "x", &file, &err), -ENOEXEC);
}

static void offsets_and_vaddrs_lead_to_each_other(void **state)
{
	static const char *const layouts[] = { "pie", "exec", "lld", "far" };
	bool differed = false;

	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		struct elf_file *file = NULL;
		struct symtab *table;
		uint64_t addr, offset = 0, back = 0;
		char path[4096];

		(void)snprintf(path, sizeof(path), "%s/sample-%s", getenv("STROBE_SAMPLES"),
			       layouts[i]);
		if (elf_file_open(path, &file, NULL) < 0)
			continue;
		table = elf_symbols_load(file, NULL, NULL);
		addr = start_of(table, "sample_global");
		assert_true(elf_file_vaddr_to_offset(file, addr, &offset));
		assert_true(elf_file_offset_to_vaddr(file, offset, &back));
		assert_int_equal(addr, back);
		differed |= addr != offset;
		assert_false(elf_file_offset_to_vaddr(file, UINT64_MAX, &back));
		symtab_free(table);
		elf_file_free(file);
	}
	assert_true(differed);
}

/* A header and two segments, no sections. */
struct headers {
	Elf64_Ehdr file;
	Elf64_Phdr segments[2];
	char rest[0x2000];
};

static struct elf_file *with_segments(const Elf64_Phdr *first, const Elf64_Phdr *second)
{
	static const unsigned char ident[EI_NIDENT] = { 0x7f,       'E',         'L',       'F',
							ELFCLASS64, ELFDATA2LSB, EV_CURRENT };
	struct headers headers = { .file = { .e_type = ET_DYN,
					     .e_machine = EM_X86_64,
					     .e_version = EV_CURRENT,
					     .e_phoff = offsetof(struct headers, segments),
					     .e_ehsize = sizeof(Elf64_Ehdr),
					     .e_phentsize = sizeof(Elf64_Phdr),
					     .e_phnum = 2 },
				   .segments = { *first, *second } };
	struct elf_file *file = NULL;

	memcpy(headers.file.e_ident, ident, sizeof(ident));
	assert_int_equal(elf_file_from_memory(&headers, sizeof(headers), "x", &file, NULL), 0);
	return file;
}

static void bss_that_is_large_does_not_hide_a_later_segment(void **state)
{
	const Elf64_Phdr bss = { .p_type = PT_LOAD,
				 .p_flags = PF_R | PF_W,
				 .p_offset = 0x1000,
				 .p_vaddr = 0x400000,
				 .p_filesz = 0x100,
				 .p_memsz = 0x100000 };
	const Elf64_Phdr code = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_offset = 0x1100,
				  .p_vaddr = 0x600000,
				  .p_filesz = 0x100,
				  .p_memsz = 0x100 };
	_cleanup_(elf_file_freep) struct elf_file *file = with_segments(&bss, &code);
	uint64_t vaddr = 0;

	assert_true(elf_file_offset_to_vaddr(file, 0x1180, &vaddr));
	assert_int_equal(vaddr, 0x600080);
	assert_true(elf_file_offset_to_vaddr(file, 0x10ff, &vaddr));
	assert_int_equal(vaddr, 0x4000ff);
	assert_false(elf_file_offset_to_vaddr(file, 0x1200, &vaddr));
}

static void bytes_are_read_up_to_the_end_of_what_the_file_has(void **state)
{
	const Elf64_Phdr code = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_offset = 0,
				  .p_vaddr = 0x400000,
				  .p_filesz = 0x100,
				  .p_memsz = 0x1000 };
	const Elf64_Phdr beyond = { .p_type = PT_LOAD,
				    .p_flags = PF_R,
				    .p_offset = 0x2000,
				    .p_vaddr = 0x600000,
				    .p_filesz = 0x10000000,
				    .p_memsz = 0x10000000 };
	_cleanup_(elf_file_freep) struct elf_file *file = with_segments(&code, &beyond);
	char bytes[0x200];

	assert_int_equal(elf_file_read(file, 0x400000, bytes, 4), 4);
	assert_memory_equal(bytes,
			    "\x7f"
			    "ELF",
			    4);
	assert_int_equal(elf_file_read(file, 0x4000f0, bytes, sizeof(bytes)), 0x10);
	assert_int_equal(elf_file_read(file, 0x400100, bytes, sizeof(bytes)), 0);
	assert_int_equal(elf_file_read(file, 0x3fffff, bytes, sizeof(bytes)), 0);
	assert_true(elf_file_read(file, 0x600000, bytes, sizeof(bytes)) <= sizeof(bytes));
	assert_int_equal(elf_file_read(file, 0x6fffff, bytes, sizeof(bytes)), 0);
}

static void of_two_segments_with_one_offset_the_executable_one_is_meant(void **state)
{
	const Elf64_Phdr text = { .p_type = PT_LOAD,
				  .p_flags = PF_R | PF_X,
				  .p_offset = 0x1000,
				  .p_vaddr = 0x2000,
				  .p_filesz = 0x800,
				  .p_memsz = 0x800 };
	const Elf64_Phdr all = { .p_type = PT_LOAD,
				 .p_flags = PF_R,
				 .p_offset = 0,
				 .p_vaddr = 0,
				 .p_filesz = 0x2000,
				 .p_memsz = 0x2000 };
	_cleanup_(elf_file_freep) struct elf_file *before = with_segments(&text, &all);
	_cleanup_(elf_file_freep) struct elf_file *after = with_segments(&all, &text);
	uint64_t vaddr = 0;

	assert_true(elf_file_offset_to_vaddr(before, 0x1010, &vaddr));
	assert_int_equal(vaddr, 0x2010);
	assert_true(elf_file_offset_to_vaddr(after, 0x1010, &vaddr));
	assert_int_equal(vaddr, 0x2010);
	assert_true(elf_file_offset_to_vaddr(after, 0x1800, &vaddr));
	assert_int_equal(vaddr, 0x1800);
}

static void an_open_file_says_what_it_is(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("pie");
	const struct elf_file_section *text = elf_file_section_find(file, ".text");
	const uint8_t *id = NULL;
	uint32_t crc = 0;
	size_t size = 0;

	assert_int_equal(elf_file_type(file), ET_DYN);
	assert_int_equal(elf_file_build_id(file, &id), 20);
	assert_true(elf_file_has_symtab(file));
	assert_null(elf_file_debuglink(file, &crc));
	assert_true(elf_file_segment_count(file) >= 2);
	assert_non_null(text);
	assert_true(text->flags & SHF_EXECINSTR);
	assert_non_null(elf_file_section_bytes(file, text, &size));
	assert_int_equal(size, text->size);
	assert_null(elf_file_section_find(file, ".no_such"));
}

static void symbols_are_those_in_the_source(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("pie");
	size_t damaged = 1;
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(file, NULL, &damaged);

	assert_int_equal(damaged, 0);
	check(table, start_of(table, "sample_static"), "sample_static");
	check(table, start_of(table, "sample_weak"), "sample_global");
	assert_ptr_equal(symtab_find_name(table, "sample_weak"),
			 symtab_find(table, start_of(table, "sample_weak")) + 1);
	assert_int_equal(symtab_find_name(table, "sample_table")->type, SYMBOL_OBJECT);
	assert_int_equal(symtab_find(table, start_of(table, "sample_table") + 255)->type,
			 SYMBOL_OBJECT);
	assert_null(symtab_find_name(table, "sample_thread_local"));
	assert_null(symtab_find_name(table, "sample.c"));
	assert_null(symtab_find_name(table, "sample_unloaded"));
	check(table, 0, NULL);
}

static void assembly_without_sizes_is_named_up_to_the_next_symbol(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("pie");
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(file, NULL, NULL);
	uint64_t sizeless, label, outer;

	if (elf_file_machine(file) != EM_X86_64)
		skip();
	sizeless = start_of(table, "sample_sizeless");
	label = start_of(table, "sample_label");
	outer = start_of(table, "sample_asm_outer");
	assert_int_equal(label, sizeless + 64);
	check(table, sizeless + 63, "sample_sizeless");
	check(table, label, "sample_label");
	assert_null(symtab_find_name(table, "sample_hidden_label"));
	check(table, label + 32, "sample_label");
	check(table, outer + 15, "sample_asm_outer");
	check(table, outer + 16, "sample_asm_inner");
	check(table, outer + 32, "sample_asm_outer");
}

/* Counts what objdump thinks stubs are called, and checks that each is called so here too. */
static void compare_stubs(const char *layout)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample(layout);
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(file, NULL, NULL);
	char line[4096 + 64], name[256];
	unsigned long addr;
	int count = 0;
	FILE *objdump;

	(void)snprintf(line, sizeof(line), "objdump -d '%s' 2>/dev/null", elf_file_name(file));
	objdump = popen(line, "re");
	assert_non_null(objdump);
	while (fgets(line, sizeof(line), objdump)) {
		/* "0000000000401030 <malloc@plt>:" */
		if (sscanf(line, "%lx <%255[^>]>:", &addr, name) != 2 || !strstr(name, "@plt") ||
		    strstr(name, "-0x") || name[0] == '*')
			continue;
		check(table, addr, name);
		check(table, addr + 7, name);
		count++;
	}
	(void)pclose(objdump);
	if (count == 0)
		skip(); /* no objdump */
	assert_true(count >= 3);
	assert_non_null(symtab_find_name(table, "malloc@plt"));
	assert_int_equal(symtab_find_name(table, "malloc@plt")->type, SYMBOL_PLT);
}

static void stubs_of_the_plt_are_named_when_bound_at_start(void **state)
{
	compare_stubs("pie");
}

static void stubs_of_the_plt_are_named_when_bound_lazily(void **state)
{
	compare_stubs("exec");
}

static void stubs_of_the_plt_are_named_with_ibt(void **state)
{
	compare_stubs("ibt");
}

static void stubs_of_the_plt_are_named_in_lld_layout(void **state)
{
	compare_stubs("lld");
}

static void a_stub_for_an_ifunc_has_the_name_at_the_resolver(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("pie");
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(file, NULL, NULL);

	if (elf_file_machine(file) != EM_X86_64)
		skip();
	assert_non_null(symtab_find_name(table, "sample_ifunc@plt"));
}

static void a_far_address_in_a_stripped_file_is_not_the_last_sizeless_symbol(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(symtab_freep) struct symtab *table = NULL;
	struct changed changed;
	uint64_t start;

	change(&changed, "big", "strip -o x $S");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	changed_done(&changed);
	assert_false(elf_file_has_symtab(file));
	table = elf_symbols_load(file, NULL, NULL);
	start = start_of(table, "sample_sizeless_far");
	check(table, start, "sample_sizeless_far");
	check(table, start + 4095, "sample_sizeless_far");
	check(table, start + 4096, NULL);
	check(table, start + 1024 * 1024, NULL);
}

static void a_debug_file_names_what_was_stripped(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL, *debug = NULL;
	_cleanup_(symtab_freep) struct symtab *bare = NULL, *table = NULL;
	static const char *const roots[] = { "/nowhere" };
	struct changed changed;
	uint32_t crc = 0;

	change(&changed, "pie",
	       "objcopy --only-keep-debug $S x.debug; strip -o x $S; "
	       "objcopy --add-gnu-debuglink=x.debug x");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	assert_string_equal(elf_file_debuglink(file, &crc), "x.debug");
	assert_int_equal(debugfile_find(file, changed.path, roots, 1, &debug), 1);
	changed_done(&changed);
	bare = elf_symbols_load(file, NULL, NULL);
	table = elf_symbols_load(file, debug, NULL);
	assert_null(symtab_find_name(bare, "sample_static"));
	check(table, start_of(table, "sample_static"), "sample_static");
	assert_non_null(symtab_find_name(table, "malloc@plt"));
}

static void a_debug_file_is_looked_for_by_build_id_first(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("pie"), *debug = NULL;
	struct debugfile_paths paths = { 0 };
	struct changed changed;
	const char *roots[2];
	const uint8_t *id = NULL;
	char want[256];

	change(&changed, "pie",
	       "id=$(readelf -n $S | sed -n 's/.*Build ID: //p'); "
	       "mkdir -p .build-id/$(echo $id | cut -c1-2); "
	       "objcopy --only-keep-debug $S .build-id/$(echo $id | cut -c1-2)/$(echo $id | cut "
	       "-c3-).debug");
	roots[0] = "/nowhere";
	roots[1] = changed.folder;
	debugfile_candidates(file, "/usr/bin/x", roots, 2, &paths);
	assert_int_equal(paths.count, 2); /* no debug link */
	assert_int_equal(elf_file_build_id(file, &id), 20);
	(void)snprintf(want, sizeof(want), "/nowhere/.build-id/%02x/%02x%02x", id[0], id[1], id[2]);
	assert_memory_equal(paths.items[0], want, strlen(want));
	debugfile_paths_done(&paths);
	assert_int_equal(debugfile_find(file, "/usr/bin/x", roots, 2, &debug), 1);
	changed_done(&changed);
}

static void a_debug_file_of_another_build_is_refused(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL, *debug = NULL;
	static const char *const roots[] = { "/nowhere" };
	struct debugfile_paths paths = { 0 };
	struct changed changed;
	char path[128];

	change(&changed, "pie",
	       "objcopy --only-keep-debug ${S%-pie}-exec x.debug; strip -o x $S; "
	       "objcopy --add-gnu-debuglink=x.debug x");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	assert_int_equal(debugfile_find(file, changed.path, roots, 1, &debug), 0);
	debugfile_candidates(file, changed.path, roots, 1, &paths);
	assert_int_equal(paths.count, 4);
	(void)snprintf(path, sizeof(path), "%s/x.debug", changed.folder);
	assert_string_equal(paths.items[1], path);
	(void)snprintf(path, sizeof(path), "%s/.debug/x.debug", changed.folder);
	assert_string_equal(paths.items[2], path);
	(void)snprintf(path, sizeof(path), "/nowhere%s/x.debug", changed.folder);
	assert_string_equal(paths.items[3], path);
	debugfile_paths_done(&paths);
	changed_done(&changed);
}

static void without_build_ids_the_checksum_decides(void **state)
{
	struct elf_file *file = NULL, *debug = NULL;
	struct changed changed;
	char path[128];

	change(&changed, "pie",
	       "objcopy --remove-section=.note.gnu.build-id $S a; "
	       "objcopy --only-keep-debug a x.debug; strip -o x a; "
	       "objcopy --add-gnu-debuglink=x.debug x; cp x.debug y; printf x >> y");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	(void)snprintf(path, sizeof(path), "%s/x.debug", changed.folder);
	assert_int_equal(elf_file_open(path, &debug, NULL), 0);
	assert_int_equal(debugfile_compare(file, debug), DEBUGFILE_FITS);
	elf_file_free(debug);
	(void)snprintf(path, sizeof(path), "%s/y", changed.folder);
	assert_int_equal(elf_file_open(path, &debug, NULL), 0);
	assert_int_equal(debugfile_compare(file, debug), DEBUGFILE_OTHER_CRC);
	elf_file_free(debug);
	elf_file_free(file);
	changed_done(&changed);
}

static void mini_debug_info_names_static_functions(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(symtab_freep) struct symtab *table = NULL;
	struct changed changed;

	change(&changed, "pie",
	       "objcopy --only-keep-debug $S mini; xz -k mini; strip -o x $S; "
	       "objcopy --add-section .gnu_debugdata=mini.xz x");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	changed_done(&changed);
	assert_false(elf_file_has_symtab(file));
	table = elf_symbols_load(file, NULL, NULL);
	check(table, start_of(table, "sample_static") + 1, "sample_static");
}

static void a_damaged_mini_debug_info_leaves_the_other_symbols(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(symtab_freep) struct symtab *table = NULL;
	struct changed changed;

	change(&changed, "pie",
	       "objcopy --only-keep-debug $S mini; xz mini; head -c 200 mini.xz >half; "
	       "strip -o x $S; objcopy --add-section .gnu_debugdata=half x");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	changed_done(&changed);
	table = elf_symbols_load(file, NULL, NULL);
	assert_null(symtab_find_name(table, "sample_static"));
	assert_non_null(symtab_find_name(table, "malloc@plt"));
}

static void a_moved_file_fits_its_debug_file(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL, *debug = sample("exec");
	_cleanup_(symtab_freep) struct symtab *table = NULL, *before = NULL;
	struct changed changed;

	change(&changed, "exec",
	       "strip -o y $S; objcopy --change-section-address .text+0x1000 y x 2>/dev/null");
	assert_int_equal(elf_file_open(changed.path, &file, NULL), 0);
	changed_done(&changed);
	before = elf_symbols_load(debug, NULL, NULL);
	table = elf_symbols_load(file, debug, NULL);
	assert_int_equal(start_of(table, "sample_static"),
			 start_of(before, "sample_static") + 0x1000);
}

static void an_object_file_has_offsets_for_vaddrs(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *file = sample("object.o");
	_cleanup_(symtab_freep) struct symtab *table = elf_symbols_load(file, NULL, NULL);
	uint64_t vaddr = 0;

	assert_int_equal(elf_file_type(file), ET_REL);
	assert_true(start_of(table, "sample_global") >=
		    elf_file_section_find(file, ".text")->offset);
	assert_true(elf_file_offset_to_vaddr(file, 0x1234, &vaddr));
	assert_int_equal(vaddr, 0x1234);
}

/* Whatever bytes are changed, nothing worse may happen than fewer symbols. */
static void damaged_files_are_survived(void **state)
{
	_cleanup_(elf_file_freep) struct elf_file *good = sample("pie");
	_cleanup_(freep) uint8_t *bytes = NULL;
	size_t size;
	uint32_t seed = 7;
	int opened = 0;
	FILE *file = fopen(elf_file_name(good), "re");

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = (size_t)ftell(file);
	bytes = xcalloc(1, size);
	for (int round = 0; round < 1500; round++) {
		struct elf_file *bad = NULL;

		rewind(file);
		assert_int_equal(fread(bytes, 1, size, file), size);
		for (int i = 0; i < 24; i++) {
			size_t at;

			seed = seed * 1103515245 + 12345;
			/* half of them into the section headers at the end, some into the front */
			at = i % 2 ? size - 1 - (seed >> 8) % 2048 : (seed >> 8) % size;
			if (i == 0 && round % 4 == 0)
				at = 16 + (seed >> 8) % 600;
			seed = seed * 1103515245 + 12345;
			bytes[at] = (uint8_t)(seed >> 16);
		}
		/* a part of them is cut short, too */
		if (elf_file_from_memory(bytes, round % 3 ? size : (seed >> 4) % size, "bad", &bad,
					 NULL) < 0)
			continue;
		opened++;
		symtab_free(elf_symbols_load(bad, NULL, NULL));
		symtab_free(elf_symbols_load(good, bad, NULL));
		elf_file_free(bad);
	}
	(void)fclose(file);
	assert_true(opened > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_elf_is_an_error),
		cmocka_unit_test(offsets_and_vaddrs_lead_to_each_other),
		cmocka_unit_test(bss_that_is_large_does_not_hide_a_later_segment),
		cmocka_unit_test(bytes_are_read_up_to_the_end_of_what_the_file_has),
		cmocka_unit_test(of_two_segments_with_one_offset_the_executable_one_is_meant),
		cmocka_unit_test(an_open_file_says_what_it_is),
		cmocka_unit_test(symbols_are_those_in_the_source),
		cmocka_unit_test(assembly_without_sizes_is_named_up_to_the_next_symbol),
		cmocka_unit_test(stubs_of_the_plt_are_named_when_bound_at_start),
		cmocka_unit_test(stubs_of_the_plt_are_named_when_bound_lazily),
		cmocka_unit_test(stubs_of_the_plt_are_named_with_ibt),
		cmocka_unit_test(stubs_of_the_plt_are_named_in_lld_layout),
		cmocka_unit_test(a_stub_for_an_ifunc_has_the_name_at_the_resolver),
		cmocka_unit_test(a_far_address_in_a_stripped_file_is_not_the_last_sizeless_symbol),
		cmocka_unit_test(a_debug_file_names_what_was_stripped),
		cmocka_unit_test(a_debug_file_is_looked_for_by_build_id_first),
		cmocka_unit_test(a_debug_file_of_another_build_is_refused),
		cmocka_unit_test(without_build_ids_the_checksum_decides),
		cmocka_unit_test(mini_debug_info_names_static_functions),
		cmocka_unit_test(a_damaged_mini_debug_info_leaves_the_other_symbols),
		cmocka_unit_test(a_moved_file_fits_its_debug_file),
		cmocka_unit_test(an_object_file_has_offsets_for_vaddrs),
		cmocka_unit_test(damaged_files_are_survived),
	};

	return cmocka_run_group_tests_name("elf", tests, NULL, NULL);
}
