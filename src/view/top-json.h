/*
 * top-json.h - a frame of "top" as a line of JSON: "strobe.top/1", see docs/json.md.
 */
#pragma once

#include <stdio.h>

struct events;
struct report;
struct report_text;
struct top_text;

/* @number: of the frame, counted from 1. */
void top_json_print(const struct top_text *head, unsigned number, const struct report *report,
		    const struct report_text *text, const struct events *events, FILE *out);
