/* keys.c - see keys.h. */
#include "analyze/keys.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/str.h"

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

size_t keys_width_of_title(const struct item *item, keys_style *how)
{
	return 0;
}

/* As in perf, at least two of a unit: a GiB is 1024M. */
void keys_print_page_size(uint64_t size, struct str *out)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	if (size == 0) {
		str_add(out, "N/A");
		return;
	}
	while (size / 1024 > 1 && units[unit + 1]) {
		size /= 1024;
		unit++;
	}
	str_addf(out, "%" PRIu64 "%c", size, units[unit]);
}
