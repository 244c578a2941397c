/* sortkey.c - see sortkey.h. */
#include "analyze/sortkey.h"

#include <string.h>

#include "analyze/keys.h"
#include "analyze/trace-key.h"

static const struct sortkey *const families[] = { keys_task,   keys_sample, keys_code,
						  keys_branch, keys_memory, keys_data };

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

int sortkey_compare(const struct sortkey *key, const struct item *left, const struct item *right,
		    const struct sortkey_style *style)
{
	return key->traced ? trace_key_compare(key->traced, left, right)
			   : key->compare(left, right, style);
}

uint64_t sortkey_hash(const struct sortkey *key, const struct item *item,
		      const struct sortkey_style *style)
{
	return key->traced ? trace_key_hash(key->traced, item) : key->hash(item, style);
}

void sortkey_print(const struct sortkey *key, const struct item *item, struct str *out,
		   const struct sortkey_style *style)
{
	if (key->traced)
		trace_key_print(key->traced, item, out);
	else
		key->print(item, out, style);
}

bool sortkey_is_uncut(const struct sortkey *key, const struct item *item)
{
	const struct function *function = item->spot.place.function;

	return key->uncut || (key->id == SORTKEY_SYMBOL && function && function->inlined);
}

size_t sortkey_width(const struct sortkey *key, const struct item *item,
		     const struct sortkey_style *style)
{
	return key->traced ? trace_key_width(key->traced, item) : key->width(item, style);
}
