/*
 * item.h - what an entry of a histogram is about: all that a sort key may ask for.
 *
 * Filled from one sample, or from one link of its call chain. Pointers are borrowed from the
 * profile.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/namespaces.h"
#include "symbol/resolve.h"

struct branch_counts;
struct data_place;
struct source;

/* A place as a report shows it. */
struct spot {
	struct place place;
	uint64_t shown_addr;           /* printed where there is no name */
	const struct source *source;   /* NULL where no key asks for it */
	const struct data_place *data; /* the same */
	char level; /* 'k' kernel, '.' user, 'g' and 'u' of a guest, 'H' none of these */
};

struct branch_item {
	struct spot from, to;
	uint16_t cycles;
	uint64_t flags; /* as in struct sample_branch */
};

/* What a load or store touched. */
struct memory_item {
	struct spot spot;
	uint64_t data_src, phys_addr, page_size;
	bool user;
};

struct item {
	const char *comm; /* equal names are one pointer */
	/* The last names of the thread and of the process that had these numbers then; equal names
	 * are one pointer. */
	const char *thread_comm, *process_comm;
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
	struct spot spot;
	const struct function *parent; /* the first caller that matches -p, or NULL */
	const char *trace;             /* a tracepoint's text; equal texts are one pointer */
	const char *traced; /* fields of a tracepoint (trace-key.h); NULL: none asked for */
	const char *cgroup; /* its path; NULL if unknown */
	uint64_t cgroup_id; /* 0 if unknown */
	struct namespace_id cgroup_namespace;
	uint64_t weight, transaction, addr, code_page_size;
	uint16_t weight_2, weight_3;      /* as in struct sample */
	int32_t socket;                   /* -1 if unknown */
	uint32_t parallelism;             /* threads that ran at the time; 0 if unknown */
	const struct branch_item *branch; /* NULL where samples are no branches */
	const struct memory_item *memory; /* NULL where they are no accesses to memory */
	uint64_t sample_count;            /* of a whole entry: the samples that are its own */
	/* The same: of the branches in its samples' chains; NULL where these have none. */
	const struct branch_counts *branch_counts;
};

/* What an event measured of each of an entry's own samples, added up. */
static inline uint64_t item_sum(const struct item *item, uint64_t value)
{
	return value * item->sample_count;
}
