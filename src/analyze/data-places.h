/*
 * data-places.h - which data the instructions that a report shows read or write, each looked up
 * once.
 *
 * Any number of threads may ask at the same time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct data_places;
struct place;
struct profile;
struct sites;

struct data_place {
	/* "struct node"; "(stack operation)", "(stack canary)" and "(unknown)" are no types. Equal
	 * texts are one pointer. */
	const char *type;
	const char *field; /* "at.x"; "" where the type has no field there */
	uint64_t offset;   /* in the type */
	bool is_type;
};

/* The cache line of the type that it is in, from 0 on. */
static inline uint64_t data_place_line(const struct data_place *data)
{
	return data->offset / 64;
}

/* The profile is borrowed. */
struct data_places *data_places_new(struct profile *profile);
void data_places_free(struct data_places *places);
CLEANUP(data_places_free, struct data_places)

/* All that was found before is gone, as it has to be before dsos go; not while others ask. */
void data_places_forget(struct data_places *places);

/* The place has its name. Lives as long as the places. */
const struct data_place *data_places_find(struct data_places *places, const struct place *place);
/* What is said where it cannot be known, as of callers. */
const struct data_place *data_places_none(void);

/* @sites are all there and named, borrowed until the next ones: data_places_at() may be asked. */
void data_places_settle(struct data_places *places, const struct sites *sites);
/* The same of a site's place: only who is the first to ask for it waits for others. */
const struct data_place *data_places_at(struct data_places *places, uint32_t site);
