/*
 * swap.h - turns a record of the other byte order into one of ours.
 *
 * A record is mostly 64-bit words, but each type has its 32- and 16-bit fields, strings and
 * copied bytes, and where a sample's lie follows from its attr.
 */
#pragma once

#include <linux/perf_event.h>

struct events;

/*
 * @header: the whole record, aligned, its header in host order already. What is unknown is left
 * as it is. 0 or -EBADMSG: the record is shorter than its type or attr says.
 */
int swap_record(const struct events *events, struct perf_event_header *header);
