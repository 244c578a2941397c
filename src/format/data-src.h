/*
 * data-src.h - what a load or store met on its way, as text: the parts of PERF_SAMPLE_DATA_SRC.
 *
 * The bits are those of union perf_mem_data_src in linux/perf_event.h. Bits that nobody has given a
 * meaning yet are passed over.
 */
#pragma once

#include <stdint.h>

struct str;

void data_src_add_operation(struct str *out, uint64_t data_src); /* "LOAD", "No" */
void data_src_add_level(struct str *out, uint64_t data_src);     /* "L1 hit", "Remote L3 miss" */
void data_src_add_snoop(struct str *out, uint64_t data_src);     /* "Hit or Fwd" */
void data_src_add_tlb(struct str *out, uint64_t data_src);       /* "L1 or L2 hit" */
void data_src_add_lock(struct str *out, uint64_t data_src);      /* "Yes" */
void data_src_add_blocked(struct str *out, uint64_t data_src);   /* " Data Addr" */
