/*
 * output-format.h - the option --format, for commands that print results as text or as JSON.
 */
#pragma once

#include "base/opt.h"

enum output_format {
	OUTPUT_FORMAT_TEXT,
	OUTPUT_FORMAT_JSON,
};

/* Takes the name of a format; the field is an enum output_format. */
opt_call output_format_take;

#define OUTPUT_FORMAT_OPTION(field)                                                                \
	{                                                                                          \
		OPT_CALL, '\0', "format", "FORMAT", field,                                         \
			"Print text (the default) or json, which docs/json.md defines",            \
			output_format_take, OPT_NO_NEGATE                                          \
	}
