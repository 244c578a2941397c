/*
 * parts.h - the further files of a recording that is a folder.
 *
 *   DIR/data      a recording like any other: header, attrs, features, records
 *   DIR/data.N    records only, one file for each thread of the recorder
 *
 * Each has the records of some CPUs, and times run through all of them.
 */
#pragma once

#include <stddef.h>

#include "data/filemap.h"

/* Starts as { 0 }. */
struct parts {
	struct parts_file {
		unsigned long number; /* the N of data.N */
		struct filemap map;
	} * items; /* by number */
	size_t count, capacity;
};

/* None where @path is no folder. */
int parts_open(const char *path, struct parts *ret_parts, struct strobe_err *err);
void parts_done(struct parts *parts);
