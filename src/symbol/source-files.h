/*
 * source-files.h - the text of source files, line by line, as they lie on this machine now.
 *
 * Each file is read once. Starts as { 0 }. Not for several threads at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/strings.h"

struct source_file;

struct source_files {
	struct strings paths;
	struct source_file *items; /* by the id of the path */
	size_t count, capacity;
};

/* A line, from 1 on, without its end; false if there is no such file or line. Lives as long as the
 * files. */
bool source_files_line(struct source_files *files, const char *path, uint32_t line,
		       struct str_part *ret_text);
void source_files_done(struct source_files *files);
