/*
 * settings.h - what files of settings say: which name has which value, and where that stands.
 *
 * A name is "section.key": report.percent-limit. Names are equal if they differ in case only, or in
 * '-' for '_'. A later value replaces an earlier one, so load what counts most last.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/index.h"

struct str;
struct strobe_err;

struct setting {
	char *name;
	char *value;
	size_t section_size; /* of the name */
	char *path;          /* the file that says so, and where in it */
	unsigned line;
};

/* Starts as { 0 }. Grouped by section; sections and keys in the order in which they came up. */
struct settings {
	struct setting *items;
	size_t count, capacity;
	struct index by_name;
};

/*
 * Adds what a text says. -EINVAL: something in it makes no sense, and @err says where; the rest of
 * it was added all the same. @path is for messages.
 */
int settings_parse(struct settings *settings, const char *text, size_t size, const char *path,
		   struct strobe_err *err);

/*
 * Adds what the file says: -EINVAL as settings_parse. -ENOENT: there is no such file. -EPERM: it
 * belongs to another user, who should not decide what this one's programs do. -EFBIG: it has more
 * than a MiB, and nothing of it is read.
 */
int settings_load(struct settings *settings, const char *path, struct strobe_err *err);

/* NULL, if nothing was said. */
const struct setting *settings_find(const struct settings *settings, const char *name);

void settings_done(struct settings *settings);

/* The bytes of such a file; its errors are settings_load()'s. @ret_text is to str_done(). */
int settings_read(const char *path, struct str *ret_text, struct strobe_err *err);

/* Whether two names are of the same setting. */
bool settings_is_name(const char *name, const char *other);

/* A section, a dot and a key? */
int settings_check_name(const char *name, struct strobe_err *err);
