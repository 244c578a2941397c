/* commands.h - the commands strobe has, and those that only perf has. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct cmd;
struct strobe_err;

/* NULL-terminated, sorted by name. */
extern const struct cmd *const commands[];

/* True for the name of a command of perf; who types one that strobe has not made no mistake. */
bool commands_perf_has(const char *name);

/* NULL, with the nearest name as a hint, if there is none. */
const struct cmd *commands_find(const char *name, struct strobe_err *err);

/* "record    Run a command and ..." for each. */
void commands_list(FILE *out);
