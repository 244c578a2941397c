/*
 * stages.h - several stages, one behind the other, as one: what comes out of one goes into the
 * next.
 *
 * All of them look at the records of a round as the rings have them, and settle in their order.
 * What each begins with describes the samples that come to it.
 */
#pragma once

#include "base/mem.h"

struct stage;
struct stages;

struct stages *stages_new(void);
void stages_free(struct stages *stages);
CLEANUP(stages_free, struct stages)

/* Behind the others; borrowed. */
void stages_add(struct stages *stages, struct stage *stage);
/* All of them, once they were added; borrowed. */
struct stage *stages_stage(struct stages *stages);
