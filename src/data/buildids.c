/* buildids.c - see buildids.h. */
#include "data/buildids.h"

#include <byteswap.h>
#include <linux/perf_event.h>
#include <string.h>

#include "data/body.h"
#include "data/record.h"

/* Where things lie in a record, in bytes from its start. */
enum {
	AT_PID = 8,
	AT_ID = 12,
	AT_ID_SIZE = 32,
	AT_NAME = 36,
	NAME_ALIGN = 64,
	NAME_MAX = 4096, /* PATH_MAX of Linux */
	OLD_ID_SIZE = 20,
};

struct buildids_walk buildids_begin(const void *bytes, size_t size, bool foreign)
{
	return (struct buildids_walk){ .at = bytes, .left = size, .foreign = foreign };
}

bool buildids_next(struct buildids_walk *walk, struct buildids_entry *ret_entry)
{
	struct perf_event_header header;
	struct buildids_entry entry = { 0 };
	uint32_t pid;

	if (walk->left < sizeof(header))
		return false;
	memcpy(&header, walk->at, sizeof(header));
	if (walk->foreign) {
		header.misc = bswap_16(header.misc);
		header.size = bswap_16(header.size);
	}
	if (header.size <= AT_NAME || header.size > walk->left)
		return false;
	if (!memchr(walk->at + AT_NAME, '\0', (size_t)header.size - AT_NAME))
		return false;

	memcpy(&pid, walk->at + AT_PID, sizeof(pid));
	entry.pid = (int32_t)(walk->foreign ? bswap_32(pid) : pid);
	entry.misc = (uint16_t)(header.misc & ~BUILDIDS_SIZE);
	entry.id_size = header.misc & BUILDIDS_SIZE ? walk->at[AT_ID_SIZE] : OLD_ID_SIZE;
	if (entry.id_size > BUILDIDS_MAX)
		entry.id_size = BUILDIDS_MAX;
	memcpy(entry.id, walk->at + AT_ID, entry.id_size);
	entry.name = (const char *)walk->at + AT_NAME;

	walk->at += header.size;
	walk->left -= header.size;
	*ret_entry = entry;
	return true;
}

void buildids_encode(const struct buildids_entry *entry, struct body_out *out)
{
	static const char zeros[NAME_ALIGN];
	size_t name_size = strnlen(entry->name, NAME_MAX - 1);
	size_t padding = NAME_ALIGN - name_size % NAME_ALIGN;
	size_t id_size = entry->id_size < BUILDIDS_MAX ? entry->id_size : BUILDIDS_MAX;
	uint8_t id[AT_NAME - AT_ID] = { 0 };
	struct perf_event_header header = {
		.misc = entry->misc | BUILDIDS_SIZE,
		.size = (uint16_t)(AT_NAME + name_size + padding),
	};

	memcpy(id, entry->id, id_size);
	id[AT_ID_SIZE - AT_ID] = (uint8_t)id_size;
	body_put_bytes(out, &header, sizeof(header));
	body_put_u32(out, (uint32_t)entry->pid);
	body_put_bytes(out, id, sizeof(id));
	body_put_bytes(out, entry->name, name_size);
	body_put_bytes(out, zeros, padding);
}
