/*
 * binary.h - the files of an object, each opened once for all that is read of it: the one that was
 * mapped, and the debug files that belong to it.
 *
 * A file is used only if it is the one that was mapped. Its build-id tells; where the recording has
 * none for it, its name has to do, unless it was deleted or replaced meanwhile. Looked at:
 *
 *   what somebody holds open since it was mapped
 *   SYMFS/path or path
 *   DIR/.build-id/xx/yyyy/elf    the build-id cache, see buildid-cache.h
 *
 * and for what it lacks (symbols, call frame information, source lines), one place after another
 * until it is found, what debugfile.h lists, and the cache's "debug" and "elf". The vdso has no
 * file: its image is the running kernel's own, or the cache's "vdso".
 *
 * In the end servers are asked (debuginfod.h), if there are any: for the file, and for a debug file
 * that has symbols or lines, or the call frame information of a file that has none at all.
 *
 * What debug information refers to for what several files have in common (dwz) is taken if it has
 * the build-id that is told there: from ROOT/.build-id, or where its name says.
 *
 * Who uses a binary holds its object's lock. What is handed out is borrowed, as long as the binary.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "object/debugfile.h"
#include "symbol/binary-places.h"
#include "symbol/reason.h"

struct debuginfo;
struct dso;
struct elf_file;

/* Starts as { 0 }. */
struct binary {
	bool searched;         /* for the file */
	struct elf_file *file; /* NULL: not there */
	enum reason reason;    /* why it is not */
	struct str path;       /* where it lies, or would */
	struct {
		struct elf_file **items; /* that fit, in the order of their places */
		size_t count, capacity;
	} debugs;
	struct debugfile_paths places; /* of debug files, of which so many were looked at: */
	size_t next;
	bool has_places, has_asked;
	struct elf_file *alt;        /* of the debug information; NULL: not there, or none */
	struct debuginfo *debuginfo; /* NULL: there is none */
	bool debuginfo_searched;
};
void binary_done(struct binary *binary);

/* Whether an object is one that has files: not the kernel, nor JIT code. */
bool binary_is_of(const struct dso *dso);

/* The file that was mapped; NULL, and binary->reason says why. */
struct elf_file *binary_file(struct binary *binary, const struct binary_source *source);

enum binary_want {
	BINARY_SYMBOLS, /* .symtab */
	BINARY_FRAMES,  /* .debug_frame */
	BINARY_LINES,   /* DWARF */
};

/* Whichever has it, the file or a debug file; NULL if none has. */
struct elf_file *binary_find(struct binary *binary, const struct binary_source *source,
			     enum binary_want want);

/* The debug information of the one that has it, or NULL. */
struct debuginfo *binary_debuginfo(struct binary *binary, const struct binary_source *source);
