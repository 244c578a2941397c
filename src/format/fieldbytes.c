/* fieldbytes.c - see fieldbytes.h. */
#include "format/fieldbytes.h"

#include <traceevent/event-parse.h>

bool fieldbytes_is_dynamic(const struct tep_format_field *field)
{
	return field->flags & TEP_FIELD_IS_DYNAMIC;
}

static void follow_dynamic(const struct tep_format_field *field, const void *raw, size_t *at,
			   size_t *size)
{
	uint64_t location = tep_read_number(field->event->tep, (const char *)raw + *at, (int)*size);
	size_t behind = *at + *size;

	*size = (location >> 16) & 0xffff;
	*at = location & 0xffff;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		*at += behind;
}

bool fieldbytes_find(const struct tep_format_field *field, const struct fieldbytes_record *record,
		     struct fieldbytes *ret_bytes)
{
	size_t at = (size_t)field->offset, size = (size_t)field->size;

	if (field->offset < 0 || field->size < 0 || at > record->size || size > record->size - at)
		return false;
	if (fieldbytes_is_dynamic(field)) {
		if (size != 4 && size != 8)
			return false;
		follow_dynamic(field, record->raw, &at, &size);
		if (at > record->size || size > record->size - at)
			return false;
	} else if (size == 0) {
		size = record->size - at;
	}
	*ret_bytes = (struct fieldbytes){ (const uint8_t *)record->raw + at, size };
	return true;
}
