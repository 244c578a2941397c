/* feature-recording.h - the sections of a header that say what was recorded, and how. */
#pragma once

#include "view/feature-text.h"

/* Of a feature below FEATURE_PERF_END; NULL: it is none of these. */
feature_text_printer *feature_recording_printer(unsigned feature);
