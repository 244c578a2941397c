/* call-summary-text.h - system calls added up, as tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/call-summary.h"

struct str;

struct call_summary_text {
	enum call_summary_mode mode;
	bool errors;      /* which, and how often */
	bool runtime;     /* of the scheduler's */
	bool has_cpu;     /* it is known when threads had a CPU */
	size_t most_rows; /* 0: all */
};

/* @summary is sorted. */
void call_summary_text(const struct call_summary_text *text, const struct call_summary *summary,
		       struct str *out);
