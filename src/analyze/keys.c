/* keys.c - see keys.h. */
#include "analyze/keys.h"

#include <string.h>

#include "base/hash.h"

int keys_compare_u64(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

int keys_compare_addr(uint64_t left, uint64_t right)
{
	int64_t difference = (int64_t)(left - right);

	return (difference > 0) - (difference < 0);
}

int keys_compare_missing(const void *left, const void *right)
{
	return (left == NULL) - (right == NULL);
}

int keys_compare_text(const char *left, const char *right)
{
	if (!left || !right)
		return keys_compare_missing(left, right);
	return left == right ? 0 : strcmp(left, right);
}

uint64_t keys_hash_text(const char *text)
{
	return text ? hash_bytes(text, strlen(text)) : 0;
}
