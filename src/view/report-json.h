/*
 * report-json.h - a report as JSON: "strobe.report/1", see docs/json.md.
 *
 * One object; each row stands on a line of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct events;
struct json;
struct profile;
struct report;
struct report_text;
struct stack_sum;
struct unnamed;

struct report_json {
	const struct profile *profile;
	const struct report_text *text; /* what is chosen: limits, call chains, time */
	bool header;                    /* all of the recording's header, not only the basics */
	const struct unnamed *unnamed;  /* objects without names */
	size_t unnamed_count;
	const struct stack_sum *stacks;
};

/*
 * The part that says how rows are told apart, and the tables, for another object that has them. All
 * that @json wrote before goes to @out, too.
 */
void report_json_tables(struct json *json, const struct report *report,
			const struct report_text *text, const struct events *events, FILE *out);

void report_json_print(const struct report *report, const struct report_json *options, FILE *out);
