/*
 * lookup.h - one worker's way to ask a profile what lies at an address: what it asked before, it
 * remembers.
 *
 * A place becomes a site of the worker's own table (stack.h). As long as nothing is mapped in a
 * process, an address there has one site, so most questions are answered by a small cache of
 * (epoch, address) -> site. Not for several threads at a time; the profile is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/stack.h"

struct chain;
struct profile;
struct profile_sample;

struct lookup {
	struct profile *profile;
	bool named; /* sites get their names when they are made, else by lookup_name() */
	struct stack_table *table;
	struct lookup_epoch *epochs;
	struct lookup_site *sites;
};

/* @profile and @table are borrowed. */
void lookup_init(struct lookup *lookup, struct profile *profile, struct stack_table *table,
		 bool named);
void lookup_done(struct lookup *lookup);

uint32_t lookup_site(struct lookup *lookup, const struct profile_sample *sample, uint16_t cpumode,
		     uint64_t addr);
const struct place *lookup_place(const struct lookup *lookup, uint32_t site);

/*
 * What lies at an address in the sample's process at its time: of one address among many, which is
 * not worth remembering. Any number of threads may ask.
 */
struct place lookup_here(struct profile *profile, const struct profile_sample *sample,
			 uint16_t cpumode, uint64_t addr);
/* The same of an end of a branch, which may lie in the kernel where the sample does not. */
struct place lookup_branch(struct profile *profile, const struct profile_sample *sample,
			   uint64_t addr);

/* Names all sites of a table, with so many threads. */
void lookup_name(struct profile *profile, struct stack_table *table, size_t threads);
