/* top-json.c - see top-json.h. */
#include "view/top-json.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "view/report-json.h"
#include "view/top-text.h"

static void add_head(struct json *json, const struct top_text *head, unsigned number)
{
	json_text(json, "schema", "strobe.top/1");
	json_u64(json, "frame", number);
	json_text(json, "what", head->what);
	json_text(json, "target", head->target);
	json_double(json, "seconds", head->seconds);
	json_u64(json, "samples", head->sample_count);
	json_u64(json, "kernel_samples", head->kernel_count);
	json_u64(json, "lost", head->lost_count);
	json_u64(json, "throttled", head->throttle_count);
	json_begin_list(json, "cpus");
	for (size_t i = 0; i < head->busy_count; i++) {
		json_begin(json, NULL);
		json_u64(json, "cpu", (uint64_t)head->busy[i].cpu);
		json_u64(json, "busy_percent", (uint64_t)head->busy[i].percent);
		json_end(json);
	}
	json_end_list(json);
}

/* Texts have no newlines of their own: JSON escapes them. */
static void write_line(const char *text, size_t size, FILE *out)
{
	while (size > 0) {
		const char *newline = memchr(text, '\n', size);
		size_t part = newline ? (size_t)(newline - text) : size;

		(void)fwrite(text, 1, part, out);
		part += newline != NULL;
		text += part;
		size -= part;
	}
	(void)fputc('\n', out);
}

void top_json_print(const struct top_text *head, unsigned number, const struct report *report,
		    const struct report_text *text, const struct events *events, FILE *out)
{
	_cleanup_(str_done) struct str rest = { 0 };
	_cleanup_(freep) char *lines = NULL;
	struct json json = { .out = &rest };
	size_t size;
	FILE *memory = open_memstream(&lines, &size);

	if (!memory)
		abort();
	json_begin(&json, NULL);
	add_head(&json, head, number);
	report_json_tables(&json, report, text, events, memory);
	json_end(&json);
	(void)fwrite(str_text(&rest), 1, rest.size, memory);
	(void)fclose(memory);
	write_line(lines, size, out);
}
