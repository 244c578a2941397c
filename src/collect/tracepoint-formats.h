/*
 * tracepoint-formats.h - the formats of the tracepoints in use, as the TRACING_DATA feature and the
 * HEADER_TRACING_DATA record hold them. format/tracing-data.h has the layout.
 */
#pragma once

#include <stddef.h>

struct strobe_err;
struct tracefs;

/*
 * @names are "system:name", @count of them, in any order, some perhaps twice. *ret_bytes is the
 * caller's, to free(). An error if a format cannot be read.
 */
int tracepoint_formats_gather(const struct tracefs *tracefs, const char *const *names, size_t count,
			      void **ret_bytes, size_t *ret_size, struct strobe_err *err);
