/*
 * known-settings.h - the settings that there are: those of the tables of options, and those that
 * only perf reads.
 */
#pragma once

struct strobe_err;

/*
 * Is this what may be written to a file? 1: yes; 0: yes, but nothing reads it. -EINVAL: who reads
 * it does not take this value, or the name is a mistyped one.
 */
int known_settings_check(const char *name, const char *value, struct strobe_err *err);
