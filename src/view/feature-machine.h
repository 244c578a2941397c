/*
 * feature-machine.h - the sections of a header that say what the machine was, and what recorded on
 * it.
 */
#pragma once

#include "view/feature-text.h"

/* Of a feature below FEATURE_PERF_END; NULL: it is none of these. */
feature_text_printer *feature_machine_printer(unsigned feature);
