/*
 * notices.h - remarks that layers have for the user while a command works, each said once.
 *
 * Any thread may have one.
 */
#pragma once

#include <pthread.h>

#include "base/strings.h"

struct notices {
	pthread_mutex_t lock;
	struct strings said;
};

void notices_init(struct notices *notices);
/* Says it unless it was said; @context is a struct notices. @hint: what helps, or NULL. */
void notices_say(void *context, const char *text, const char *hint);
void notices_done(struct notices *notices);
