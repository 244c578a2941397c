/* proc.c - see proc.h. */
#include "kernel/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "base/str.h"
#include "kernel/folder.h"

void proc_ids_add(struct proc_ids *ids, pid_t id)
{
	grow(ids);
	ids->items[ids->count++] = id;
}

void proc_ids_done(struct proc_ids *ids)
{
	free(ids->items);
	*ids = (struct proc_ids){ 0 };
}

static int by_id(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Adds every entry of a folder whose name is a number. */
static int add_numbers(const char *path, struct proc_ids *ids)
{
	_cleanup_(folder_names_done) struct folder_names names = { 0 };
	size_t first = ids->count;
	int r = folder_list(path, &names);

	if (r < 0)
		return r;
	for (size_t i = 0; i < names.count; i++) {
		char *end;
		long id = strtol(names.items[i], &end, 10);

		if (isdigit((unsigned char)names.items[i][0]) && !*end && id <= INT32_MAX)
			proc_ids_add(ids, (pid_t)id);
	}
	if (ids->count > first)
		qsort(ids->items + first, ids->count - first, sizeof(*ids->items), by_id);
	return 0;
}

int proc_pids(const char *root, struct proc_ids *ids)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/proc", root ? root : "");
	return add_numbers(path, ids);
}

int proc_threads(const char *root, pid_t pid, struct proc_ids *ids)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/proc/%d/task", root ? root : "", (int)pid);
	return add_numbers(path, ids);
}

/* NULL: errno says why not. */
static FILE *open_file(const char *root, pid_t tid, const char *name)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/proc/%d/%s", root ? root : "", (int)tid, name);
	return fopen(path, "re");
}

/* The kernel escapes newline and backslash in status's Name, not in /proc/PID/comm: so that one. */
static int read_comm(const char *root, pid_t tid, char *comm, size_t size)
{
	_cleanup_(fclosep) FILE *file = open_file(root, tid, "comm");

	if (!file)
		return -errno;
	size_t length = fread(comm, 1, size - 1, file);
	if (ferror(file) || length == 0)
		return -ESRCH;
	if (comm[length - 1] == '\n')
		length--;
	comm[length] = '\0';
	return 0;
}

static void read_status_line(const char *line, struct proc_task *task)
{
	int id;

	if (sscanf(line, "Tgid: %d", &id) == 1)
		task->pid = id;
	else if (sscanf(line, "PPid: %d", &id) == 1)
		task->ppid = id;
	else if (sscanf(line, "Uid: %d", &id) == 1)
		task->uid = (uid_t)id;
	else if (strncmp(line, "VmPeak:", 7) == 0 || strncmp(line, "VmSize:", 7) == 0)
		task->is_kernel = false;
}

int proc_task(const char *root, pid_t tid, struct proc_task *ret_task)
{
	_cleanup_(fclosep) FILE *file = open_file(root, tid, "status");
	struct proc_task task = { .tid = tid, .is_kernel = true };
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;

	if (!file)
		return -errno;
	while (getline(&line, &size, file) > 0)
		read_status_line(line, &task);
	if (task.pid <= 0)
		return -ESRCH;

	int r = read_comm(root, tid, task.comm, sizeof(task.comm));
	if (r == 0)
		*ret_task = task;
	return r;
}

int proc_namespaces(const char *root, pid_t tid, struct proc_namespace ret_links[PROC_NAMESPACES])
{
	/* The order of the kernel's enum: NET, UTS, IPC, PID, USER, MNT, CGROUP. */
	static const char *const names[PROC_NAMESPACES] = { "net",  "uts", "ipc",   "pid",
							    "user", "mnt", "cgroup" };
	char path[4096];

	for (size_t i = 0; i < PROC_NAMESPACES; i++) {
		struct stat st;

		(void)snprintf(path, sizeof(path), "%s/proc/%d/ns/%s", root ? root : "", (int)tid,
			       names[i]);
		ret_links[i] = (struct proc_namespace){ 0 };
		if (stat(path, &st) == 0)
			ret_links[i] = (struct proc_namespace){ st.st_dev, st.st_ino };
		else if (i == 0)
			return -errno;
	}
	return 0;
}

/* "NStgid: 4711 12 1": its number in each PID namespace, the innermost last. */
static int read_inner_pid(const char *root, pid_t pid, pid_t *ret_pid)
{
	_cleanup_(fclosep) FILE *file = open_file(root, pid, "status");
	_cleanup_(freep) char *line = NULL;
	size_t size = 0;

	if (!file)
		return -errno;
	while (getline(&line, &size, file) > 0) {
		const char *numbers = str_after(line, "NStgid:");
		const char *last = numbers ? strrchr(numbers, '\t') : NULL;

		if (last && sscanf(last, "%d", ret_pid) == 1)
			return *ret_pid > 0 ? 0 : -ESRCH;
	}
	return -ENODATA; /* before Linux 4.1 */
}

int proc_open_tmp(const char *root, pid_t pid, pid_t *ret_pid)
{
	_cleanup_(closep) int top = -1;
	char path[4096];
	int fd, r = read_inner_pid(root, pid, ret_pid);

	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "%s/proc/%d/root", root ? root : "", (int)pid);
	top = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -errno;
	/* A link would lead through our own file system. */
	fd = openat(top, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int proc_owner(const char *root, pid_t pid, uid_t *ret_uid)
{
	char path[4096];
	struct stat status;

	(void)snprintf(path, sizeof(path), "%s/proc/%d", root ? root : "", (int)pid);
	if (stat(path, &status) < 0)
		return -errno;
	*ret_uid = status.st_uid;
	return 0;
}

int proc_watch(pid_t tid)
{
	const unsigned thread_flag = O_EXCL; /* PIDFD_THREAD */
	int fd = (int)syscall(SYS_pidfd_open, tid, thread_flag);
	struct proc_task task = { 0 };

	if (fd < 0 && errno == EINVAL && proc_task(NULL, tid, &task) == 0)
		fd = (int)syscall(SYS_pidfd_open, task.pid, 0);
	return fd < 0 ? -errno : fd;
}

const char *proc_own_program(void)
{
	return "/proc/self/exe";
}
