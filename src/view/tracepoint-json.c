/* tracepoint-json.c - see tracepoint-json.h. */
#include "view/tracepoint-json.h"

#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "format/tracepoint.h"

/* Bytes of fields, of which a record has 64 KiB at most; but a file's fields may lie upon another.
 */
enum { FIELDS_MOST = 1024 * 1024 };

struct raw_bytes {
	const void *bytes;
	size_t size;
	size_t printed; /* of fields */
};

static void add_number(struct json *json, const char *name, const struct tracepoint_field *field,
		       uint64_t value)
{
	if (tracepoint_field_is_signed(field))
		json_i64(json, name, (int64_t)value);
	else
		json_u64(json, name, value);
}

/* False if it is no array of numbers. */
static bool add_elements(struct json *json, const char *name, const struct tracepoint_field *field,
			 const struct raw_bytes *raw)
{
	uint64_t value;

	if (!tracepoint_field_element(field, raw->bytes, raw->size, 0, &value))
		return false;
	json_begin_list(json, name);
	for (size_t i = 0; tracepoint_field_element(field, raw->bytes, raw->size, i, &value); i++)
		add_number(json, NULL, field, value);
	json_end_list(json);
	return true;
}

static void add_field(struct json *json, const struct tracepoint_field *field,
		      struct raw_bytes *raw)
{
	const char *name = tracepoint_field_name(field);
	const void *bytes;
	uint64_t value;
	size_t size;

	if (raw->printed > FIELDS_MOST ||
	    !tracepoint_field_bytes(field, raw->bytes, raw->size, &bytes, &size)) {
		json_null(json, name);
		return;
	}
	raw->printed += size;
	if (tracepoint_field_is_text(field))
		json_bytes(json, name, bytes, strnlen(bytes, size));
	else if (tracepoint_field_number(field, raw->bytes, raw->size, &value))
		add_number(json, name, field, value);
	else if (!add_elements(json, name, field, raw))
		json_hex(json, name, bytes, size);
}

void tracepoint_json_add(struct json *json, const char *name, const struct tracepoint *tracepoint,
			 const void *raw, size_t raw_size)
{
	struct raw_bytes bytes = { raw, raw_size, 0 };
	const struct tracepoint_field *field;
	struct str text = { 0 };

	tracepoint_print(tracepoint, raw, raw_size, &text);
	json_begin(json, name);
	json_text(json, "system", tracepoint_system(tracepoint));
	json_text(json, "name", tracepoint_name(tracepoint));
	json_bytes(json, "text", str_text(&text), text.size);
	json_begin(json, "fields");
	for (size_t i = 0; (field = tracepoint_field_at(tracepoint, i)); i++)
		add_field(json, field, &bytes);
	json_end(json);
	json_end(json);
	str_done(&text);
}
