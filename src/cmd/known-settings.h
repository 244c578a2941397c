/*
 * known-settings.h - the settings that there are: those of the tables of options, and those that
 * only perf reads.
 */
#pragma once

#include <stdbool.h>

/* If not, *ret_nearest is the most similar one, or NULL. */
bool known_settings_has(const char *name, const char **ret_nearest);
