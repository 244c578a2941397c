/*
 * record-unwind.h - record's live unwinding: the stage, wired to what the kernel knows of
 * processes.
 */
#pragma once

struct live_unwind;
struct record_config;
struct told;

/*
 * A stage for what will be recorded, behind @told, NULL where there is nothing to unwind, or copies
 * are to be stored. For after the attrs were built. To live_unwind_free().
 */
struct live_unwind *record_unwind_new(const struct record_config *config, const struct told *told);
