/*
 * lookup.h - one worker's way to ask a profile what lies at an address: what it asked before, it
 * remembers.
 *
 * A place becomes a site (sites.h), which all workers share. As long as nothing is mapped in a
 * process, an address there has one site, so most questions are answered by a small cache of
 * (epoch, address) -> site. Not for several threads at a time; the profile is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/resolve.h"

struct profile;
struct profile_sample;
struct sites;
struct sites_query;

struct lookup {
	struct profile *profile;
	bool named; /* sites get their names when they are made, else by sites_name() */
	struct sites *sites;
	struct lookup_epoch *epochs;
	struct lookup_site *recent;
	struct {
		struct lookup_missing *items;
		size_t count, capacity;
	} missing; /* questions whose answers are not remembered */
	struct {
		struct sites_query *items;
		size_t count, capacity;
	} queries; /* theirs */
};

/* @profile and @sites are borrowed; without sites (NULL) only places can be asked for. */
void lookup_init(struct lookup *lookup, struct profile *profile, struct sites *sites, bool named);
/* The timeline has changed: what was asked is asked again. Sites stay what they are. */
void lookup_forget(struct lookup *lookup);
void lookup_done(struct lookup *lookup);

struct lookup_question {
	uint32_t pid;
	uint16_t cpumode;
	uint64_t addr, moment;
	uint32_t site; /* the answer of lookup_all() */
};
struct lookup_question lookup_ask(const struct profile_sample *sample, uint16_t cpumode,
				  uint64_t addr);

/* The sites of many at a time, which is faster: memory is waited for once, and not for each. */
void lookup_all(struct lookup *lookup, struct lookup_question *questions, size_t count);

/* The place, with its name where lookups are named. */
struct place lookup_place(const struct lookup *lookup, const struct lookup_question *question);
/*
 * For who remembers answers: those of one epoch to questions of one address are the same. False
 * where the answer is not to be remembered.
 */
bool lookup_epoch(struct lookup *lookup, const struct lookup_question *question, uint64_t *ret_id);

/*
 * What lies at an address in the sample's process at its time: of one address among many, which is
 * not worth remembering. Any number of threads may ask.
 */
struct place lookup_here(struct profile *profile, const struct profile_sample *sample,
			 uint16_t cpumode, uint64_t addr);
/* The mode of an end of a branch, which may lie in the kernel where the sample does not, or not
 * where it does; what a guest does is all its own. */
uint16_t lookup_branch_mode(uint16_t cpumode, uint64_t addr);
/* lookup_here() of it. */
struct place lookup_branch(struct profile *profile, const struct profile_sample *sample,
			   uint64_t addr);
