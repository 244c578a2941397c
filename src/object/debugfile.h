/* debugfile.h - where the separate debug file of an ELF file may be, and whether it is the right
 * one.
 *
 * The places, as gdb has them, for each debug root (usually DEBUGFILE_ROOT):
 *
 *   ROOT/.build-id/xx/yyyyyy.debug    by build-id; for all roots first
 *   DIR/NAME, DIR/.debug/NAME         by .gnu_debuglink, DIR being the file's own folder
 *   ROOT/DIR/NAME
 *
 * A file found there is only taken if it fits: where both have build-ids these are equal, otherwise
 * the CRC-32 of .gnu_debuglink is that of its bytes. So no name comes from another build.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct elf_file;

/* Where distributions put what they stripped. */
#define DEBUGFILE_ROOT "/usr/lib/debug"

struct debugfile_paths {
	char **items;
	size_t count, capacity;
};

/* All places to look at, in order. path is where the file is (to the user; it need not be there any
 * more), resolved as far as possible; roots are root_count folders. Add to an empty list.
 */
void debugfile_candidates(const struct elf_file *file, const char *path, const char *const *roots,
			  size_t root_count, struct debugfile_paths *ret_paths);
/*
 * All places of the file that the debug information in @file has in common with others, of which it
 * tells a name and a build-id (see debuginfo_alt()): by build-id below the roots, then by name.
 */
void debugfile_alt_candidates(const struct elf_file *file, const char *name, const uint8_t *id,
			      size_t id_size, const char *const *roots, size_t root_count,
			      struct debugfile_paths *ret_paths);
void debugfile_paths_done(struct debugfile_paths *paths);

/* What came of looking at a place. */
enum debugfile_verdict {
	DEBUGFILE_FITS,
	DEBUGFILE_ABSENT,
	DEBUGFILE_FORBIDDEN,
	DEBUGFILE_UNREADABLE,
	DEBUGFILE_NOT_ELF,
	DEBUGFILE_OTHER_MACHINE,
	DEBUGFILE_OTHER_BUILD_ID,
	DEBUGFILE_OTHER_CRC,
	DEBUGFILE_UNPROVEN,    /* nothing tells that it belongs to the file */
	DEBUGFILE_UNREACHABLE, /* a server that does not answer */
};

/* Of an error of opening a file. */
enum debugfile_verdict debugfile_verdict_of(int code);

/* Whether the debug file was made from the same link as the file. May read all of it. */
enum debugfile_verdict debugfile_compare(const struct elf_file *file, const struct elf_file *debug);

/* Opens what lies at a place; *ret_debug is written if it fits. */
enum debugfile_verdict debugfile_open(const struct elf_file *file, const char *path,
				      struct elf_file **ret_debug);

/* Opens the first candidate that fits: 1, or 0 if there is none. */
int debugfile_find(const struct elf_file *file, const char *path, const char *const *roots,
		   size_t root_count, struct elf_file **ret_debug);
