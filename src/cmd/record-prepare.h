/*
 * record-prepare.h - from what was typed (record-options.h) to what the layers want.
 */
#pragma once

#include <stdbool.h>

struct notes;
struct record_config;
struct strobe_err;

/* Checks all of it, each for itself and together, and makes the attrs; remarks go to @notes. */
int record_prepare(struct record_config *config, struct notes *notes, struct strobe_err *err);
/* After it: what the recording and its header are made of. @argv is the command line. */
void record_prepare_header(struct record_config *config, const char **argv);
/* Samples are taken so often in a second, and not every so many events. */
bool record_prepare_has_rate(const struct record_config *config);
