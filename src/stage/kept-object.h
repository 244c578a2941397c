/*
 * kept-object.h - an object whose names may be wanted when it is gone: a file that is mapped, held
 * by a descriptor of it, or what a JIT compiler made, by one of the folder where it writes its perf
 * map.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "stage/kept-symbols.h"

struct body_out;
struct dso;
struct keptnames_segment;

/* Where a process's JIT compiler writes its perf map. */
struct kept_folder {
	int fd;      /* /tmp as it sees it */
	pid_t pid;   /* what it takes for its number */
	uid_t owner; /* of the process */
};

struct kept_object {
	const struct dso *dso;
	int fd;             /* -1: not open */
	uint32_t tried_pid; /* the last process of which it could not be opened */
	bool is_sampled;
	bool is_elsewhere; /* when it was mapped, its name led to another file, or to none */
	unsigned tried_count, closed_count;
	struct kept_folder folder; /* of a JIT compiler; its fd is the other */
	struct kept_symbols symbols;
	struct {
		struct keptnames_segment *items;
		size_t count, capacity;
	} segments;
};

struct kept_object *kept_object_new(const struct dso *dso);
void kept_object_free(struct kept_object *object);

/* Looks up what was noted, of an object that is open. How many addresses that were. */
size_t kept_object_look_up(struct kept_object *object);
/* Whether who reads the recording will find the file at its name. */
bool kept_object_is_there(const struct kept_object *object);
/* The build-id of an open file: its size, 0 if it has none. */
size_t kept_object_build_id(const struct kept_object *object, uint8_t ret_id[20]);
void kept_object_encode(struct kept_object *object, struct body_out *out);
