/* printks.c - see printks.h. */
#include "format/printks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void add_line(struct printks *printks, const char *line)
{
	static const char separator[] = " : \"";
	char *end;
	uint64_t addr;
	size_t size;

	errno = 0;
	addr = strtoull(line, &end, 16);
	if (errno || end == line || strncmp(end, separator, sizeof(separator) - 1) != 0)
		return;
	end += sizeof(separator) - 1;
	size = strlen(end);
	size -= size && end[size - 1] == '"';
	if (size >= 2 && memcmp(end + size - 2, "\\n", 2) == 0)
		size -= 2;
	grow(printks);
	printks->items[printks->count++] = (struct printk){ addr, xstrndup(end, size) };
}

static int by_addr(const void *a, const void *b)
{
	const struct printk *left = a, *right = b;

	return (left->addr > right->addr) - (left->addr < right->addr);
}

void printks_parse(const char *text, size_t size, struct printks *ret_printks)
{
	const char *end;

	*ret_printks = (struct printks){ 0 };
	if (size == 0)
		return;
	end = text + size;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		char *line = xstrndup(text, (size_t)((stop ? stop : end) - text));

		add_line(ret_printks, line);
		free(line);
		text = stop ? stop + 1 : end;
	}
	if (ret_printks->count)
		qsort(ret_printks->items, ret_printks->count, sizeof(*ret_printks->items), by_addr);
}

void printks_done(struct printks *printks)
{
	for (size_t i = 0; i < printks->count; i++)
		free(printks->items[i].text);
	free(printks->items);
	*printks = (struct printks){ 0 };
}

const char *printks_find(const struct printks *printks, uint64_t addr)
{
	const struct printk key = { .addr = addr };
	const struct printk *found = printks->count ? bsearch(&key, printks->items, printks->count,
							      sizeof(*printks->items), by_addr)
						    : NULL;

	return found ? found->text : NULL;
}
