/*
 * branch-links.h - a sample's branch stack as part of its call chain (--branch-history): the way to
 * where it hit, then who called the function in which that way began.
 *
 *	branch 0   C -> D     D  C  B  A  caller of A's function ...
 *	branch 1   A -> B
 *
 * Each end of a branch is a link. What goes round in a loop is there once, and says how often. Of
 * the call chain, what the branches tell is left out: the sample's own place, and callers whose
 * calls are among them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct chain;
struct profile_sample;

/*
 * Puts the newest branches of the sample, at most @max and no more than 127, in front of its chain,
 * which is innermost first. True if there were some.
 */
bool branch_links_add(const struct profile_sample *sample, size_t max, struct chain *chain);
