/*
 * call-summary-json.h - sums of system calls as JSON, a line for each thread: docs/json.md,
 * "trace".
 */
#pragma once

struct call_summary;
struct call_summary_text;
struct str;

/* As the text has it, but always with errors. */
void call_summary_json(const struct call_summary_text *text, const struct call_summary *summary,
		       struct str *out);
