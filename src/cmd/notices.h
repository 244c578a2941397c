/*
 * notices.h - remarks that layers have for the user while a command works, each said once, and what
 * it is waiting for, on a terminal.
 *
 * Any thread may have one.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/strings.h"

struct debuginfod_progress;

struct notices {
	pthread_mutex_t lock;
	struct strings said;
	bool on_terminal; /* standard error */
	bool has_line;    /* of what it waits for, which is yet to be wiped out */
};

void notices_init(struct notices *notices);
/* Says it unless it was said; @context is a struct notices. @hint: what helps, or NULL. */
void notices_say(void *context, const char *text, const char *hint);
/* What is being fetched; NULL: nothing any more. */
void notices_fetch(void *context, const struct debuginfod_progress *progress);
void notices_done(struct notices *notices);
