/* function-hits.c - see function-hits.h. */
#include "analyze/function-hits.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hist.h"
#include "analyze/placeinfo.h"
#include "analyze/report.h"
#include "base/hash.h"
#include "base/mem.h"

/* The function's; made when it is first asked for. @by_function: numbers of @functions. */
static struct function_hits *function_of(struct function_hits_list *functions,
					 struct hash *by_function, const struct place *place,
					 size_t member_count)
{
	struct hash_entry *known;
	struct function_hits *function;
	bool is_first;

	known = hash_add(by_function, (uintptr_t)place->function, &is_first);
	if (!is_first)
		return &functions->items[known->number];
	known->number = functions->count;
	grow(functions);
	function = &functions->items[functions->count++];
	*function = (struct function_hits){ .begin = placeinfo_function_begin(place) };
	function->totals = xcalloc(member_count, sizeof(*function->totals));
	return function;
}

static void add(struct function_hits *function, const struct place *place,
		const struct hist_entry *entry, size_t member_count)
{
	grow(function);
	function->items[function->count++] =
		(struct function_hit){ .addr = place->object_addr, .entry = entry };
	for (size_t i = 0; i < member_count; i++) {
		function->totals[i].period += entry->self[i].period;
		function->totals[i].count += entry->self[i].count;
	}
}

static int compare_hits(const void *left, const void *right)
{
	const struct function_hit *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

/* Equal ones by name: what comes out is the same each time. */
static int compare_functions(const void *left, const void *right)
{
	const struct function_hits *a = left, *b = right;
	uint64_t of_a = a->totals[0].period, of_b = b->totals[0].period;
	int order = strcmp(a->begin.function->name, b->begin.function->name);

	if (of_a != of_b)
		return of_a < of_b ? 1 : -1;
	if (order != 0)
		return order;
	return (a->begin.object_addr > b->begin.object_addr) -
	       (a->begin.object_addr < b->begin.object_addr);
}

void function_hits_find(const struct report *report, const struct report_event *event,
			struct function_hits_list *ret_functions)
{
	_cleanup_(hash_done) struct hash by_function = { 0 };

	*ret_functions = (struct function_hits_list){ 0 };
	for (size_t i = 0; i < event->hist->entry_count; i++) {
		const struct hist_entry *entry = event->hist->entries[i];
		const struct place *place = sites_place(report->sites, entry->site);

		if (!place->function)
			continue;
		add(function_of(ret_functions, &by_function, place, event->member_count), place,
		    entry, event->member_count);
	}
	for (size_t i = 0; i < ret_functions->count; i++) {
		struct function_hits *function = &ret_functions->items[i];

		qsort(function->items, function->count, sizeof(*function->items), compare_hits);
	}
	if (ret_functions->count > 0)
		qsort(ret_functions->items, ret_functions->count, sizeof(*ret_functions->items),
		      compare_functions);
}

void function_hits_done(struct function_hits_list *functions)
{
	for (size_t i = 0; i < functions->count; i++) {
		free(functions->items[i].items);
		free(functions->items[i].totals);
	}
	free(functions->items);
}

double function_hits_percent(const struct function_share *share, const struct report_event *event,
			     const struct function_hits *function, const struct hist_entry *entry,
			     size_t member)
{
	uint64_t part = share->hits ? entry->self[member].count : entry->self[member].period;
	uint64_t whole;

	if (share->global)
		whole = share->hits ? event->totals[member].count : event->totals[member].period;
	else
		whole = share->hits ? function->totals[member].count
				    : function->totals[member].period;
	return hist_percent(part, whole);
}
