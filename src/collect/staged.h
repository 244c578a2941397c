/*
 * staged.h - a round of the recorder where a stage (data/stage.h) stands between rings and writer.
 *
 * What is in each ring when the round begins belongs to it. The stage sees all of that first; then
 * the records go through it, ring by ring, and what comes out is written. A ring's bytes are given
 * back once they went through.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct ringset;
struct stage;
struct strobe_err;
struct tally;
struct writer;

/* 1 if there was anything, 0 or a negative errno. *written_ns grows by what writing took. */
int staged_round(struct stage *stage, const struct ringset *rings, struct tally *tally,
		 struct writer *writer, uint64_t *written_ns, struct strobe_err *err);

/* Lets the stage look at whole records that are no samples, and of no ring: as a round. */
void staged_show(struct stage *stage, const void *records, size_t size);
