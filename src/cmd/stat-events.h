/*
 * stat-events.h - which events stat counts where nobody named any, and --for-each-cgroup.
 */
#pragma once

struct stat_config;
struct strobe_err;

/* Completes the list of events, and their attrs. @is_recorded: for a file. */
int stat_events_prepare(struct stat_config *config, int is_recorded, struct strobe_err *err);
