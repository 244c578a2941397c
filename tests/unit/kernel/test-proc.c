#include "../../lib/tree.h"

#include <errno.h>
#include <sys/mman.h>

#include "kernel/proc.h"
#include "kernel/procmaps.h"
#include "kernel/sysctl.h"

static void a_thread_names_its_process_and_its_parent(void **state)
{
	struct proc_task task;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/12/status",
		  "Name:\tx\\ny\nTgid:\t10\nPid:\t12\nPPid:\t7\nUid:\t1000\t0\t0\t0\nVmPeak:\t4 "
		  "kB\n");
	tree_text(root, "proc/12/comm", "a (b) c\n");
	assert_int_equal(proc_task(root, 12, &task), 0);
	assert_int_equal(task.pid, 10);
	assert_int_equal(task.tid, 12);
	assert_int_equal(task.ppid, 7);
	assert_int_equal(task.uid, 1000);
	assert_false(task.is_kernel);
	assert_string_equal(task.comm, "a (b) c");
	assert_int_equal(proc_task(root, 13, &task), -ENOENT);
	tree_done(root);
}

static void a_task_without_memory_is_the_kernels(void **state)
{
	struct proc_task task;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/2/status", "Name:\tkthreadd\nTgid:\t2\nPPid:\t0\nUid:\t0\t0\t0\t0\n");
	tree_text(root, "proc/2/comm", "kthreadd\n");
	assert_int_equal(proc_task(root, 2, &task), 0);
	assert_true(task.is_kernel);
	tree_done(root);
}

static void only_numbers_are_processes_and_they_come_in_order(void **state)
{
	struct proc_ids ids = { 0 };
	char root[32];

	tree_new(root);
	tree_text(root, "proc/100/comm", "");
	tree_text(root, "proc/20/comm", "");
	tree_text(root, "proc/3x/comm", "");
	tree_text(root, "proc/self/comm", "");
	assert_int_equal(proc_pids(root, &ids), 0);
	assert_int_equal(ids.count, 2);
	assert_int_equal(ids.items[0], 20);
	assert_int_equal(ids.items[1], 100);
	proc_ids_done(&ids);
	assert_int_equal(proc_threads(root, 55, &ids), -ENOENT);
	proc_ids_done(&ids);
	tree_done(root);
}

static void mappings_keep_blanks_and_deleted_in_their_names(void **state)
{
	struct procmaps maps;
	struct procmaps_entry entry;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/5/maps",
		  "00400000-00401000 r-xp 00002000 fe:01 248139       /tmp/a b (x)/v (deleted)\n"
		  "this is no mapping\n"
		  "7f0000000000-7f0000002000 rw-s 00000000 00:00 0 \n"
		  "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]");
	assert_int_equal(procmaps_open(&maps, root, 5), 0);
	assert_true(procmaps_next(&maps, &entry));
	assert_int_equal(entry.start, 0x400000);
	assert_int_equal(entry.end, 0x401000);
	assert_int_equal(entry.pgoff, 0x2000);
	assert_int_equal(entry.prot, PROT_READ | PROT_EXEC);
	assert_int_equal(entry.flags, MAP_PRIVATE);
	assert_int_equal(entry.maj, 0xfe);
	assert_int_equal(entry.min, 1);
	assert_int_equal(entry.ino, 248139);
	assert_string_equal(entry.name, "/tmp/a b (x)/v (deleted)");
	assert_true(procmaps_next(&maps, &entry));
	assert_int_equal(entry.flags, MAP_SHARED);
	assert_string_equal(entry.name, "");
	assert_true(procmaps_next(&maps, &entry));
	assert_string_equal(entry.name, "[vsyscall]");
	assert_false(procmaps_next(&maps, &entry));
	procmaps_done(&maps);
	tree_done(root);
}

static void a_newline_in_a_name_is_one_again(void **state)
{
	struct procmaps maps;
	struct procmaps_entry entry;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/5/maps", "1000-2000 r-xp 0 fe:01 7 /tmp/a\\012b\\011c\\");
	assert_int_equal(procmaps_open(&maps, root, 5), 0);
	assert_true(procmaps_next(&maps, &entry));
	assert_string_equal(entry.name, "/tmp/a\nb\\011c\\");
	procmaps_done(&maps);
	tree_done(root);
}

/* The first byte of what is opened for a mapping of that inode and name; '-': nothing is. */
static char mapped_byte(const char *root, uint64_t ino, const char *name)
{
	const struct procmaps_entry entry = {
		.start = 0x1000, .end = 0x2000, .ino = ino, .name = name
	};
	int fd = procmaps_open_file(root, 5, &entry);
	char byte = '-';

	if (fd < 0)
		return byte;
	assert_int_equal(read(fd, &byte, 1), 1);
	(void)close(fd);
	return byte;
}

static uint64_t inode_of(const char *root, const char *name)
{
	char path[64];
	struct stat status;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(stat(path, &status), 0);
	return status.st_ino;
}

static void the_file_of_a_mapping_is_opened_by_its_inode(void **state)
{
	char root[32];

	tree_new(root);
	tree_text(root, "proc/5/map_files/1000-2000", "m");
	tree_text(root, "proc/5/root/bin/ant", "n");
	tree_text(root, "proc/5/exe", "e");
	uint64_t mapped = inode_of(root, "proc/5/map_files/1000-2000");
	uint64_t named = inode_of(root, "proc/5/root/bin/ant");
	uint64_t executable = inode_of(root, "proc/5/exe");

	assert_int_equal(mapped_byte(root, mapped, "/bin/ant (deleted)"), 'm');
	assert_int_equal(mapped_byte(root, named, "/bin/ant"), 'n');
	assert_int_equal(mapped_byte(root, named, "/bin/bee"), '-');
	assert_int_equal(mapped_byte(root, executable, "/bin/ant (deleted)"), 'e');
	assert_int_equal(mapped_byte(root, executable + named, "/bin/ant"), '-');
	assert_int_equal(mapped_byte(root, inode_of(root, "proc/5"), "/"), '-');
	tree_done(root);
}

static void a_setting_is_a_number_that_may_be_negative(void **state)
{
	int64_t value = 7;
	char root[32];

	tree_new(root);
	tree_text(root, "proc/sys/" SYSCTL_PARANOID, "-1\n");
	tree_text(root, "proc/sys/" SYSCTL_MAX_RATE, "many\n");
	assert_int_equal(sysctl_read(root, SYSCTL_PARANOID, &value), 0);
	assert_int_equal(value, -1);
	assert_int_equal(sysctl_read(root, SYSCTL_MAX_RATE, &value), -EINVAL);
	assert_int_equal(sysctl_read(root, SYSCTL_MLOCK_KB, &value), -ENOENT);
	assert_int_equal(value, -1);
	tree_done(root);
}

static void this_process_has_namespaces_and_threads(void **state)
{
	struct proc_namespace links[PROC_NAMESPACES];
	struct proc_ids ids = { 0 };

	assert_int_equal(proc_namespaces(NULL, getpid(), links), 0);
	assert_int_not_equal(links[0].ino, 0);
	assert_int_equal(proc_threads(NULL, getpid(), &ids), 0);
	assert_int_equal(ids.items[0], getpid());
	proc_ids_done(&ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_names_its_process_and_its_parent),
		cmocka_unit_test(a_task_without_memory_is_the_kernels),
		cmocka_unit_test(only_numbers_are_processes_and_they_come_in_order),
		cmocka_unit_test(mappings_keep_blanks_and_deleted_in_their_names),
		cmocka_unit_test(a_newline_in_a_name_is_one_again),
		cmocka_unit_test(the_file_of_a_mapping_is_opened_by_its_inode),
		cmocka_unit_test(a_setting_is_a_number_that_may_be_negative),
		cmocka_unit_test(this_process_has_namespaces_and_threads),
	};

	return cmocka_run_group_tests_name("proc", tests, NULL, NULL);
}
