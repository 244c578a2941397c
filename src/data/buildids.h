/*
 * buildids.h - the BUILD_ID feature: which build of which file was in use.
 *
 * Its section is a row of records, each a struct perf_event_header, pid, build-id and name:
 *
 *   header | int32_t pid | 20 bytes, size, 3 of padding | name, NULs up to header.size
 *
 * Linux before 5.13 left the size out and wrote 24 bytes with NULs behind the 20; header.misc has
 * BUILDIDS_SIZE set where it is there. A pipe has the same as HEADER_BUILD_ID records.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct body_out;

enum {
	BUILDIDS_MAX = 20,        /* bytes of a build-id */
	BUILDIDS_SIZE = 1 << 15,  /* bit in misc: the size is there */
	BUILDIDS_PID_KERNEL = -1, /* pid of the machine itself, where there is no guest */
};

struct buildids_entry {
	uint16_t misc; /* PERF_RECORD_MISC_KERNEL or _USER (_GUEST_...) */
	int32_t pid;   /* BUILDIDS_PID_KERNEL, or the process that is a guest */
	uint8_t id[BUILDIDS_MAX];
	size_t id_size;
	const char *name; /* borrowed */
};

/*
 * A walk: `while (buildids_next(&walk, &entry))`. Ends where what follows makes no sense: @left is
 * then not 0.
 */
struct buildids_walk {
	const uint8_t *at;
	size_t left;
	bool foreign;
};

struct buildids_walk buildids_begin(const void *bytes, size_t size, bool foreign);
bool buildids_next(struct buildids_walk *walk, struct buildids_entry *ret_entry);

/* Adds one entry to a section. Names longer than a record may be are cut. */
void buildids_encode(const struct buildids_entry *entry, struct body_out *out);
