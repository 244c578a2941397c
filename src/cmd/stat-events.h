/*
 * stat-events.h - which events stat counts where nobody named any, and --for-each-cgroup.
 */
#pragma once

struct stat_config;
struct strobe_err;

/* Completes the list of events, their attrs, and the target. */
int stat_events_prepare(struct stat_config *config, struct strobe_err *err);
