/*
 * event-files.h - script's text in one file for each event, "INPUT.EVENT.dump".
 *
 * A '/' in the name of an event becomes '_'. Files are made for all events, also for those without
 * samples.
 */
#pragma once

#include <stddef.h>

#include "base/mem.h"

struct event_files;
struct reading_names;
struct str;
struct strobe_err;

/* @input: the recording's path; "-" becomes "perf.data". */
int event_files_open(const char *input, const struct reading_names *names,
		     struct event_files **ret_files, struct strobe_err *err);
/* Adds the text of one sample of the event of that index. */
void event_files_add(struct event_files *files, size_t index, const struct str *text);
/* Closes them, and says on standard output what was written. */
int event_files_close(struct event_files *files, struct strobe_err *err);
void event_files_free(struct event_files *files);
CLEANUP(event_files_free, struct event_files)
