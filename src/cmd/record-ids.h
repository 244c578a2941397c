/*
 * record-ids.h - the build-ids that "record" writes into the header of its file: those that the
 * records of mappings do not have.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cmd/file-ids.h"

struct buildids_entry;
struct kept_names;

/* Starts as { 0 }. */
struct record_ids {
	struct buildids_entry *items;
	size_t count, capacity;
	struct file_ids files; /* has their names */
};

/*
 * Gathers them once the recording is over. Where no mapping tells one (@all), these are the
 * kernel's and those of all files that were mapped as code, and not only of those with samples,
 * since reading an ELF header costs less than looking at every sample; else of files that could not
 * be read when they were mapped. @kept, which may be NULL, knows files that are not at their name.
 */
void record_ids_gather(struct record_ids *ids, const char *recording, struct kept_names *kept,
		       bool all);
void record_ids_done(struct record_ids *ids);
