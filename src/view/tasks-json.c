/* tasks-json.c - see tasks-json.h. */
#include "view/tasks-json.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/tasks.h"
#include "model/timeline.h"
#include "view/place-json.h"

static void add_range(struct json *json, const struct timeline_range *range)
{
	const struct map *map = range->map;

	json_begin(json, NULL);
	json_addr(json, "start", range->start);
	json_addr(json, "end", range->end);
	json_addr(json, "offset", map->pgoff + (range->start - map->start));
	json_bool(json, "read", map->prot & PROT_READ);
	json_bool(json, "write", map->prot & PROT_WRITE);
	json_bool(json, "exec", map->prot & PROT_EXEC);
	json_bool(json, "shared", map->flags & MAP_SHARED);
	place_json_dso(json, "dso", map, map->dso->name);
	if (map->has_inode && map->ino)
		json_u64(json, "inode", map->ino);
	json_hex(json, "build_id", map->dso->build_id, map->dso->build_id_size);
	json_end(json);
}

static void add_ranges(struct json *json, const struct timeline *timeline, uint32_t pid)
{
	_cleanup_(freep) struct timeline_range *ranges = NULL;
	size_t count = timeline_ranges(timeline, pid, UINT64_MAX, &ranges);

	json_begin_list(json, "mmaps");
	for (size_t i = 0; i < count; i++)
		add_range(json, &ranges[i]);
	json_end_list(json);
}

static void add_task(struct json *json, const struct tasks_item *task)
{
	json_i64(json, "pid", (int32_t)task->pid);
	json_i64(json, "tid", (int32_t)task->tid);
	if (task->parent == UINT32_MAX)
		json_null(json, "parent");
	else
		json_u64(json, "parent", task->parent);
	json_u64(json, "depth", task->depth);
	json_text(json, "comm", task->comm);
}

void tasks_json_print(const struct timeline *timeline, bool maps, FILE *out)
{
	_cleanup_(tasks_done) struct tasks tasks;
	struct str text = { 0 };
	struct json json = { .out = &text };

	tasks_init(&tasks, timeline, maps);
	json_begin(&json, NULL);
	json_text(&json, "schema", "strobe.tasks/1");
	json_begin_list(&json, "tasks");
	for (size_t i = 0; i < tasks.count; i++) {
		json_begin(&json, NULL);
		add_task(&json, &tasks.items[i]);
		if (maps)
			add_ranges(&json, timeline, tasks.items[i].pid);
		json_end(&json);
		(void)fwrite(text.text, 1, text.size, out);
		str_clear(&text);
	}
	json_end_list(&json);
	json_end(&json);
	str_add_char(&text, '\n');
	(void)fwrite(text.text, 1, text.size, out);
	str_done(&text);
}
