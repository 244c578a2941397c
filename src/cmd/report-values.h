/*
 * report-values.h - what the values of report's options are: each writes its own field.
 */
#pragma once

#include "base/opt.h"

opt_call report_values_percent;     /* a double: up to 100 */
opt_call report_values_percentage;  /* a bool: relative */
opt_call report_values_color;       /* a bool */
opt_call report_values_branches;    /* an int: 1 or 0 */
opt_call report_values_widths;      /* a const char *: checked, and as it was typed */
opt_call report_values_quantum;     /* a uint64_t: ns */
opt_call report_values_pretty;      /* a bool: raw */
opt_call report_values_parallelism; /* a struct filter_ids */
