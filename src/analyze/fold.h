/*
 * fold.h - what was counted, once more, in memory of its own: the timeline may forget what it was
 * counted by, and what has become nothing is gone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counting;
struct hash;
struct sites;

struct fold_options {
	/* Periods and counts are worth a little less from now on; what is hardly worth anything any
	 * more is gone, and its part of the totals too. */
	bool decay;
	bool exact;       /* stacks stay apart where their code was mapped at different addresses */
	bool by_function; /* else also where they hit the same functions at different places */
	/* What grows without end and says nothing becomes one, also where it stands several times
	 * in a row: addresses in no mapping, 0; and, by function, those of each object that have no
	 * name and hardly a sample. */
	bool coarse;
	/* Stacks that have fewer samples, of all that is not told apart by anything else, are cut:
	 * their innermost place and their outermost ones are left, with a gap between. */
	uint64_t cut_below;
};

/* How many samples bundles must have so that no more than @most have as many. */
uint64_t fold_rare(const struct counting *counting, size_t most);

/*
 * Adds to @into, which is new and has sites of its own, what @from counted: equal stacks of code
 * that was mapped in several places become one. Numbers of dsos that are in use are added to @dsos.
 * Source lines are found anew. Returns how many samples had their stacks cut.
 */
uint64_t fold(const struct counting *from, struct sites *from_sites, struct counting *into,
	      struct sites *into_sites, const struct fold_options *options, struct hash *dsos);
