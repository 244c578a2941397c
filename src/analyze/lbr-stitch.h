/*
 * lbr-stitch.h - call chains of branch stacks (--call-graph lbr) that are longer than the processor
 * has registers for them: the outer callers come from the thread's samples before.
 *
 *	registers     3    0    1    2        a call of a full stack takes the oldest one's register
 *	before        D    A    B    C   <-
 *	now           D -> E    B    C        A is known from before, since B, C and D still
 *	                                      are where they were
 *
 * Samples come in order of time; not for several threads at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct chain;
struct datafile;
struct lbr_stitch;
struct profile_sample;

/* The recording is borrowed: it tells how many registers there are. */
struct lbr_stitch *lbr_stitch_new(const struct datafile *file);
void lbr_stitch_free(struct lbr_stitch *stitch);

/*
 * Puts what is known of the outer callers behind the sample's chain, which chain_read() made, up to
 * @max links (0: all).
 * Nothing where the recording does not tell of registers.
 */
void lbr_stitch_add(struct lbr_stitch *stitch, const struct profile_sample *sample, size_t max,
		    struct chain *chain);
