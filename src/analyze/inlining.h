/*
 * inlining.h - gives functions that compilers put into others links of their own in call chains.
 *
 * Samples are counted by address: a site is an address, and a stack a row of sites, which is as
 * fast as it is because nobody asks for more. When all are counted and have names, a site where
 * functions are within each other gets as many sites more, one for each of them, and the rows that
 * have it become longer:
 *
 *	sites     7: 0x401136 outer()                         row  7 3
 *	becomes   8: 0x401136 inner(), 9: 0x401136 outer()    row  8 9 3
 *
 * What a sample hit is what it was: 7, the function that is there. So a recording of programs
 * without debug information takes a look at each site, and no more.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct bundles;
struct inlining;
struct resolver;
struct sites;
struct sources;
struct stack_table;

/*
 * Adds sites of frames to @sites, all of which have names; @with_lines: source lines will be asked
 * for. NULL where there are none.
 */
struct inlining *inlining_new(struct sites *sites, struct resolver *resolver, bool with_lines,
			      size_t threads);
void inlining_free(struct inlining *inlining);
CLEANUP(inlining_free, struct inlining)

/* Makes rows of stacks longer, and bundles know them. Safe in many threads, each with its own. */
void inlining_extend(const struct inlining *inlining, struct stack_table *stacks,
		     struct bundles *bundles);
/* Tells sources, which are settled, the lines of the sites that were added. */
void inlining_tell(const struct inlining *inlining, struct sources *sources);
