/* tracing.h - the section of tracepoints in a recording, as a little-endian recorder writes it. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/str.h"

static inline void tracing_number(struct str *out, uint64_t value, size_t size)
{
	str_add_bytes(out, &value, size);
}

static inline void tracing_text(struct str *out, const char *text)
{
	tracing_number(out, strlen(text), 8);
	str_add(out, text);
}

/* With @count events of one system, "shop", whose formats are @formats. The caller frees it. */
static inline char *tracing_section(const char *const *formats, size_t count, size_t *ret_size)
{
	struct str out = { 0 };

	str_add(&out, "\x17\x08\x44tracing");
	str_add_bytes(&out, "0.6", 4);
	tracing_number(&out, 0, 1);
	tracing_number(&out, 8, 1);
	tracing_number(&out, 4096, 4);
	str_add_bytes(&out, "header_page", 12);
	tracing_text(&out, "page");
	str_add_bytes(&out, "header_event", 13);
	tracing_text(&out, "event");
	tracing_number(&out, 0, 4); /* no ftrace formats */
	tracing_number(&out, 1, 4); /* one system */
	str_add_bytes(&out, "shop", 5);
	tracing_number(&out, count, 4);
	for (size_t i = 0; i < count; i++)
		tracing_text(&out, formats[i]);
	tracing_number(&out, 0, 4); /* kallsyms */
	tracing_number(&out, 0, 4); /* printk formats */
	tracing_number(&out, 0, 8); /* command lines */
	*ret_size = out.size;
	return str_take(&out);
}
