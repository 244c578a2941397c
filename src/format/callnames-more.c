/* callnames-more.c - see callnames-more.h. */
#include "format/callnames-more.h"

#include <string.h>

#include "base/str.h"

/* A table, and what it becomes. */
struct longer {
	const struct callnames *names;
	struct callnames table; /* its items are of @items */
	struct callname *items;
	size_t count, capacity;
};

struct callnames_more {
	struct callnames_source source;
	struct longer **items; /* apart from each other: who borrowed one keeps it */
	size_t count, capacity;
};

struct callnames_more *callnames_more_new(const struct callnames_source *source)
{
	struct callnames_more *more = xnew(struct callnames_more);

	more->source = *source;
	return more;
}

void callnames_more_free(struct callnames_more *more)
{
	if (!more)
		return;
	for (size_t i = 0; i < more->count; i++) {
		free(more->items[i]->items);
		free(more->items[i]);
	}
	free(more->items);
	free(more);
}

/* Enums end in one that counts the others. */
static bool is_end(const char *name)
{
	size_t size = strlen(name);

	return (size > 4 && strcmp(name + size - 4, "_MAX") == 0) ||
	       (size > 5 && strcmp(name + size - 5, "_LAST") == 0);
}

static void add_item(struct longer *longer, const struct callname *item)
{
	grow(longer);
	longer->items[longer->count++] = *item;
}

static void take_name(void *context, const char *name, uint64_t value)
{
	struct longer *longer = context;
	struct callname item = { .value = value, .mask = UINT64_MAX, .name = name };

	if (str_after(name, longer->names->prefix) && !is_end(name) &&
	    !callnames_find(longer->names, value))
		add_item(longer, &item);
}

static struct longer *make_longer(struct callnames_more *more, const struct callnames *names)
{
	struct longer *longer = xnew(struct longer);

	longer->names = names;
	for (size_t i = 0; i < names->count; i++)
		add_item(longer, &names->items[i]);
	more->source.each(more->source.context, names->btf, take_name, longer);
	longer->table = *names;
	longer->table.items = longer->items;
	longer->table.count = longer->count;
	grow(more);
	more->items[more->count++] = longer;
	return longer;
}

const struct callnames *callnames_more_find(struct callnames_more *more,
					    const struct callnames *names, uint64_t value)
{
	if (!more || !names->btf || callnames_find(names, value))
		return names;
	for (size_t i = 0; i < more->count; i++)
		if (more->items[i]->names == names)
			return &more->items[i]->table;
	return &make_longer(more, names)->table;
}
