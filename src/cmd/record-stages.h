/*
 * record-stages.h - what record's records go through on their way from the rings to the file.
 */
#pragma once

struct live_unwind;
struct record_config;
struct stage;
struct stages;
struct told;

/* Starts as { 0 }. */
struct record_stages {
	struct stages *stages;
	struct told *told;
	struct live_unwind *live; /* NULL: nothing is unwound */
};

/* What is needed for what will be recorded, after the attrs were built: borrowed; NULL: nothing. */
struct stage *record_stages_begin(struct record_stages *stages, const struct record_config *config);
void record_stages_done(struct record_stages *stages);
