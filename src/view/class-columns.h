/*
 * class-columns.h - the columns of a report that show, side by side, what accesses to memory met
 * (-F op, cache, memory, snoop, dtlb): one for each class that the event has accesses of.
 *
 *	------ Mem Op -------
 *	   Load  Store  Other
 *	  55.9%   3.3%   0.2%
 */
#pragma once

#include <stddef.h>

#include "format/data-src.h"

struct hist_entry;
struct report_event;
struct str;

/* Of all of them together. */
size_t class_columns_width(const struct report_event *event, enum data_src_kind kind);
void class_columns_add_heading(const struct report_event *event, enum data_src_kind kind,
			       const char *title, struct str *line);
void class_columns_add_titles(const struct report_event *event, enum data_src_kind kind,
			      struct str *line);
void class_columns_add(const struct report_event *event, enum data_src_kind kind,
		       const struct hist_entry *entry, struct str *line);
