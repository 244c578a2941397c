/* eventnames.c - see eventnames.h. */
#include "data/eventnames.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "data/attr.h"
#include "data/events.h"

struct reader {
	const uint8_t *next;
	size_t left;
	bool swap;
};

static const uint8_t *get_bytes(struct reader *reader, size_t size)
{
	const uint8_t *bytes = reader->next;

	if (size > reader->left)
		return NULL;
	reader->next += size;
	reader->left -= size;
	return bytes;
}

static bool get_32(struct reader *reader, uint32_t *ret_value)
{
	const uint8_t *bytes = get_bytes(reader, sizeof(*ret_value));
	uint32_t value;

	if (!bytes)
		return false;
	memcpy(&value, bytes, sizeof(value));
	*ret_value = reader->swap ? __builtin_bswap32(value) : value;
	return true;
}

static const char *get_string(struct reader *reader, size_t *ret_size)
{
	uint32_t size;

	if (!get_32(reader, &size))
		return NULL;
	*ret_size = size;
	return (const char *)get_bytes(reader, size);
}

/* A copy that is aligned and in host order. */
static uint64_t *copy_ids(const uint8_t *bytes, size_t count, bool swap)
{
	uint64_t *ids = xcalloc(count ? count : 1, sizeof(*ids));

	if (count)
		memcpy(ids, bytes, count * sizeof(*ids));
	for (size_t i = 0; swap && i < count; i++)
		ids[i] = __builtin_bswap64(ids[i]);
	return ids;
}

static int describe_one(struct events *events, struct reader *reader, size_t index,
			uint32_t attr_size, bool add)
{
	const uint8_t *bytes = get_bytes(reader, attr_size), *id_bytes;
	_cleanup_(freep) uint64_t *ids = NULL;
	uint32_t id_count;
	size_t name_size;
	const char *name;
	struct attr attr;

	if (!bytes || !get_32(reader, &id_count))
		return -EBADMSG;
	name = get_string(reader, &name_size);
	if (!name || id_count > reader->left / sizeof(*ids))
		return -EBADMSG;
	id_bytes = get_bytes(reader, id_count * sizeof(*ids));
	ids = copy_ids(id_bytes, id_count, reader->swap);
	if (add) {
		if (attr_decode(bytes, attr_size, reader->swap, &attr) < 0)
			return -EBADMSG;
		index = events_add(events, &attr, ids, id_count);
	} else {
		events_set_ids(events, index, ids, id_count);
	}
	if (name_size > 0 && name[0])
		events_set_name(events, index, name, name_size);
	return 0;
}

int eventnames_describe(struct events *events, const void *bytes, size_t size, bool foreign)
{
	struct reader reader = { bytes, size, foreign };
	bool add = events_count(events) == 0;
	uint32_t count, attr_size;

	if (!get_32(&reader, &count) || !get_32(&reader, &attr_size) || attr_size < ATTR_SIZE_MIN)
		return -EBADMSG;
	for (size_t i = 0; i < count; i++) {
		if (describe_one(events, &reader, i, attr_size, add) < 0)
			return -EBADMSG;
	}
	return 0;
}

int eventnames_group(struct events *events, const void *bytes, size_t size, bool foreign)
{
	static const char ANONYMOUS[] = "{anon_group}";
	struct reader reader = { bytes, size, foreign };
	uint32_t count, leader, members;
	const char *name;
	size_t name_size;

	if (!get_32(&reader, &count))
		return -EBADMSG;
	for (size_t i = 0; i < count; i++) {
		name = get_string(&reader, &name_size);
		if (!name || !get_32(&reader, &leader) || !get_32(&reader, &members))
			return -EBADMSG;
		if (strncmp(name, ANONYMOUS, name_size) == 0)
			name = NULL;
		events_set_group(events, leader, members, name, name_size);
	}
	return 0;
}
