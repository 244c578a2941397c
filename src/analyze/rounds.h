/*
 * rounds.h - a recording's records in the order in which a reader of a stream can handle them: what
 * has a time waits until no older record can come.
 *
 * That is at the second end of a round behind it (all rings were drained then), or at the end.
 * Records without a time, and those that the recorder made up, do not wait.
 */
#pragma once

#include <stdbool.h>

struct event_desc;
struct profile;
struct record;
struct sample;

/* @event is NULL and @sample is all 0 where the record tells none; of a SAMPLE it is the sample. */
typedef void rounds_each(void *context, const struct record *record, const struct event_desc *event,
			 const struct sample *sample);

/* @in_file_order: nothing waits. */
void rounds_walk(struct profile *profile, bool in_file_order, rounds_each *each, void *context);
