/*
 * function-hits.h - which addresses of which functions samples hit.
 *
 * Of a report whose rows are addresses: FUNCTION_HITS_KEYS tell them apart.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "symbol/resolve.h"

#define FUNCTION_HITS_KEYS "dso,sym,symoff"

struct hist_entry;
struct report;
struct report_event;

/* One address: its entry has a number for each of the event's members. */
struct function_hit {
	uint64_t addr; /* of the object */
	const struct hist_entry *entry;
};

struct function_hits {
	struct place begin;         /* its first instruction */
	struct function_hit *items; /* by address */
	size_t count, capacity;
	struct {
		uint64_t period, count;
	} * totals; /* one for each member */
};

struct function_hits_list {
	struct function_hits *items; /* those with the largest period of the first member first */
	size_t count, capacity;
};

/* Borrows from the report. */
void function_hits_find(const struct report *report, const struct report_event *event,
			struct function_hits_list *ret_functions);
void function_hits_done(struct function_hits_list *functions);

/* How a share is taken: of what, and of which numbers. */
struct function_share {
	bool global; /* of all that the event counts, else of its function's */
	bool hits;   /* of numbers of samples, else of periods */
};

/* The share of an address, from 0 to 100. */
double function_hits_percent(const struct function_share *share, const struct report_event *event,
			     const struct function_hits *function, const struct hist_entry *entry,
			     size_t member);
