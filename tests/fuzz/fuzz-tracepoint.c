/* fuzz-tracepoint.c - any bytes as a TRACING_DATA section, and as samples of its tracepoints.
 *
 * The first byte says how many of the next are the sample's; it says its tracepoint in the first
 * two, as the kernel's do.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "format/tracepoint.h"
#include "fuzz.h"

static void print(const struct tracepoint *tracepoint, const void *raw, size_t size)
{
	const struct tracepoint_field *field;
	struct str text = { 0 };

	tracepoint_print(tracepoint, raw, size, &text);
	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)); i++) {
		uint64_t value;

		str_add(&text, tracepoint_field_name(field));
		(void)tracepoint_field_number(field, raw, size, &value);
		tracepoint_field_print(field, raw, size, &text);
	}
	str_done(&text);
}

static void print_sample(const struct tracepoint_set *set, const uint8_t *raw, size_t size)
{
	const struct tracepoint *tracepoint;
	void *copy;

	if (size < 2)
		return;
	tracepoint = tracepoint_set_find(set, (uint64_t)raw[0] | (uint64_t)raw[1] << 8);
	if (!tracepoint)
		return;
	/* Of its own size, so that a sanitizer sees what reads beyond it. */
	copy = xcalloc(1, size);
	memcpy(copy, raw, size);
	print(tracepoint, copy, size);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct tracepoint_set *set;
	size_t raw_size;

	if (size == 0 || (size_t)bytes[0] + 1 > size)
		return 0;
	raw_size = bytes[0];
	if (tracepoint_set_new(bytes + 1 + raw_size, size - 1 - raw_size, &set, NULL) < 0)
		return 0;
	print_sample(set, bytes + 1, raw_size);
	tracepoint_set_free(set);
	return 0;
}
