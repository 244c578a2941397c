/* record-ids.c - see record-ids.h. */
#include "cmd/record-ids.h"

#include <string.h>

#include "base/mem.h"
#include "data/buildids.h"
#include "data/datafile.h"
#include "data/record.h"
#include "kernel/kerneltext.h"
#include "stage/kept-names.h"

static void add_entry(struct record_ids *ids, const char *name, const uint8_t *id, size_t size,
		      uint16_t misc)
{
	struct buildids_entry entry = {
		.misc = misc, .pid = BUILDIDS_PID_KERNEL, .id_size = size, .name = name
	};

	memcpy(entry.id, id, size);
	grow(ids);
	ids->items[ids->count++] = entry;
}

static void add_kernel(struct record_ids *ids)
{
	struct kerneltext text;

	if (kerneltext_load(NULL, &text) == 0 && text.build_id_size)
		add_entry(ids, "[kernel.kallsyms]", text.build_id, text.build_id_size,
			  PERF_RECORD_MISC_KERNEL);
}

static void take_held(void *context, const char *name, const uint8_t *id, size_t size)
{
	struct record_ids *ids = context;

	file_ids_tell(&ids->files, name, id, size);
}

/* Of files that nobody held: what is at their names now. */
static void add_mapped(struct record_ids *ids, const char *recording)
{
	_cleanup_(datafile_closep) struct datafile *file = NULL;
	struct datafile_cursor cursor;
	struct record record;

	if (datafile_open(recording, &file, NULL) < 0)
		return;
	cursor = datafile_begin(file);
	while (datafile_next(&cursor, &record)) {
		const struct record_mmap2 *map = (const void *)record.header;
		const char *name;

		if (record.header->type != PERF_RECORD_MMAP2 ||
		    !record_fits(record.header, sizeof(*map)) ||
		    (record.header->misc & PERF_RECORD_MISC_MMAP_DATA))
			continue;
		name = record_string(record.header, map->filename);
		if (name && name[0] == '/' && name[1] != '/')
			(void)file_ids_of_path(&ids->files, name);
	}
}

void record_ids_gather(struct record_ids *ids, const char *recording, struct kept_names *kept,
		       bool all)
{
	if (kept)
		kept_names_each_build_id(kept, take_held, ids);
	if (all) {
		add_kernel(ids);
		add_mapped(ids, recording);
	}
	for (uint32_t i = 0; i < ids->files.count; i++) {
		const struct file_id *id = &ids->files.items[i];

		if (id->size)
			add_entry(ids, strings_text(&ids->files.keys, i), id->bytes, id->size,
				  PERF_RECORD_MISC_USER);
	}
}

void record_ids_done(struct record_ids *ids)
{
	file_ids_done(&ids->files);
	free(ids->items);
	*ids = (struct record_ids){ 0 };
}
