/*
 * printfmt.h - whether libtraceevent can follow the print format of a tracepoint.
 *
 * It trusts what it has parsed: a format that takes the length of an array that is not among the
 * fields, or the text of a field that is no text, makes it read where nothing is.
 */
#pragma once

#include <stdbool.h>

struct tep_event;

/* False if printing the event by its format could read outside the record, or through NULL. */
bool printfmt_is_sound(struct tep_event *event);
