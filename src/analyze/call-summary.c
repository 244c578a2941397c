/* call-summary.c - see call-summary.h. */
#include "analyze/call-summary.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/calls.h"
#include "base/hash.h"
#include "base/strings.h"
#include "format/callspec.h"

struct call_summary {
	enum call_summary_mode mode;
	struct call_summary_owner *items;
	size_t count, capacity;
	struct hash by_key; /* place in items */
	struct hash by_row; /* of (owner, call): place in its rows */
	struct strings names;
	uint64_t event_count;
};

struct call_summary *call_summary_new(enum call_summary_mode mode)
{
	struct call_summary *summary = xnew(struct call_summary);

	summary->mode = mode;
	return summary;
}

static void free_owner(struct call_summary_owner *owner)
{
	for (size_t i = 0; i < owner->row_count; i++)
		free(owner->rows[i].errors);
	free(owner->rows);
}

void call_summary_free(struct call_summary *summary)
{
	if (!summary)
		return;
	for (size_t i = 0; i < summary->count; i++)
		free_owner(&summary->items[i]);
	free(summary->items);
	hash_done(&summary->by_key);
	hash_done(&summary->by_row);
	strings_done(&summary->names);
	free(summary);
}

static size_t owner_of(struct call_summary *summary, uint64_t key, const char *name)
{
	struct hash_entry *entry;
	bool is_new;

	if (summary->mode == CALL_SUMMARY_TOTAL)
		key = 0;
	entry = hash_add(&summary->by_key, key, &is_new);
	if (is_new) {
		entry->index = summary->count;
		grow(summary);
		summary->items[summary->count++] = (struct call_summary_owner){ .key = key };
	}
	/* Threads are called as they were at last. */
	summary->items[entry->index].name = strings_keep(&summary->names, name);
	return entry->index;
}

void call_summary_event(struct call_summary *summary, uint64_t key, const char *name)
{
	size_t owner = owner_of(summary, key, name);

	summary->items[owner].event_count++;
	summary->event_count++;
}

static struct call_summary_row *row_of(struct call_summary *summary, size_t owner_at,
				       const struct callspec *spec)
{
	struct call_summary_owner *owner = &summary->items[owner_at];
	uint64_t key = hash_u64(owner_at ^ hash_u64((uint64_t)(uintptr_t)spec));
	bool is_new;
	struct hash_entry *entry = hash_add(&summary->by_row, key, &is_new);

	if (is_new) {
		if (owner->row_count == owner->row_capacity)
			owner->rows =
				xgrow(owner->rows, &owner->row_capacity, sizeof(*owner->rows));
		entry->index = owner->row_count;
		owner->rows[owner->row_count++] = (struct call_summary_row){ .spec = spec };
	}
	return &owner->rows[entry->index];
}

static void add_error(struct call_summary_row *row, int error)
{
	row->failed++;
	for (size_t i = 0; i < row->error_count; i++)
		if (row->errors[i].error == error) {
			row->errors[i].count++;
			return;
		}
	if (row->error_count == row->error_capacity)
		row->errors = xgrow(row->errors, &row->error_capacity, sizeof(*row->errors));
	row->errors[row->error_count++] = (struct call_summary_error){ error, 1 };
}

void call_summary_add(struct call_summary *summary, uint64_t key, const char *name,
		      const struct calls_call *call)
{
	size_t owner = owner_of(summary, key, name);
	struct call_summary_row *row = row_of(summary, owner, call->values.spec);

	row->count++;
	if (call->error)
		add_error(row, call->error);
	if (call->start_ns && call->end_ns >= call->start_ns) {
		uint64_t ns = call->end_ns - call->start_ns;

		moments_add(&row->ns, (double)ns);
		row->total_ns += ns;
		row->off_ns += call->off_ns;
		summary->items[owner].total_ns += ns;
	}
}

void call_summary_runtime(struct call_summary *summary, uint64_t key, const char *name,
			  uint64_t runtime_ns)
{
	size_t owner = owner_of(summary, key, name);

	summary->items[owner].runtime_ns += runtime_ns;
}

static int by_time(const void *a, const void *b)
{
	const struct call_summary_row *one = a, *other = b;

	if (one->total_ns != other->total_ns)
		return one->total_ns < other->total_ns ? 1 : -1;
	return strcmp(one->spec->name, other->spec->name);
}

static int by_count(const void *a, const void *b)
{
	const struct call_summary_error *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	return one->error - other->error;
}

static int by_events(const void *a, const void *b)
{
	const struct call_summary_owner *one = a, *other = b;

	if (one->event_count != other->event_count)
		return one->event_count > other->event_count ? 1 : -1;
	return one->key > other->key ? 1 : -1;
}

void call_summary_sort(struct call_summary *summary)
{
	for (size_t i = 0; i < summary->count; i++) {
		struct call_summary_owner *owner = &summary->items[i];

		for (size_t row = 0; row < owner->row_count; row++)
			if (owner->rows[row].error_count > 0)
				qsort(owner->rows[row].errors, owner->rows[row].error_count,
				      sizeof(*owner->rows[row].errors), by_count);
		if (owner->row_count > 0)
			qsort(owner->rows, owner->row_count, sizeof(*owner->rows), by_time);
	}
	if (summary->count > 0)
		qsort(summary->items, summary->count, sizeof(*summary->items), by_events);
}

size_t call_summary_count(const struct call_summary *summary)
{
	return summary->count;
}

const struct call_summary_owner *call_summary_at(const struct call_summary *summary, size_t i)
{
	return &summary->items[i];
}

uint64_t call_summary_events(const struct call_summary *summary)
{
	return summary->event_count;
}
