/*
 * synthesize.h - what a reader must know of the time before the recording, as records: who runs,
 * under which name, and what is mapped where.
 *
 * The kernel tells of what changes while events are open; what was there before is read from /proc
 * and written as records of the same kind with time 0. Call it after the events have been started,
 * so that nothing falls between.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bpf_programs;
struct eventset;
struct procmaps_entry;
struct stage;
struct strobe_err;
struct target;
struct writer;

enum {
	SYNTHESIZE_TASKS = 1 << 0,
	SYNTHESIZE_MMAPS = 1 << 1,
	SYNTHESIZE_CGROUPS = 1 << 2,
	SYNTHESIZE_ALL = 7,
};

/* Bytes of the build-id of the file of a mapping (at most 20, to @ret_id), or 0. */
typedef size_t synthesize_build_id(void *context, pid_t pid, const struct procmaps_entry *map,
				   uint8_t ret_id[20]);

struct synthesize_options {
	unsigned what;   /* SYNTHESIZE_* */
	bool data_maps;  /* mappings that are not executable too (-d) */
	bool namespaces; /* NAMESPACES records */
	bool cgroups;    /* CGROUP records */
	bool kernel_map; /* the kernel is watched at all */
	/* The BPF programs: loaded into it, and written as records; NULL: none. */
	struct bpf_programs *bpf;
	pid_t waiting; /* a child that has yet to exec: of it only the name; 0: none */
	synthesize_build_id *build_id; /* NULL: MMAP2 records have device and inode instead */
	void *context;                 /* of build_id */
	struct stage *stage;           /* it is shown the records; or NULL */
};

/* "no", "all", or a list of "task", "mmap", "cgroup". */
int synthesize_parse(const char *text, unsigned *ret_what, struct strobe_err *err);

/* The records at the beginning: ids, kernel, BPF programs, threads, CPUs, tasks, FINISHED_INIT. */
int synthesize_start(const struct synthesize_options *options, const struct eventset *set,
		     struct writer *writer, struct strobe_err *err);
