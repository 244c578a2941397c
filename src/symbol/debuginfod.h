/*
 * debuginfod.h - files by their build-ids from servers (debuginfod(8)).
 *
 * This, and the libdebuginfod that it loads, is all in strobe that talks to the network, and it
 * does so only for who names servers. The library is loaded when the first file is asked for, and
 * keeps what it was sent in its own cache ($DEBUGINFOD_CACHE_PATH, or ~/.cache/debuginfod_client),
 * which is looked at first.
 *
 * Nobody waits for long for a server that does not answer: which can be reached is found out before
 * the first question (server-probe.h), and the rest is left alone. When none sends anything for a
 * while, it is not asked again. What came of it the user is told once.
 *
 * All but debuginfod_new() and debuginfod_free() may be called by several threads; files that
 * they ask for come at the same time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct debuginfod;
struct str;

enum debuginfod_kind { DEBUGINFOD_EXECUTABLE, DEBUGINFOD_DEBUG };

struct debuginfod_progress {
	const char *name;    /* of what it is for */
	uint64_t got, whole; /* bytes; whole is 0 while it is not known */
	uint64_t waited_ns;  /* since it was asked for */
};

/* Callbacks may come from any thread, or be NULL. */
struct debuginfod_options {
	/* As DEBUGINFOD_URLS, which it is set to; NULL: as that is. It is read now and when a file
	 * is asked for, so nothing else may change the environment meanwhile. */
	const char *urls;
	/* What the user should know: a sentence, and what helps or NULL. */
	void (*notice)(void *context, const char *text, const char *hint);
	/* While a file is waited for, ten times a second; in the end with NULL. */
	void (*progress)(void *context, const struct debuginfod_progress *progress);
	void *context;
};

/* NULL if there are no servers, or if the program runs with more rights than its user has. */
struct debuginfod *debuginfod_new(const struct debuginfod_options *options);
/* Ends what is under way. */
void debuginfod_free(struct debuginfod *debuginfod);
CLEANUP(debuginfod_free, struct debuginfod)

/*
 * The place in the client's cache of a file of that build-id, which @name is to be called: 0;
 * -ENOENT if no server has it, or another error if none can be asked (any more). What lies there
 * still is to be compared.
 */
int debuginfod_find(struct debuginfod *debuginfod, enum debuginfod_kind kind,
		    const uint8_t *build_id, size_t size, const char *name, struct str *ret_path);

/* Where that would come from, for who wants to know where it was looked for. */
void debuginfod_place(const struct debuginfod *debuginfod, enum debuginfod_kind kind,
		      const uint8_t *build_id, size_t size, struct str *ret_place);
