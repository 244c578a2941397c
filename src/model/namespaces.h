/*
 * namespaces.h - which control-group namespace each thread was in from when to when, as NAMESPACES
 * records tell.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/instant.h"

struct threads;

/* How the kernel knows one; 0 and 0: it is not told. */
struct namespace_id {
	uint64_t dev, ino;
};

/* Starts as { 0 }. */
struct namespaces {
	struct hash by_tid; /* index in numbers */
	struct namespaces_number *numbers;
	size_t count, capacity;
};

/* In any order of time. */
void namespaces_add(struct namespaces *namespaces, uint32_t tid, struct namespace_id id,
		    struct instant at);
struct namespace_id namespaces_find(const struct namespaces *namespaces, uint32_t tid,
				    struct instant at);

/* Forgets what was over before a moment, and threads that @threads does not know any more. */
void namespaces_forget(struct namespaces *namespaces, const struct threads *threads,
		       uint64_t before);
void namespaces_done(struct namespaces *namespaces);
