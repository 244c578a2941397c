/* pass.c - see pass.h. */
#include "analyze/pass.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/record.h"
#include "data/sample.h"

enum { SLICE_SIZE = 1024 * 1024 }; /* bytes of records, where rounds are longer */

void pass_begin_totals(struct profile_totals *totals)
{
	*totals = (struct profile_totals){ .first_ns = UINT64_MAX };
}

/* What samples tell. */
void pass_add_totals(struct profile_totals *totals, const struct profile_totals *more)
{
	totals->unknown_id_count += more->unknown_id_count;
	totals->unknown_layout_count += more->unknown_layout_count;
	totals->untimed_count += more->untimed_count;
	totals->in_kernel |= more->in_kernel;
	if (more->first_ns < totals->first_ns)
		totals->first_ns = more->first_ns;
	if (more->last_ns > totals->last_ns)
		totals->last_ns = more->last_ns;
}

static bool is_time(uint64_t time_ns)
{
	return time_ns != 0 && time_ns != UINT64_MAX;
}

void pass_widen(struct profile_slice *slice, uint64_t time_ns)
{
	if (time_ns < slice->lowest_ns)
		slice->lowest_ns = time_ns;
	if (time_ns > slice->highest_ns)
		slice->highest_ns = time_ns;
}

/* Of a sample, this pass wants to know nothing but when it was. */
void pass_sample(const struct datafile *file, const struct record *record,
		 struct profile_totals *totals, struct profile_slice *slice)
{
	const struct event_desc *event = events_of(datafile_events(file), record);
	uint64_t time_ns;

	if (!event) {
		totals->unknown_id_count++;
		return;
	}
	totals->unknown_layout_count += !sample_is_known(&event->attr);
	totals->in_kernel |=
		(record->header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	if (!sample_time(&event->attr, record->header, &time_ns) || !is_time(time_ns)) {
		totals->untimed_count++;
		return;
	}
	if (time_ns < totals->first_ns)
		totals->first_ns = time_ns;
	if (time_ns > totals->last_ns)
		totals->last_ns = time_ns;
	pass_widen(slice, time_ns);
}

/* Begins the slice behind the one at hand. */
static struct profile_slice *next_slice(struct pass *pass, uint64_t begin)
{
	grow(&pass->slices);
	pass->slices.items[pass->slices.count] = (struct profile_slice){ .begin = begin,
									 .end = UINT64_MAX,
									 .lowest_ns = UINT64_MAX };
	return &pass->slices.items[pass->slices.count++];
}

/* Most of a recorder's own records tell nothing of what happened. */
static bool waits(uint32_t type)
{
	return type < RECORD_HEADER_ATTR || type == RECORD_HEADER_BUILD_ID ||
	       type == RECORD_EVENT_UPDATE;
}

void pass_stretch(const struct datafile *file, uint64_t begin, uint64_t end, struct pass *pass)
{
	struct datafile_cursor cursor = { file, begin };
	struct profile_slice *slice = next_slice(pass, begin);
	struct record record;

	pass_begin_totals(&pass->totals);
	while (cursor.offset < end && datafile_next(&cursor, &record)) {
		if (record.header->type == PERF_RECORD_SAMPLE)
			pass_sample(file, &record, &pass->totals, slice);
		else if (waits(record.header->type))
			slice->has_others = true;
		if (cursor.offset < end && (record.header->type == RECORD_FINISHED_ROUND ||
					    cursor.offset - slice->begin > SLICE_SIZE)) {
			slice->end = cursor.offset;
			slice = next_slice(pass, cursor.offset);
		}
	}
	slice->end = end;
}

void pass_done(struct pass *pass)
{
	free(pass->slices.items);
	*pass = (struct pass){ 0 };
}
