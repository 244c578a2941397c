/* thread-counts-text.c - see thread-counts-text.h. */
#include "view/thread-counts-text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thread-counts.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/events.h"
#include "format/event-name.h"

struct table {
	const struct thread_counts *counts;
	struct str *names;              /* of the events */
	size_t pid, tid, *values;       /* widths of the columns */
	size_t name, number, any_value; /* of a raw table */
	FILE *out;
};

static size_t digits(uint64_t value)
{
	size_t count = 1;

	while (value >= 10) {
		value /= 10;
		count++;
	}
	return count;
}

static void widen(size_t *width, size_t least)
{
	if (*width < least)
		*width = least;
}

static void find_widths(struct table *table)
{
	const struct thread_counts *counts = table->counts;

	for (size_t k = 0; k < counts->event_count; k++) {
		widen(&table->values[k], table->names[k].size);
		widen(&table->name, table->names[k].size);
		widen(&table->number, digits(k));
	}
	for (size_t i = 0; i < counts->count; i++) {
		const struct thread_count *thread = &counts->items[i];

		widen(&table->pid, digits(thread->pid));
		widen(&table->tid, digits(thread->tid));
		for (size_t k = 0; k < counts->event_count; k++) {
			widen(&table->values[k], digits(thread->values[k]));
			widen(&table->any_value, digits(thread->values[k]));
		}
	}
}

static void print_rows(const struct table *table)
{
	const struct thread_counts *counts = table->counts;

	(void)fprintf(table->out, "# %*s  %*s", (int)table->pid, "PID", (int)table->tid, "TID");
	for (size_t k = 0; k < counts->event_count; k++)
		(void)fprintf(table->out, "  %*s", (int)table->values[k],
			      str_text(&table->names[k]));
	(void)fputc('\n', table->out);
	for (size_t i = 0; i < counts->count; i++) {
		const struct thread_count *thread = &counts->items[i];

		(void)fprintf(table->out, "  %*" PRIu32 "  %*" PRIu32, (int)table->pid, thread->pid,
			      (int)table->tid, thread->tid);
		for (size_t k = 0; k < counts->event_count; k++)
			(void)fprintf(table->out, "  %*" PRIu64, (int)table->values[k],
				      thread->values[k]);
		(void)fputc('\n', table->out);
	}
}

static void print_raw(const struct table *table)
{
	const struct thread_counts *counts = table->counts;

	(void)fprintf(table->out, "# %*s  %*s  %*s  %*s  %*s\n", (int)table->pid, "PID",
		      (int)table->tid, "TID", (int)table->name, "Name", (int)table->number, "Raw",
		      (int)table->any_value, "Count");
	for (size_t i = 0; i < counts->count; i++) {
		const struct thread_count *thread = &counts->items[i];

		for (size_t k = 0; k < counts->event_count; k++)
			(void)fprintf(table->out,
				      "  %*" PRIu32 "  %*" PRIu32 "  %*s  %*zu  %*" PRIu64 "\n",
				      (int)table->pid, thread->pid, (int)table->tid, thread->tid,
				      (int)table->name, str_text(&table->names[k]),
				      (int)table->number, k, (int)table->any_value,
				      thread->values[k]);
	}
}

void thread_counts_text_print(const struct thread_counts *counts, const struct events *events,
			      bool is_raw, FILE *out)
{
	struct table table = {
		.counts = counts,
		.names = xcalloc(counts->event_count + 1, sizeof(struct str)),
		.pid = strlen("PID"),
		.tid = strlen("TID"),
		.values = xcalloc(counts->event_count + 1, sizeof(size_t)),
		.name = strlen("Name"),
		.number = strlen("Raw"),
		.any_value = strlen("Count"),
		.out = out,
	};

	for (size_t k = 0; k < counts->event_count; k++) {
		event_name_add_desc(&table.names[k], events_at(events, k));
		str_one_line(&table.names[k], 0);
	}
	find_widths(&table);
	if (is_raw)
		print_raw(&table);
	else
		print_rows(&table);
	for (size_t k = 0; k < counts->event_count; k++)
		str_done(&table.names[k]);
	free(table.names);
	free(table.values);
}
