/*
 * hierarchy-text.h - the rows of report -H: what a row has below it stands indented behind it.
 */
#pragma once

#include <stdio.h>

struct callgraph;
struct report_table;

/* Titles, unless report_text.quiet, and all rows, with call trees below the innermost. */
void hierarchy_text_print(struct report_table *table, const struct callgraph *graph, FILE *out);
