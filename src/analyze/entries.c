/* entries.c - see entries.h. */
#include "analyze/entries.h"

#include <stdlib.h>

#include "analyze/branch-counts.h"
#include "analyze/data-places.h"
#include "analyze/extras.h"
#include "analyze/sites.h"
#include "analyze/sources.h"
#include "base/hash.h"
#include "base/mem.h"

enum { ENTRY_ALIGNMENT = 64 }; /* bytes: a line of the cache */

void entries_done(struct entries *entries)
{
	arena_done(&entries->arena);
	arena_done(&entries->numbers);
	free(entries->items);
	free(entries->joined);
	index_done(&entries->index);
}

/* @item is one of the context. */
static void set_spot(const struct entries_kind *kind, uint32_t site, bool is_caller, char level,
		     struct item *item)
{
	const struct place *place = sites_place(kind->sites, site);
	struct sources *sources = kind->options->style.sources;

	item->spot = hist_spot(place, level);
	if (is_caller || item->branch)
		item->spot.shown_addr = place->addr;
	if (sources)
		item->spot.source = sources_at(sources, site);
	if (kind->options->style.data)
		item->spot.data = is_caller ? data_places_none()
					    : data_places_at(kind->options->style.data, site);
}

void entries_set_item(const struct entries_kind *kind, const struct hist_entry *entry,
		      struct item *item)
{
	item->pid = entry->pid;
	item->tid = entry->tid;
	item->sample_count = entry->self[0].count;
	item->branch_counts = entry->self[0].details ? entry->self[0].details->branches : NULL;
	set_spot(kind, entry->site, entry->is_caller, entry->level, item);
}

struct item entries_item(const struct entries_kind *kind, const struct hist_entry *entry)
{
	struct item item = kind->contexts.contexts.items[entry->context].item;

	entries_set_item(kind, entry, &item);
	return item;
}

uint32_t entries_hash_spot(const struct entries_kind *kind, uint32_t site, bool in_memory)
{
	bool mapped = sites_place(kind->sites, site)->map;
	struct item item = { 0 };
	uint64_t hash = 0;

	set_spot(kind, site, in_memory, '.', &item);
	for (size_t i = 0; i < kind->key_count; i++) {
		if (kind->keys[i]->of_spot)
			hash = hash_u64(hash ^
					sortkey_hash(kind->keys[i], &item, &kind->options->style));
	}
	return ((uint32_t)(hash >> 32) & ~UINT32_C(1)) | mapped;
}

static uint32_t hash_of(const struct entries_kind *kind, const struct entries_visit *visit)
{
	const struct item *context = &kind->contexts.contexts.items[visit->context].item;
	uint32_t spot = entries_spot(kind, visit->site, visit->is_caller || context->branch);

	return (uint32_t)(hash_u64(kind->context_hashes[visit->context] ^ spot >> 1) >> 32);
}

static bool same_item(const struct entries_kind *kind, const struct item *left,
		      const struct item *right, bool same_context)
{
	for (size_t i = 0; i < kind->key_count; i++) {
		const struct sortkey *key = kind->keys[i];

		if ((key->of_spot || !same_context) &&
		    sortkey_compare(key, left, right, &kind->options->style) != 0)
			return false;
	}
	return true;
}

static bool is_same(const struct entries_kind *kind, const struct hist_entry *left,
		    const struct hist_entry *right)
{
	struct item a = entries_item(kind, left), b = entries_item(kind, right);

	return same_item(kind, &a, &b, left->context == right->context);
}

static uint32_t add(struct entries *entries, struct hist_entry *entry)
{
	grow(entries);
	entries->items[entries->count] = entry;
	index_add(&entries->index, (uint64_t)entry->hash << 32, (uint32_t)entries->count);
	return (uint32_t)entries->count++;
}

/* The number of the entry that @like is the same as, or INDEX_NONE. */
static uint32_t find(struct entries *entries, const struct hist_entry *like)
{
	uint64_t hash = (uint64_t)like->hash << 32;

	for (uint32_t at = index_first(&entries->index, hash); at != INDEX_NONE;
	     at = index_next(&entries->index, hash)) {
		if (is_same(entries->kind, entries->items[at], like))
			return at;
	}
	return INDEX_NONE;
}

/* Of a group, also the earliest sample of the member that the level is of: behind the periods. */
static bool has_members(const struct entries_kind *kind)
{
	return kind->options->member_count > 1;
}

static struct instant *level_first_of(const struct entries_kind *kind,
				      const struct hist_entry *entry)
{
	return (struct instant *)(void *)(entry->whole + kind->options->member_count);
}

static bool has_details(const struct hist_options *options)
{
	return options->modes || options->latency || options->extras || options->branch_counts;
}

static struct hist_number *new_numbers(struct entries *entries)
{
	const struct hist_options *options = entries->kind->options;
	struct arena *arena = &entries->numbers;
	struct hist_number *numbers = arena_alloc_aligned(
		arena, options->member_count * sizeof(*numbers), _Alignof(struct hist_number));
	struct hist_details *details;

	if (!has_details(options))
		return numbers;
	details = arena_alloc(arena, options->member_count * sizeof(*details));
	for (size_t i = 0; i < options->member_count; i++)
		numbers[i].details = &details[i];
	if (options->branch_counts)
		details->branches = arena_alloc(arena, sizeof(*details->branches));
	return numbers;
}

static struct hist_entry *new_entry(struct entries *entries, const struct hist_entry *like)
{
	const struct hist_options *options = entries->kind->options;
	struct hist_entry *entry;
	size_t size = sizeof(*entry) + options->member_count * sizeof(entry->whole[0]);

	if (has_members(entries->kind))
		size += sizeof(struct instant);
	entry = arena_alloc_aligned(&entries->arena, size, ENTRY_ALIGNMENT);
	*entry = *like;
	if (options->latency || options->branch_counts) /* which is of callers, too */
		entry->self = new_numbers(entries);
	return entry;
}

uint32_t entries_find(struct entries *entries, const struct entries_visit *visit)
{
	struct hist_entry wanted = {
		.first = instant_after(UINT64_MAX),
		.context = visit->context,
		.site = visit->site,
		.pid = visit->pid,
		.tid = visit->tid,
		.is_caller = visit->is_caller,
		.level = visit->level,
		.level_member = UINT16_MAX,
		.hash = hash_of(entries->kind, visit),
		.self = entries->kind->nothing,
	};
	uint32_t at = find(entries, &wanted);

	return at != INDEX_NONE ? at : add(entries, new_entry(entries, &wanted));
}

/* True if the visit is the earliest. */
static bool name(struct hist_entry *entry, const struct entries_visit *visit)
{
	if (!instant_before(visit->first, entry->first))
		return false;
	entry->first = visit->first;
	entry->context = visit->context;
	entry->site = visit->site;
	entry->pid = visit->pid;
	entry->tid = visit->tid;
	entry->is_caller = visit->is_caller;
	return true;
}

static void tell_level(const struct entries_kind *kind, struct hist_entry *entry, uint16_t member,
		       struct instant first, char level)
{
	struct instant *level_first = level_first_of(kind, entry);

	if (member > entry->level_member ||
	    (member == entry->level_member && !instant_before(first, *level_first)))
		return;
	entry->level_member = member;
	*level_first = first;
	entry->level = level;
}

void entries_name(const struct entries_kind *kind, struct hist_entry *entry,
		  const struct entries_visit *visit)
{
	bool is_earliest = name(entry, visit);

	if (has_members(kind))
		tell_level(kind, entry, visit->member, visit->first, visit->level);
	else if (is_earliest)
		entry->level = visit->level;
}

struct hist_number *entries_self(struct entries *entries, struct hist_entry *entry, size_t member)
{
	struct hist_details *details;

	if (entry->self == entries->kind->nothing)
		entry->self = new_numbers(entries);
	details = entry->self[member].details;
	if (entries->kind->options->extras && !details->extras)
		details->extras = arena_alloc(&entries->numbers, sizeof(*details->extras));
	return &entry->self[member];
}

static void add_details(struct hist_details *to, const struct hist_details *more)
{
	to->sys += more->sys;
	to->us += more->us;
	to->guest_sys += more->guest_sys;
	to->guest_us += more->guest_us;
	to->latency += more->latency;
	to->whole_latency += more->whole_latency;
	if (to->branches)
		branch_counts_join(to->branches, more->branches);
	if (to->extras && more->extras)
		extras_join(to->extras, more->extras);
	else if (!to->extras)
		to->extras = more->extras;
}

static void add_number(struct hist_number *to, const struct hist_number *more)
{
	to->period += more->period;
	to->count += more->count;
	if (to->details)
		add_details(to->details, more->details);
}

static void merge_numbers(const struct entries_kind *kind, struct hist_entry *to,
			  const struct hist_entry *from)
{
	for (size_t i = 0; i < kind->options->member_count; i++) {
		to->whole[i] += from->whole[i];
		if (to->self != kind->nothing && from->self != kind->nothing)
			add_number(&to->self[i], &from->self[i]);
	}
	if (to->self == kind->nothing)
		to->self = from->self;
}

static void merge(const struct entries_kind *kind, struct hist_entry *to,
		  const struct hist_entry *from)
{
	const struct entries_visit visit = {
		.first = from->first,
		.context = from->context,
		.site = from->site,
		.pid = from->pid,
		.tid = from->tid,
		.is_caller = from->is_caller,
	};

	bool is_earliest;

	is_earliest = name(to, &visit);
	if (has_members(kind))
		tell_level(kind, to, from->level_member, *level_first_of(kind, from), from->level);
	else if (is_earliest)
		to->level = from->level;
	if (from->depth > to->depth)
		to->depth = from->depth;
	merge_numbers(kind, to, from);
}

/* The hash's upper bits: the index goes by the lower ones. */
static size_t share_of(const struct hist_entry *entry, size_t part_count)
{
	return (entry->hash >> 24) % part_count;
}

void entries_prepare_join(struct entries *table)
{
	table->joined = xcalloc(table->count + 1, sizeof(*table->joined));
}

void entries_join(struct entries *const *tables, size_t table_count, size_t part, size_t part_count,
		  struct entries *ret)
{
	for (size_t i = 0; i < table_count; i++) {
		struct entries *table = tables[i];

		for (size_t k = 0; k < table->count; k++) {
			struct hist_entry *entry = table->items[k];
			uint32_t at;

			if (share_of(entry, part_count) != part)
				continue;
			at = i > 0 ? find(ret, entry) : INDEX_NONE;
			if (at == INDEX_NONE)
				at = add(ret, entry);
			else
				merge(ret->kind, ret->items[at], entry);
			table->joined[k] = ret->items[at];
		}
	}
}
