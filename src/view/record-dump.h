/*
 * record-dump.h - a record as report -D and script -D show it: where it lies, its bytes, and what
 * they say.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"

struct event_desc;
struct profile;
struct record;
struct sample;

struct record_dump {
	struct profile *profile;
	const char *name;   /* of the file, as it was given */
	const char *arch;   /* whose registers the samples have; as registers_name() wants it */
	bool in_file_order; /* then the ends of rounds let nothing go: they are unhandled */
	bool of_script;     /* THREAD_MAP and CPU_MAP are then handled, and READ is not */
	FILE *out;
	struct str text; /* for the dump itself */
};

/* @context is the dump: a rounds_each (analyze/rounds.h). */
void record_dump_print(void *context, const struct record *record, const struct event_desc *event,
		       const struct sample *sample);
void record_dump_done(struct record_dump *dump);
