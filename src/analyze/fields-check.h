/* fields-check.h - whether what is asked for can be known of a recording: for fields.c. 0, or
 * -EINVAL and -ENODATA with a sentence. */
#pragma once

#include <stdbool.h>

#include "analyze/measure.h"

struct fields_options;
struct sortkey;
struct strobe_err;

int fields_check_key(const struct sortkey *key, const struct fields_options *options,
		     struct strobe_err *err);
/* Of a measure that is a column for each class of accesses to memory. */
int fields_check_class(enum measure measure, bool is_field, const struct fields_options *options,
		       struct strobe_err *err);
/* Refuses what wants to know when threads ran. */
int fields_check_latency(const char *name, struct strobe_err *err);
