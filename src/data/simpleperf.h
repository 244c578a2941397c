/*
 * simpleperf.h - the names of code that recordings of simpleperf, Android's recorder, carry.
 *
 * One entry for each file that samples were in, with its functions that were hit:
 *
 *   FILE    size (4) of what follows | path\0 | type (4) | min_vaddr (8) | count (4) of symbols,
 * each: vaddr (8), size (4), name\0 | of DEX: count (4), offsets (8) | of ELF:
 *           file_offset_of_min_vaddr (8), of modules: memory_offset_of_min_vaddr (8)
 *   FILE2   size (4) | a protobuf message: 1 path, 2 type, 3 min_vaddr, 4 symbols (1 vaddr, 2 size,
 *           3 name), 5 DEX (1 offsets), 6 ELF (1 file offset), 7 module (1 memory offset)
 *
 * Records of types from SIMPLEPERF_RECORDS on have their size in 32 bits: the upper half stands
 * where others have misc.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMPLEPERF_RECORDS = 32768 };

enum simpleperf_type {
	SIMPLEPERF_KERNEL,
	SIMPLEPERF_MODULE,
	SIMPLEPERF_ELF,
	SIMPLEPERF_DEX,
	SIMPLEPERF_SYMBOL_MAP,
};

struct simpleperf_file {
	const char *path; /* not NUL-terminated */
	size_t path_size;
	uint64_t type; /* enum simpleperf_type, or more */
	uint64_t min_vaddr;
	bool has_offset; /* old simpleperfs do not tell it */
	uint64_t offset; /* of min_vaddr: in the file of ELF, in memory of a module */
};

struct simpleperf_symbol {
	uint64_t vaddr, size;
	const char *name; /* not NUL-terminated */
	size_t name_size;
};

/* A walk through a section; what it hands out is borrowed from that. */
struct simpleperf_walk {
	const uint8_t *at, *end;
	bool foreign, second; /* byte order; FILE2 */
	/* Of the entry: */
	const uint8_t *symbols, *symbols_end;
	uint64_t symbol_count; /* of FILE: those that are left */
};

/* @second: of the feature FILE2. */
struct simpleperf_walk simpleperf_begin(const void *bytes, size_t size, bool foreign, bool second);
/* False at the end, or where the section is damaged. */
bool simpleperf_next(struct simpleperf_walk *walk, struct simpleperf_file *ret_file);
/* The symbols of the file that simpleperf_next() gave. */
bool simpleperf_next_symbol(struct simpleperf_walk *walk, struct simpleperf_symbol *ret_symbol);
