/*
 * record-owner.h - whose a record is that is no sample, as script shows it.
 */
#pragma once

#include <stdint.h>

#include "data/sample.h"

struct record;
struct str;
struct timeline;

/*
 * Its trailer, with the record's own misc; what recorders make up themselves has no trailer: it
 * happened before everything, and its ids are 0.
 */
struct sample record_owner_trailer(const struct record *record, const struct sample *trailer);

/* Adds the name of the thread that the record is about, at that moment: ":TID" if it has none. */
void record_owner_name(const struct timeline *timeline, const struct record *record,
		       const struct sample *trailer, uint64_t moment, struct str *out);
