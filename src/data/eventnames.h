/*
 * eventnames.h - what the features EVENT_DESC and GROUP_DESC say, put into the events.
 *
 *   EVENT_DESC: count, size of an attr; of each event: attr, number of ids, name, ids
 *   GROUP_DESC: count; of each group: name, index of the leader, number of members
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct events;

/* Names, and ids of events that have none; adds the events where there are none. */
int eventnames_describe(struct events *events, const void *bytes, size_t size, bool foreign);

int eventnames_group(struct events *events, const void *bytes, size_t size, bool foreign);
