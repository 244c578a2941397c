/*
 * report-config.h - what can be typed behind "report", and what it means.
 */
#pragma once

#include <stdbool.h>

#include "analyze/filter.h"
#include "analyze/report.h"
#include "base/opt.h"
#include "cmd/chain-options.h"
#include "cmd/reading.h"
#include "view/report-text.h"

struct report_config {
	struct reading reading;
	struct report_options report;
	struct filter filter;
	struct chain_options chains;
	struct report_text text;
	const char *time;    /* --time */
	const char *operand; /* SYMBOL */
	double percent_limit;
	bool total_cycles, thread_counts, raw_counts;
	bool ignore_vmlinux, modules; /* modules: their names are always loaded */
	bool stdio, stats, tasks, mmaps, inverted, dump, in_file_order;
};

extern const struct opt report_config_options[];

struct report_config report_config_default(void);
/* Takes the command line, too, and settles what the layers below want of it. */
int report_config_parse(struct report_config *c, int argc, const char **argv,
			struct strobe_err *err);
void report_config_done(struct report_config *c);
