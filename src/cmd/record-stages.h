/*
 * record-stages.h - what record's records go through on their way from the rings to the file.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct attr;
struct dso;
struct kept_names;
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
	struct kept_names *kept;  /* NULL: no names are kept */
};

/* Stages need to know when each sample was, and whose it is. */
bool record_stages_can_tell(const struct attr *attr);

/* What is needed for what will be recorded, after the attrs were built: borrowed; NULL: nothing. */
struct stage *record_stages_begin(struct record_stages *stages, const struct record_config *config);
/* What is needed for names to be looked up while it is recorded: files stay open, and nothing
 * changes. As above. */
struct stage *record_stages_hold(struct record_stages *stages, const struct record_config *config);
/* For resolver_options: @context is a struct record_stages of record_stages_hold(). */
int record_stages_open_held(void *context, const struct dso *dso);
int record_stages_open_held_tmp(void *context, pid_t pid, pid_t *ret_pid);
/* Once all events are open: what else there may be. */
void record_stages_ready(const struct record_stages *stages);
void record_stages_done(struct record_stages *stages);
