/*
 * jit-file.h - the files that JIT compilers write about their code: perf maps and JIT dumps.
 *
 * They lie where anyone may write, so they are used only if they belong to us or to root, unless
 * options->force.
 */
#pragma once

#include <stdint.h>

#include "symbol/reason.h"

struct resolver_options;
struct stat;

/* What changes when such a file is written to. Starts as { 0 }: it was not there. */
struct jit_file_stamp {
	uint64_t device, inode, size, changed_ns;
};
struct jit_file_stamp jit_file_stamp(const struct stat *status);

enum jit_file_kind { JIT_FILE_MAP, JIT_FILE_DUMP };

/*
 * A descriptor of the caller's for the file @path of a process; below symfs if there is one, and,
 * of a process that lives, where it sees that itself: of a map, whose name has its number, by the
 * number that it knows itself by. -errno, and why not.
 */
int jit_file_open(const struct resolver_options *options, enum jit_file_kind kind, uint32_t pid,
		  const char *path, struct stat *ret_status, enum reason *ret_reason);
