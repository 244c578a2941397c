/* notices.c - see notices.h. */
#include "cmd/notices.h"

#include <stdbool.h>
#include <stddef.h>

#include "cmd/remark.h"

void notices_init(struct notices *notices)
{
	*notices = (struct notices){ 0 };
	pthread_mutex_init(&notices->lock, NULL);
}

void notices_say(void *context, const char *text, const char *hint)
{
	struct notices *notices = context;
	uint32_t id;

	pthread_mutex_lock(&notices->lock);
	if (!strings_find(&notices->said, text, &id)) {
		(void)strings_intern(&notices->said, text);
		remark("%s", text);
		if (hint)
			remark_hint("%s", hint);
	}
	pthread_mutex_unlock(&notices->lock);
}

void notices_done(struct notices *notices)
{
	strings_done(&notices->said);
	pthread_mutex_destroy(&notices->lock);
}
