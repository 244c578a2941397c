/*
 * pass.h - what pass 1 (profile.h) wants to know of samples: which slice of the file holds which
 * times. A stretch of the file can be passed by any thread; other records wait.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/profile.h"

struct datafile;
struct record;

/* A stretch's; starts as { 0 }. */
struct pass {
	_Alignas(MEM_APART) struct profile_totals totals;
	struct {
		struct profile_slice *items;
		size_t count, capacity;
	} slices;
};

void pass_begin_totals(struct profile_totals *totals);
void pass_add_totals(struct profile_totals *totals, const struct profile_totals *more);
void pass_sample(const struct datafile *file, const struct record *record,
		 struct profile_totals *totals, struct profile_slice *slice);
void pass_widen(struct profile_slice *slice, uint64_t time_ns);

/* The records from @begin to @end; slices that have others to be told of are marked. */
void pass_stretch(const struct datafile *file, uint64_t begin, uint64_t end, struct pass *pass);
void pass_done(struct pass *pass);
