/* branchtype.h - which branches -j asks for: "any,u" as attr.branch_sample_type. */
#pragma once

#include <stdint.h>

struct strobe_err;

/* With only u, k and hv it is any branch, as with perf. */
int branchtype_parse(const char *text, uint64_t *ret_type, struct strobe_err *err);
