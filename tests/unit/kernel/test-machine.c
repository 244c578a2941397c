#include "../../lib/tree.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "kernel/cgroup.h"
#include "kernel/cpus.h"
#include "kernel/kerneltext.h"
#include "kernel/privileges.h"

static void lists_of_cpus_are_sorted_and_each_is_in_once(void **state)
{
	struct cpus cpus = { 0 };

	assert_int_equal(cpus_parse(&cpus, "5,0-2,1\n", NULL), 0);
	assert_int_equal(cpus.count, 4);
	assert_int_equal(cpus.items[0], 0);
	assert_int_equal(cpus.items[3], 5);
	assert_true(cpus_has(&cpus, 2));
	assert_false(cpus_has(&cpus, 3));
	cpus_done(&cpus);
}

static void what_is_no_list_of_cpus_is_refused(void **state)
{
	static const char *const bad[] = { "", "a", "1,", "2-1", "-1", "1-", "99999999999", "1 2" };
	struct strobe_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cpus cpus = { 0 };

		assert_int_equal(cpus_parse(&cpus, bad[i], &err), -EINVAL);
		cpus_done(&cpus);
	}
	assert_string_equal(err.text, "'1 2' is no list of CPUs, such as 0-2,5");
}

static void cpus_online_are_what_sys_says(void **state)
{
	struct cpus cpus = { 0 };
	char root[32];

	tree_new(root);
	tree_text(root, "sys/devices/system/cpu/online", "0,2-3\n");
	assert_int_equal(cpus_online(&cpus, root, NULL), 0);
	assert_int_equal(cpus.count, 3);
	cpus_done(&cpus);
	tree_done(root);
}

static const char mounts_v1[] = "none /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
				"none /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n"
				"none /sys/fs/cgroup/perf_event cgroup rw,nosuid,perf_event 0 0\n";

static void the_v1_hierarchy_of_perf_event_goes_before_v2(void **state)
{
	char root[32];

	tree_new(root);
	tree_text(root, "proc/mounts", mounts_v1);
	tree_text(root, "sys/fs/cgroup/perf_event/a/b/x", "");
	int fd = cgroup_open(root, "/a/b", NULL);
	assert_true(fd >= 0);
	assert_int_equal(faccessat(fd, "x", R_OK, 0), 0);
	(void)close(fd);
	tree_done(root);
}

static void a_group_is_found_by_any_of_its_names(void **state)
{
	static const char *const names[] = { "/k.slice/p", "k.slice/p", "/mnt/cg/k.slice/p" };
	struct strobe_err err;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/mounts", "none /mnt/cg cgroup2 rw 0 0\n");
	tree_text(root, "mnt/cg/k.slice/p/x", "");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int fd = cgroup_open(root, names[i], NULL);

		assert_true(fd >= 0);
		assert_int_equal(faccessat(fd, "x", R_OK, 0), 0);
		(void)close(fd);
	}
	assert_int_equal(cgroup_open(root, "../cg/k.slice", NULL), -ENOENT);
	assert_int_equal(cgroup_open(root, "k.slice/..", NULL), -ENOENT);
	assert_int_equal(cgroup_open(root, "nosuch", &err), -ENOENT);
	assert_string_equal(err.text, "no cgroup 'nosuch' in '/mnt/cg': No such file or directory");
	assert_true(err.hint[0]);
	tree_done(root);
}

static void without_a_hierarchy_the_error_says_so(void **state)
{
	struct strobe_err err;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/mounts", "proc /proc proc rw 0 0\n");
	assert_int_equal(cgroup_open(root, "a", &err), -ENOENT);
	assert_string_equal(err.text, "cgroup 'a': no cgroup hierarchy is mounted here");
	tree_done(root);
}

static void count_group(void *context, uint64_t id, const char *path)
{
	if (strcmp(path, "/") == 0 || strcmp(path, "/a/b") == 0)
		++*(int *)context;
	assert_int_not_equal(id, 0);
}

static void a_walk_visits_every_group(void **state)
{
	int count = 0;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/mounts", "none /cg cgroup2 rw 0 0\n");
	tree_text(root, "cg/a/b/x", "");
	assert_int_equal(cgroup_walk(root, count_group, &count), 0);
	assert_int_equal(count, 2);
	tree_done(root);
}

/* A note that is not the build-id comes first. */
static const unsigned char notes[] = { 4, 0, 0,   0,   2,   0, 0,    0,    9,    0,
				       0, 0, 'X', 'Y', 'Z', 0, 1,    2,    0,    0,
				       4, 0, 0,   0,   3,   0, 0,    0,    3,    0,
				       0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0 };

static void the_kernels_text_and_build_id_are_found(void **state)
{
	struct kerneltext text;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/kallsyms",
		  "0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\n"
		  "ffffffff81000000 T _text\nffffffff81000100 T _etext_not\n"
		  "ffffffff82000000 T _etext\nffffffffc0000000 t x\t[m]\n");
	tree_add(root, "sys/kernel/notes", notes, sizeof(notes));
	assert_int_equal(kerneltext_load(root, &text), 0);
	assert_string_equal(text.symbol, "_text");
	assert_int_equal(text.start, 0xffffffff81000000);
	assert_int_equal(text.end, 0xffffffff82000000);
	assert_int_equal(text.build_id_size, 3);
	assert_memory_equal(text.build_id, "\xab\xcd\xef", 3);
	tree_done(root);
}

/* _etext is not in the list here: the size in memory does for it. */
static void the_texts_end_is_told_by_its_size_in_memory(void **state)
{
	struct kerneltext text;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/kallsyms",
		  "ffffffff81000000 T _stext\nffffffff81000010 T asm_entry\n"
		  "ffffffff81000100 T _text\n");
	tree_text(root, "proc/iomem",
		  "00001000-0009fbff : System RAM\n  01000000-02276f47 : Kernel code\n"
		  "  02400000-02e0cfff : Kernel rodata\n");
	assert_int_equal(kerneltext_load(root, &text), 0);
	assert_string_equal(text.symbol, "_stext");
	assert_int_equal(text.end, 0xffffffff82276f48);
	tree_done(root);
}

/* An ordinary user who may see the symbols may still not see where they lie in memory. */
static void a_hidden_size_in_memory_is_no_size(void **state)
{
	struct kerneltext text;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/kallsyms",
		  "ffffffff81000000 T _text\nffffffff81000010 T f\nffffffff82000000 T _etext\n");
	tree_text(root, "proc/iomem", "00000000-00000000 : Kernel code\n");
	assert_int_equal(kerneltext_load(root, &text), 0);
	assert_int_equal(text.end, 0xffffffff82000000);
	tree_done(root);
}

static void hidden_addresses_are_no_addresses(void **state)
{
	struct kerneltext text;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 T _text\n");
	assert_int_equal(kerneltext_load(root, &text), -EACCES);
	tree_done(root);
}

static void notes_that_are_cut_have_no_build_id(void **state)
{
	for (size_t size = 0; size < sizeof(notes) - 1; size++) {
		struct kerneltext text;
		char root[32];

		tree_new(root);
		tree_text(root, "proc/kallsyms", "10 T _text\n20 T _etext\n");
		tree_add(root, "sys/kernel/notes", notes, size);
		assert_int_equal(kerneltext_load(root, &text), 0);
		assert_int_equal(text.build_id_size, 0);
		tree_done(root);
	}
}

static void modules_have_their_build_ids(void **state)
{
	struct kerneltext_modules modules = { 0 };
	char root[32];

	tree_new(root);
	assert_int_equal(kerneltext_modules_load(root, &modules), 0);
	assert_int_equal(modules.count, 0);
	tree_text(root, "proc/modules",
		  "nf_nat 45056 1 nft_nat, Live 0xffffffffc0a00000\nbad line\n");
	tree_add(root, "sys/module/nf_nat/notes/.note.gnu.build-id", notes, sizeof(notes));
	assert_int_equal(kerneltext_modules_load(root, &modules), 0);
	assert_int_equal(modules.count, 1);
	assert_string_equal(modules.items[0].name, "nf_nat");
	assert_int_equal(modules.items[0].start, 0xffffffffc0a00000);
	assert_int_equal(modules.items[0].size, 45056);
	assert_int_equal(modules.items[0].build_id_size, 3);
	kerneltext_modules_done(&modules);
	tree_done(root);
}

static void the_limit_of_files_is_raised_as_far_as_needed(void **state)
{
	assert_true(privileges_raise_files(1));
	assert_false(privileges_has_cap(100));
}

static void advice_on_hidden_addresses_names_what_hides_them(void **state)
{
	char root[32];

	tree_new(root);
	tree_text(root, "proc/sys/kernel/kptr_restrict", "0\n");
	assert_null(strstr(kerneltext_advice(root), "kptr_restrict"));
	assert_non_null(strstr(kerneltext_advice(root), "perf_event_paranoid=1"));
	tree_text(root, "proc/sys/kernel/kptr_restrict", "1\n");
	assert_non_null(
		strstr(kerneltext_advice(root), "kptr_restrict=0 kernel.perf_event_paranoid=1"));
	tree_text(root, "proc/sys/kernel/kptr_restrict", "2\n");
	assert_non_null(strstr(kerneltext_advice(root), "kptr_restrict=1; then run as root"));
	tree_done(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_cpus_are_sorted_and_each_is_in_once),
		cmocka_unit_test(what_is_no_list_of_cpus_is_refused),
		cmocka_unit_test(cpus_online_are_what_sys_says),
		cmocka_unit_test(the_v1_hierarchy_of_perf_event_goes_before_v2),
		cmocka_unit_test(a_group_is_found_by_any_of_its_names),
		cmocka_unit_test(without_a_hierarchy_the_error_says_so),
		cmocka_unit_test(a_walk_visits_every_group),
		cmocka_unit_test(the_kernels_text_and_build_id_are_found),
		cmocka_unit_test(the_texts_end_is_told_by_its_size_in_memory),
		cmocka_unit_test(a_hidden_size_in_memory_is_no_size),
		cmocka_unit_test(hidden_addresses_are_no_addresses),
		cmocka_unit_test(notes_that_are_cut_have_no_build_id),
		cmocka_unit_test(modules_have_their_build_ids),
		cmocka_unit_test(the_limit_of_files_is_raised_as_far_as_needed),
		cmocka_unit_test(advice_on_hidden_addresses_names_what_hides_them),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
