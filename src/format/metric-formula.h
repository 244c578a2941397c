/*
 * metric-formula.h - what a metric is made of: "100 * br_misp_retired.all_branches / branches".
 *
 * Numbers, names of events, + - * / and parentheses, min(a, b) and max(a, b), with the usual
 * precedence. A name is letters, digits, '_' and '.', and begins with a letter; what has other
 * characters in it stands between single quotes: 'topdown-retiring', 'cpu/event=0x3c/'.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct metric_formula;
struct strobe_err;

/* -EINVAL: not a formula; err says at which character. The caller frees it. */
int metric_formula_parse(const char *text, struct metric_formula **ret_formula,
			 struct strobe_err *err);
void metric_formula_free(struct metric_formula *formula);
CLEANUP(metric_formula_free, struct metric_formula)

/* The events that it needs, each once, in the order in which they are first named. */
size_t metric_formula_count(const struct metric_formula *formula);
const char *metric_formula_name(const struct metric_formula *formula, size_t index);

/*
 * Its value, where those of its events are @values, in that order. False: there is none, since
 * something is divided by 0, or a value is not known (NAN).
 */
bool metric_formula_value(const struct metric_formula *formula, const double *values,
			  double *ret_value);
