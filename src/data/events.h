/*
 * events.h - the events of a recording: their attrs, names, and whose samples are whose.
 *
 * Filled while a file is opened (attr section, EVENT_DESC feature) or a stream goes by
 * (HEADER_ATTR, EVENT_UPDATE); after that it does not change.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/attr.h"

struct events;
struct perf_event_header;
struct record;
struct sample;

struct event_desc {
	size_t index; /* 0, 1, ... in the order of the file */
	struct attr attr;
	const char *name;    /* as the file says, else NULL: format/event-name.h makes one */
	const uint64_t *ids; /* kernel ids, one for each CPU or thread */
	size_t id_count;
	size_t leader;          /* index of the group's leader; its own where there is no group */
	size_t group_count;     /* of a leader: members with itself; 1 where there is no group */
	const char *group_name; /* of GROUP_DESC; NULL where the user gave none */
	const char *unit;       /* EVENT_UPDATE: unit and scale of a counter */
	const char *cpus;       /* EVENT_UPDATE: "0-3,8", the CPUs of its PMU; NULL: all */
	const char *cgroup;     /* EVENT_UPDATE: the control group that it counts; NULL: none */
	double scale;           /* 1 where the file says none */
};

size_t events_count(const struct events *events);
const struct event_desc *events_at(const struct events *events, size_t index);

/* Whether records have times; and if these are of CLOCK_MONOTONIC, the clock of JIT dumps. */
bool events_have_time(const struct events *events);
bool events_are_monotonic(const struct events *events);

/* The event with a kernel id, or NULL. */
const struct event_desc *events_find_id(const struct events *events, uint64_t id);

/*
 * The event that a record belongs to: by its id where attrs put one at a common place, else the
 * first event. NULL if the id is unknown (perf drops such samples: count them).
 */
const struct event_desc *events_of(const struct events *events, const struct record *record);

/*
 * Decodes any record: its event, and its sample or trailer. 0, -ENOENT (unknown event), -ENOTSUP
 * (see sample_is_known()) or -EBADMSG (damaged).
 */
int events_decode(const struct events *events, const struct record *record,
		  const struct event_desc **ret_desc, struct sample *ret_sample);

/* Filling: what datafile does while it opens a file. Strings and ids are copied. */

struct events *events_new(void);
void events_free(struct events *events);

/* Adds an event; returns its index. The order is the file's. */
size_t events_add(struct events *events, const struct attr *attr, const uint64_t *ids,
		  size_t id_count);

/* PERF_SAMPLE_*: what samples of any of the events have. */
uint64_t events_sample_types(const struct events *events);

/* Gives ids to an event that has none. */
void events_set_ids(struct events *events, size_t index, const uint64_t *ids, size_t id_count);

/* The name need not end in '\0'. An index that is not there is ignored. */
void events_set_name(struct events *events, size_t index, const char *name, size_t size);

/* Makes @count events from @leader on a group; ignored where they are not all there. */
void events_set_group(struct events *events, size_t leader, size_t count, const char *name,
		      size_t name_size);

/* A HEADER_ATTR or an EVENT_UPDATE record, in host order. 0 or -EBADMSG. */
int events_add_record(struct events *events, const struct perf_event_header *header);
int events_update(struct events *events, const struct perf_event_header *header);
