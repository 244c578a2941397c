/*
 * told.h - what processes have mapped, as the records of a recording tell it while it goes on: a
 * stage that only looks, and that others behind it ask.
 *
 * In the timeline is what was told up to the round at hand. Of long recordings what has ended is
 * forgotten.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct dso;
struct events;
struct map;
struct stage;
struct timeline;
struct told;

struct told *told_new(void);
void told_free(struct told *told);
CLEANUP(told_free, struct told)

/* Borrowed, as are these. */
struct stage *told_stage(struct told *told);
/* As they were opened. */
const struct events *told_events(const struct told *told);
const struct timeline *told_timeline(const struct told *told);

/* The dso stays where it is, though nobody has it mapped any more. */
void told_keep(struct told *told, const struct dso *dso);

/* From here on what the last round that settled brought. Something: epochs are not what they were.
 */
bool told_is_new(const struct told *told);
/* What was borrowed of the timeline is gone, but for the dsos that are still there. */
bool told_has_forgotten(const struct told *told);
/* Each mapping of code in user space; it may come twice. */
void told_each_mapping(const struct told *told,
		       void (*each)(void *context, uint32_t pid, const struct map *map),
		       void *context);
