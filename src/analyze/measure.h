/*
 * measure.h - the columns of a report that are numbers of an entry.
 */
#pragma once

#include <stdbool.h>

struct str_part;

enum measure {
	MEASURE_NONE, /* the field is a key */
	MEASURE_OVERHEAD,
	MEASURE_LATENCY,
	MEASURE_CHILDREN,
	MEASURE_LATENCY_CHILDREN,
	MEASURE_SYS,
	MEASURE_US,
	MEASURE_GUEST_SYS,
	MEASURE_GUEST_US,
	MEASURE_SAMPLES,
	MEASURE_PERIOD,
	/* See extras.h. */
	MEASURE_WEIGHT_1, /* averages over an entry's samples */
	MEASURE_WEIGHT_2,
	MEASURE_WEIGHT_3,
	MEASURE_OP, /* what accesses to memory met: shares of the whole, side by side */
	MEASURE_CACHE,
	MEASURE_MEMORY,
	MEASURE_SNOOP,
	MEASURE_DTLB,
	MEASURE_COUNT,
};

const char *measure_name(enum measure measure);  /* that -s and -F know it by */
const char *measure_title(enum measure measure); /* of its column: "Overhead" */
bool measure_is_latency(enum measure measure);   /* of time that passed, not of periods */

/* MEASURE_NONE: there is none of that name. "snoop" is a key, too, which -s means: @is_field: -F.
 */
enum measure measure_find(struct str_part name, bool is_field);
