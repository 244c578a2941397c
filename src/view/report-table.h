/*
 * report-table.h - the cells of a report's rows, for report-text and hierarchy-text: how wide
 * columns are, and how a measure or a key fills one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyze/fields.h"
#include "base/str.h"

struct hist_entry;
struct item;
struct report;
struct sortkey;
struct report_event;
struct report_text;

struct report_table {
	const struct report *report;
	const struct report_event *event;
	const struct report_text *text;
	size_t *widths; /* of the columns */
	struct str line, cell;
};

/* Finds the widths; the rest is set. report_table_done() frees them and the texts. */
void report_table_init(struct report_table *table);
void report_table_done(struct report_table *table);

const struct field *report_table_column(const struct report_table *table, size_t i);
size_t report_table_column_count(const struct report_table *table);
const char *report_table_title(const struct report_table *table, const struct field *field);
/* Adds the title; of a measure that is several columns, those of all. */
void report_table_add_title(struct report_table *table, size_t i, bool right);
/* Adds a line of headings over columns [@begin, @end) where one is several; else nothing. */
void report_table_add_headings(struct report_table *table, size_t begin, size_t end, size_t indent);

/* What stands before the @i-th cell of a line. */
void report_table_add_separator(struct report_table *table, size_t i);
/* The cells of a field: a measure has one for each event of a group. */
void report_table_add_measure(struct report_table *table, const struct hist_entry *entry,
			      const struct field *field, size_t width, bool is_last);
void report_table_add_key(struct report_table *table, const struct item *item,
			  const struct sortkey *key, size_t width, bool is_last);
/* Writes the line. */
void report_table_flush(struct report_table *table, FILE *out);

/* What the percent limit is of: with what was called, where the report counts that. */
uint64_t report_table_weight(const struct report_table *table, const struct hist_entry *entry);
bool report_table_is_light(const struct report_table *table, const struct hist_entry *entry);
