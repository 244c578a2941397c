/* hierarchy.c - see hierarchy.h. */
#include "analyze/hierarchy.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hist.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"

struct nodes {
	const struct hierarchy_node **items;
	size_t count, capacity;
};

/* A node while its children are found. */
struct parent {
	struct hierarchy_node *node;
	struct nodes children;
};

struct level {
	struct fields fields; /* borrows its lists but the order */
	struct hist_options options;
	struct hist *hist;
};

struct hierarchy {
	struct level *levels;
	size_t level_count;
	const struct hist_options *leaves;
	struct arena arena;
	struct nodes roots;
};

/* The order of the first levels: measures, and the keys of those levels. */
static struct field_list first_of(const struct fields *fields, size_t level_count)
{
	struct field_list list = { 0 };

	for (size_t i = 0; i < fields->order.count; i++) {
		struct field field = fields->order.items[i];

		if (field.key && fields_level(fields, field.key) >= level_count)
			continue;
		grow(&list);
		list.items[list.count++] = field;
	}
	return list;
}

struct hierarchy *hierarchy_new(const struct hist_options *leaves, const struct sites *sites)
{
	struct hierarchy *hierarchy = xnew(struct hierarchy);
	size_t count = fields_level_count(leaves->fields);

	hierarchy->leaves = leaves;
	hierarchy->level_count = count > 0 ? count - 1 : 0;
	hierarchy->levels = xcalloc(count + 1, sizeof(*hierarchy->levels));
	for (size_t i = 0; i < hierarchy->level_count; i++) {
		struct level *level = &hierarchy->levels[i];

		level->fields = *leaves->fields;
		level->fields.order = first_of(leaves->fields, i + 1);
		level->options = *leaves;
		level->options.fields = &level->fields;
		level->options.chains = false;
		level->hist = hist_new(&level->options, sites);
	}
	return hierarchy;
}

void hierarchy_free(struct hierarchy *hierarchy)
{
	if (!hierarchy)
		return;
	for (size_t i = 0; i < hierarchy->level_count; i++) {
		hist_free(hierarchy->levels[i].hist);
		free(hierarchy->levels[i].fields.order.items);
	}
	free(hierarchy->levels);
	free(hierarchy->roots.items);
	arena_done(&hierarchy->arena);
	free(hierarchy);
}

size_t hierarchy_level_count(const struct hierarchy *hierarchy)
{
	return hierarchy->level_count;
}

struct hist *hierarchy_level(const struct hierarchy *hierarchy, size_t i)
{
	return hierarchy->levels[i].hist;
}

/* By the keys of all levels up to one. */
static uint64_t hash_of(const struct field_list *order, const struct hist *hist,
			const struct hist_entry *entry)
{
	const struct sortkey_style *style = &hist->options->style;
	struct item item = hist_item(hist, entry);
	uint64_t hash = 0;

	for (size_t i = 0; i < order->count; i++) {
		const struct sortkey *key = order->items[i].key;

		if (key)
			hash = hash_u64(hash ^ sortkey_hash(key, &item, style));
	}
	return hash;
}

static bool is_below(const struct field_list *order, const struct item *parent,
		     const struct item *child, const struct sortkey_style *style)
{
	for (size_t i = 0; i < order->count; i++) {
		const struct sortkey *key = order->items[i].key;

		if (key && sortkey_compare(key, parent, child, style) != 0)
			return false;
	}
	return true;
}

static void add(struct nodes *nodes, const struct hierarchy_node *node)
{
	grow(nodes);
	nodes->items[nodes->count++] = node;
}

/* The nodes of a histogram's entries, each hung below one of @parents, which lie in @level. */
static struct parent *hang(struct hierarchy *hierarchy, const struct hist *hist, size_t depth,
			   const struct level *level, struct parent *parents, size_t parent_count)
{
	const struct sortkey_style *style = &hierarchy->leaves->style;
	struct parent *nodes = xcalloc(hist->entry_count + 1, sizeof(*nodes));
	_cleanup_(index_done) struct index index = { 0 };

	for (size_t i = 0; i < parent_count; i++)
		index_add(&index,
			  hash_of(&level->fields.order, level->hist, parents[i].node->entry),
			  (uint32_t)i);
	for (size_t i = 0; i < hist->entry_count; i++) {
		struct hierarchy_node *node = arena_alloc(&hierarchy->arena, sizeof(*node));
		struct hist_entry *entry = hist->entries[i];
		struct item item = hist_item(hist, entry);
		uint64_t hash = level ? hash_of(&level->fields.order, hist, entry) : 0;
		uint32_t at;

		*node = (struct hierarchy_node){ .hist = hist, .entry = entry, .level = depth };
		nodes[i].node = node;
		if (!level) {
			add(&hierarchy->roots, node);
			continue;
		}
		for (at = index_first(&index, hash); at != INDEX_NONE;
		     at = index_next(&index, hash)) {
			struct item parent = hist_item(level->hist, parents[at].node->entry);

			if (is_below(&level->fields.order, &parent, &item, style)) {
				add(&parents[at].children, node);
				break;
			}
		}
	}
	return nodes;
}

static const struct hierarchy_node *const *keep(struct hierarchy *hierarchy,
						const struct nodes *nodes)
{
	size_t size = nodes->count * sizeof(const struct hierarchy_node *);
	const struct hierarchy_node **kept = arena_alloc(&hierarchy->arena, size);

	memcpy(kept, nodes->items, size);
	return kept;
}

/* What was found becomes the nodes' own. */
static void settle_children(struct hierarchy *hierarchy, struct parent *parents, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct nodes *children = &parents[i].children;

		if (children->count > 0)
			parents[i].node->children = keep(hierarchy, children);
		parents[i].node->child_count = children->count;
		free(children->items);
	}
	free(parents);
}

void hierarchy_settle(struct hierarchy *hierarchy, const struct hist *leaves)
{
	struct parent *parents = NULL, *nodes;
	size_t count = 0;

	for (size_t i = 0; i <= hierarchy->level_count; i++) {
		const struct hist *hist =
			i < hierarchy->level_count ? hierarchy->levels[i].hist : leaves;

		nodes = hang(hierarchy, hist, i, i > 0 ? &hierarchy->levels[i - 1] : NULL, parents,
			     count);
		settle_children(hierarchy, parents, count);
		parents = nodes;
		count = hist->entry_count;
	}
	settle_children(hierarchy, parents, count);
}

const struct hierarchy_node *const *hierarchy_roots(const struct hierarchy *hierarchy,
						    size_t *ret_count)
{
	*ret_count = hierarchy->roots.count;
	return hierarchy->roots.items;
}
