/*
 * stat-where.h - where a row of stat's table was counted, in front of its number: "CPU0",
 * "S0-D0-C1", "bash-123"; as a column of text, as fields of CSV, and as keys of JSON. As in perf.
 */
#pragma once

#include "analyze/stat.h"

struct str;

/* With blanks up to the number. */
void stat_where_add_text(struct str *out, const struct stat_place *place);
/* Each field with @separator behind it. */
void stat_where_add_csv(struct str *out, const struct stat_place *place, const char *separator);
/* perf's: "core" : "S0-D0-C0", "aggregate-number" : 1, */
void stat_where_add_json(struct str *out, const struct stat_place *place);

/* "S0-D0-C1", "CPU0", "bash-123"; nothing for all. */
void stat_where_add_name(struct str *out, const struct stat_place *place);

/* How wide stat_where_add_text() is. */
size_t stat_where_width(enum stat_by by);
/* The title of the column of a table by intervals, which goes on to the numbers. */
const char *stat_where_title(enum stat_by by);
/* "core,cpus,": the fields of CSV; "" for all. */
const char *stat_where_csv_title(enum stat_by by);
