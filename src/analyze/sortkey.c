/* sortkey.c - see sortkey.h. */
#include "analyze/sortkey.h"

#include <string.h>

#include "analyze/keys.h"

static const struct sortkey *const families[] = { keys_task, keys_sample, keys_code, keys_branch,
						  keys_memory };

enum { FAMILIES = sizeof(families) / sizeof(families[0]) };

const struct sortkey *sortkey_at(size_t i)
{
	for (size_t family = 0; family < FAMILIES; family++) {
		for (const struct sortkey *key = families[family]; key->name; key++) {
			if (i-- == 0)
				return key;
		}
	}
	return NULL;
}

static bool is(const char *name, const char *text, size_t size)
{
	return name && strlen(name) == size && memcmp(name, text, size) == 0;
}

const struct sortkey *sortkey_find(const char *name, size_t size)
{
	const struct sortkey *key;

	if (is("sym", name, size)) {
		name = "symbol";
		size = strlen(name);
	}
	for (size_t i = 0; (key = sortkey_at(i)) != NULL; i++) {
		if (is(key->name, name, size) || is(key->alias, name, size))
			return key;
	}
	return NULL;
}
