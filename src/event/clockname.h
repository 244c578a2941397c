/* clockname.h - the clocks of -k: "monotonic_raw", "mono", "11" as attr.clockid. */
#pragma once

#include <stdint.h>

struct strobe_err;

/* Names in any case, with or without CLOCK_ before them. */
int clockname_parse(const char *text, int32_t *ret_clockid, struct strobe_err *err);
