/*
 * proc.h - processes and threads as /proc shows them.
 *
 * @root is "" or NULL for the machine, or a folder with a proc/ in it. Processes come and go while
 * one looks: -ENOENT or -ESRCH mean that it has gone, and are no errors where many are read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct proc_ids {
	pid_t *items;
	size_t count, capacity;
};

void proc_ids_add(struct proc_ids *ids, pid_t id);
void proc_ids_done(struct proc_ids *ids);

/* Adds all processes, or the threads of one, in ascending order. */
int proc_pids(const char *root, struct proc_ids *ids);
int proc_threads(const char *root, pid_t pid, struct proc_ids *ids);

struct proc_task {
	pid_t pid, tid; /* the process (thread group), and the thread */
	pid_t ppid;     /* of the process */
	uid_t uid;      /* real */
	bool is_kernel; /* a kernel thread: it has no user space */
	char comm[64];  /* as it stands there: may hold any byte but NUL and newline */
};

/* Any thread; which process it belongs to comes out. */
int proc_task(const char *root, pid_t tid, struct proc_task *ret_task);

/* Device and inode of a task's namespaces, in the order of PERF_RECORD_NAMESPACES. */
enum { PROC_NAMESPACES = 7 };
struct proc_namespace {
	uint64_t dev, ino;
};
int proc_namespaces(const char *root, pid_t tid, struct proc_namespace ret_links[PROC_NAMESPACES]);

/*
 * The folder /tmp as a process sees it, which may be in a container: a descriptor of the caller's
 * that leads nowhere else. *ret_pid: what the process itself takes for its number.
 */
int proc_open_tmp(const char *root, pid_t pid, pid_t *ret_pid);

/* The user whose process it is (effective); root where the process may not be looked into. */
int proc_owner(const char *root, pid_t pid, uid_t *ret_uid);

/*
 * A descriptor that can be read (poll) once the thread has ended; before Linux 6.9 once its whole
 * process has.
 */
int proc_watch(pid_t tid);

/* A path by which a process runs its own program again, whatever became of the file's name. */
const char *proc_own_program(void);
