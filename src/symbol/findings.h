/*
 * findings.h - what there is to read of an object, where it is, and where it was looked for: for
 * who wants to know why names, lines or frames are missing.
 *
 * It looks as a resolver does, by the same means (binary.h), for all that one may ask for.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "object/dwarf-traits.h"
#include "object/unpack.h"
#include "symbol/binary.h"

/* A place that was looked at. */
struct findings_try {
	enum binary_role role;
	const char *place;
	enum debugfile_verdict verdict;
};

/* A section that something is read from. */
struct findings_table {
	const char *section; /* as it is called; of MiniDebugInfo, ".gnu_debugdata" */
	const char *path;    /* of the file that has it */
	size_t count;        /* symbols; 0 of others */
};

struct findings_tables {
	struct findings_table *items;
	size_t count, capacity;
};

struct findings_dwarf {
	const char *path; /* of the file that has it; NULL: there is none */
	enum unpack_kind packing;
	struct dwarf_traits traits;
	const char *alt_name; /* of what it has in common with others; NULL: nothing */
	const uint8_t *alt_id;
	size_t alt_id_size;
	const char *alt_path; /* where that was found; NULL: nowhere */
};

/* Starts as { 0 }; texts live as long as it. */
struct findings {
	const char *path;   /* of the file itself; NULL: it was not found */
	const char *reason; /* why it was not; static */
	const uint8_t *build_id;
	size_t build_id_size;
	struct findings_tables symbols, frames;
	struct findings_dwarf dwarf;
	struct {
		struct findings_try *items;
		size_t count, capacity;
	} tries; /* in order */
	struct arena arena;
	struct binary binary;
};

/* @source->tried is not used. */
void findings_find(struct findings *findings, const struct binary_source *source);
void findings_done(struct findings *findings);

/* Which functions have names. */
enum findings_names {
	FINDINGS_NO_NAMES,
	FINDINGS_EXPORTED_NAMES, /* of those that other objects may call */
	FINDINGS_ALL_NAMES,
};
enum findings_names findings_names(const struct findings *findings);
