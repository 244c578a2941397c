/* notices.c - see notices.h. */
#include "cmd/notices.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cmd/remark.h"
#include "symbol/debuginfod.h"

/* What takes less than that is not worth a line. */
static const uint64_t unseen_ns = 500000000;

void notices_init(struct notices *notices)
{
	*notices = (struct notices){ .on_terminal = isatty(STDERR_FILENO) };
	pthread_mutex_init(&notices->lock, NULL);
}

/* Under the lock. */
static void wipe_line(struct notices *notices)
{
	if (notices->has_line)
		(void)fputs("\r\033[K", stderr);
	notices->has_line = false;
}

void notices_say(void *context, const char *text, const char *hint)
{
	struct notices *notices = context;
	uint32_t id;

	pthread_mutex_lock(&notices->lock);
	if (!strings_find(&notices->said, text, &id)) {
		(void)strings_intern(&notices->said, text);
		wipe_line(notices);
		remark("%s", text);
		if (hint)
			remark_hint("%s", hint);
	}
	pthread_mutex_unlock(&notices->lock);
}

static void add_mib(struct str *line, uint64_t bytes)
{
	str_addf(line, "%.1f", (double)bytes / (1024 * 1024));
}

void notices_fetch(void *context, const struct debuginfod_progress *progress)
{
	struct notices *notices = context;
	_cleanup_(str_done) struct str line = { 0 };

	if (!notices->on_terminal || (progress && progress->waited_ns < unseen_ns))
		return;
	if (progress) {
		str_addf(&line, "fetching '%s'", str_base_name(progress->name));
		str_add(&line, progress->got ? ": " : "...");
		if (progress->got)
			add_mib(&line, progress->got);
		if (progress->got && progress->whole > progress->got) {
			str_add(&line, " of ");
			add_mib(&line, progress->whole);
		}
		if (progress->got)
			str_add(&line, " MiB");
		str_one_line(&line, 0);
	}
	pthread_mutex_lock(&notices->lock);
	wipe_line(notices);
	if (progress)
		(void)fprintf(stderr, "\r%s", line.text);
	notices->has_line = progress;
	(void)fflush(stderr);
	pthread_mutex_unlock(&notices->lock);
}

void notices_done(struct notices *notices)
{
	strings_done(&notices->said);
	pthread_mutex_destroy(&notices->lock);
}
