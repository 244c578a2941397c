/*
 * timeline.h - processes, threads, address spaces and names over time, from side-band records.
 *
 * Two phases: all side-band records go in (in any order: they carry their time), then
 * timeline_settle(); after that it does not change, and any thread may ask any question about
 * any moment. So a sample that comes before its mmap in the file is right too.
 *
 * A moment is a record's time, or, in a recording without times, its place in the file.
 *
 *   process  pid, born and gone; a pid that is used again is another process
 *     maps   [start, end) from the moment of the MMAP on; the youngest that holds the
 *            address wins; exec ends all earlier ones; a child has its parent's up to the fork
 *   thread   tid, its names from moment to moment; a child begins with its parent's
 *   kernel   one address space: text, modules, BPF and other KSYMBOLs, each from when to when
 *
 * Pointers are borrowed and live as long as the timeline.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/dso.h"
#include "model/instant.h"
#include "model/namespaces.h"

struct timeline;
struct record;

struct map {
	uint64_t start, end; /* [start, end) */
	uint64_t pgoff;      /* file offset of start, bytes; of the kernel's text: see timeline.c */
	const struct dso *dso;
	uint32_t prot, flags; /* PROT_*, MAP_* as MMAP2 says; PROT_EXEC or 0, and 0 from MMAP */
	bool has_inode;       /* the record tells device and inode; else they are 0 */
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	const char *symbol; /* of code that a JIT dump told of: the whole mapping is one function,
			       called so; pgoff is where the dump has it. Else NULL */
	bool remapped;      /* memory without a file that took the place of the dso's code */
};

/* What is printed behind the dso's name: DSO_DELETED, MAP_REMAPPED, both or "". */
#define MAP_REMAPPED " (remapped)"
static inline const char *map_suffix(const struct map *map)
{
	if (map->remapped)
		return map->dso->deleted ? DSO_DELETED MAP_REMAPPED : MAP_REMAPPED;
	return map->dso->deleted ? DSO_DELETED : "";
}

struct timeline *timeline_new(void);
void timeline_free(struct timeline *timeline);

/*
 * Takes a side-band record (MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, CGROUP); others are ignored.
 * @moment: its time or its offset. -EBADMSG if it is damaged (nothing was taken).
 */
int timeline_add(struct timeline *timeline, const struct record *record, uint64_t moment);

/* A build-id that the file keeps for a dso (BUILD_ID feature), by its name. */
void timeline_add_build_id(struct timeline *timeline, const char *name, bool kernel,
			   const uint8_t *build_id, size_t size);

/*
 * A process that mapped "jit-PID.dump" says by that: what code I make, I write down there. Who
 * reads such dumps tells the timeline, before it settles.
 */
struct timeline_dump {
	uint64_t number;       /* no other has had it */
	uint32_t pid;          /* of the process in the recording */
	const struct dso *dso; /* with dso->dump_pid */
	struct instant at;     /* when it was mapped */
};
size_t timeline_dump_count(const struct timeline *timeline);
const struct timeline_dump *timeline_dump_at(const struct timeline *timeline, size_t i);

/* Code at [start, start + size) of a process, or, without a symbol: none is there any more. */
struct timeline_code {
	uint64_t start, size;
	uint64_t offset;    /* where the dump has it: this tells codes of one dump apart */
	const char *symbol; /* borrowed until this returns */
};
/*
 * From @at on; of equal instants the order of calls decides. It lies above memory that is not of a
 * file on a disk, also where that was mapped later: as happens when its protection is changed.
 * The dso of all code of that dump, NULL if nothing is there.
 */
const struct dso *timeline_add_code(struct timeline *timeline, const struct timeline_dump *dump,
				    const struct timeline_code *code, struct instant at);

void timeline_settle(struct timeline *timeline);

/*
 * A stream never ends, and goes through these phases again and again: what happened before a moment
 * settles, questions are about moments before it, and what no longer matters is forgotten.
 *
 * Settles what happened before @until, and keeps the rest. What came so late that something
 * after it was told before happens now. Returns how much was told: if none, epochs (below) are
 * what they were.
 */
size_t timeline_settle_until(struct timeline *timeline, uint64_t until);
/*
 * Forgets threads and processes that were gone before @gone_before, and of the others what they
 * were or had mapped before the last moment that settled; of thousands of cgroups, those that
 * nobody asked for since the last time; and the dsos that nobody has mapped, but for those whose
 * ids are in @dsos, to which the others that stay are added. Other dsos may get their ids. Dsos
 * that stay do so where they are; all else that was borrowed is gone.
 */
struct hash;
void timeline_forget(struct timeline *timeline, uint64_t gone_before, struct hash *dsos);
/* How many threads, address spaces and mappings it knows. */
size_t timeline_size(const struct timeline *timeline);

/* The name of a thread at a moment: "comm" or NULL if never told (perf prints ":TID"). */
const char *timeline_comm(const struct timeline *timeline, uint32_t tid, uint64_t moment);
/* And from when to when that is so, moments: [from, until). */
const char *timeline_comm_span(const struct timeline *timeline, uint32_t tid, uint64_t moment,
			       uint64_t *ret_from, uint64_t *ret_until);
/*
 * Its name as a reader of the file's records in order knows it: just behind the record at that
 * place. Synthesized records all happened at moment 0, and name threads one after another.
 */
const char *timeline_comm_at(const struct timeline *timeline, uint32_t tid, struct instant at);
/*
 * The last name of the thread that has the number at a moment, which is not that of another thread
 * that gets the number later. NULL if never told.
 */
const char *timeline_last_comm(const struct timeline *timeline, uint32_t tid, uint64_t moment);
/* The first name a thread ever had, NULL if none: perf's report calls it that before, too. */
const char *timeline_first_comm(const struct timeline *timeline, uint32_t pid, uint32_t tid);

/*
 * The mapping at an address: @cpumode is PERF_RECORD_MISC_USER, _KERNEL, ... of the sample or
 * of the last PERF_CONTEXT_* in the chain. NULL if none. What lies behind the kernel's text and
 * in no other map may be the kernel's too (start_kernel is): it gets the map of the text, whose
 * end is below @addr then, and only a symbol can tell.
 */
const struct map *timeline_map(const struct timeline *timeline, uint32_t pid, uint16_t cpumode,
			       uint64_t addr, uint64_t moment);

/*
 * While nothing is mapped, an address has one answer: as long as a moment is in [from, until),
 * timeline_map() says the same of it; and so it does in all epochs of the same id. One without
 * length, from == until, is of this moment alone and shares nothing.
 */
struct timeline_epoch {
	uint64_t id;
	uint64_t from, until;
};
struct timeline_epoch timeline_epoch(const struct timeline *timeline, uint32_t pid,
				     uint16_t cpumode, uint64_t moment);

/* The path of a cgroup id, or NULL. */
const char *timeline_cgroup(const struct timeline *timeline, uint64_t id);
/* The namespace of control groups that a thread was in; 0 and 0 where that is not told. */
struct namespace_id timeline_cgroup_namespace(const struct timeline *timeline, uint32_t tid,
					      uint64_t moment);

size_t timeline_dso_count(const struct timeline *timeline);
const struct dso *timeline_dso(const struct timeline *timeline, uint32_t id); /* 1 <= id <= count */
/* The kernel that recorded, not a guest's; NULL if nothing was told of it. */
const struct dso *timeline_kernel_dso(const struct timeline *timeline);

/* The program that a number ran last, NULL if it was never told. */
const struct dso *timeline_executable(const struct timeline *timeline, uint32_t pid);

/* All processes, threads and maps, for report --tasks and --mmaps. */
struct timeline_thread {
	uint32_t pid, tid, ppid; /* ppid UINT32_MAX if unknown */
	uint32_t ptid;           /* the thread that began it; UINT32_MAX if unknown */
	uint64_t born, gone;     /* moments; 0 and UINT64_MAX if not seen */
	const char *comm;        /* the last */
};
size_t timeline_thread_count(const struct timeline *timeline);
struct timeline_thread timeline_thread_at(const struct timeline *timeline, size_t i);
const struct map *timeline_map_at(const struct timeline *timeline, uint32_t pid,
				  size_t i); /* NULL past the end */

/* A part of a mapping that a process sees: [start, end). */
struct timeline_range {
	uint64_t start, end;
	const struct map *map;
};
/* What a process sees at a moment, by address. *ret_ranges is yours: free(). */
size_t timeline_ranges(const struct timeline *timeline, uint32_t pid, uint64_t moment,
		       struct timeline_range **ret_ranges);
