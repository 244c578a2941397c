/*
 * data-src.h - what a load or store met on its way, as text: the parts of PERF_SAMPLE_DATA_SRC.
 *
 * The bits are those of union perf_mem_data_src in linux/perf_event.h. Bits that nobody has given a
 * meaning yet are passed over.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct str;

void data_src_add_operation(struct str *out, uint64_t data_src); /* "LOAD", "No" */
void data_src_add_level(struct str *out, uint64_t data_src);     /* "L1 hit", "Remote L3 miss" */
void data_src_add_snoop(struct str *out, uint64_t data_src);     /* "Hit or Fwd" */
void data_src_add_tlb(struct str *out, uint64_t data_src);       /* "L1 or L2 hit" */
void data_src_add_lock(struct str *out, uint64_t data_src);      /* "Yes" */
void data_src_add_blocked(struct str *out, uint64_t data_src);   /* " Data Addr" */

/*
 * What an access is counted as where such are counted side by side: one of a few classes of each
 * kind, the last of which is "Other". A data source belongs to one class of each.
 */
enum data_src_kind {
	DATA_SRC_OP,     /* by mem_op */
	DATA_SRC_CACHE,  /* by mem_lvl_num: a cache that answered */
	DATA_SRC_MEMORY, /* by mem_lvl_num: what answered behind the caches */
	DATA_SRC_SNOOP,  /* by mem_snoop */
	DATA_SRC_DTLB,   /* by mem_dtlb */
	DATA_SRC_KINDS,
};

enum { DATA_SRC_CLASSES = 7 }; /* of a kind, at most */

size_t data_src_class(enum data_src_kind kind, uint64_t data_src);
const char *data_src_class_name(enum data_src_kind kind, size_t i); /* NULL past the last */
