/*
 * report-text.h - a report as text: what perf report --stdio prints.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "view/callgraph.h"

struct blocks;
struct hist;
struct report;

struct report_text {
	bool show_empty;       /* events without samples, too */
	bool color;            /* of high percentages */
	bool quiet;            /* -q: the rows alone */
	bool header_was_shown; /* --header: so no hint at it */
	const char *separator; /* -t: between columns; NULL: two blanks, and columns are aligned */
	const char *widths;    /* -w: "10,,30": of the columns, from the left; NULL: as needed. The
				* caller    has seen to it that they are numbers of a sane size */
	double percent_limit;  /* rows below it are left out */
	const char *time_text; /* --time as given, or NULL */
	int64_t socket;        /* the only one that is shown; -1: all */
	const char *tip;       /* the last line; NULL: none */
	bool chains_first_known; /* rows are sorted by symbol first: chains leave out the first */
	bool long_names;         /* -v */
	enum callgraph_style style;
	enum callgraph_value value;
	size_t most;
	double chain_percent;
	size_t most_rows;            /* of a table; 0: all */
	const struct blocks *blocks; /* printed in place of rows; NULL: rows */
	bool tables_only;            /* without what stands before and behind them */
};

/* Of the rows of a table, how many are shown. */
size_t report_text_row_count(const struct report_text *text, const struct hist *hist);

/* How to see the header, unless it was shown. */
void report_text_print_hint(const struct report_text *text, FILE *out);

/* As in perf, a report that is empty is nothing but the hint at --header. */
void report_text_print(const struct report *report, const struct report_text *text, FILE *out);
