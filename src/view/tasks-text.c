/* tasks-text.c - see tasks-text.h. */
#include "view/tasks-text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/tasks.h"
#include "model/timeline.h"

enum { COLUMNS_BEFORE_COMM = 32 };

/* With the end of the line. */
static void print_name(const char *name, FILE *out)
{
	_cleanup_(str_done) struct str line = { 0 };

	str_add(&line, name);
	str_one_line(&line, 0);
	(void)fprintf(out, "%s\n", line.text);
}

static void print_task(const struct tasks_item *task, FILE *out)
{
	(void)fprintf(out, "  %8" PRId32 " %8" PRId32 " %8" PRId32 " |%*s", (int32_t)task->pid,
		      (int32_t)task->tid, (int32_t)task->parent, (int)task->depth, "");
	if (task->comm)
		print_name(task->comm, out);
	else
		(void)fprintf(out, ":%" PRId32 "\n", (int32_t)task->tid);
}

/* Which file it is: the inode or the build-id, as the record tells it. */
static void print_identity(const struct map *map, FILE *out)
{
	const struct dso *dso = map->dso;

	if (map->has_inode && dso->kind != DSO_VDSO) {
		(void)fprintf(out, "%" PRIu64, map->ino);
		return;
	}
	for (size_t i = 0; i < dso->build_id_size; i++)
		(void)fprintf(out, "%02x", dso->build_id[i]);
}

static void print_range(const struct timeline_range *range, int indent, FILE *out)
{
	const struct map *map = range->map;

	(void)fprintf(out, "%*s%" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " ", indent, "",
		      range->start, range->end, map->prot & PROT_READ ? 'r' : '-',
		      map->prot & PROT_WRITE ? 'w' : '-', map->prot & PROT_EXEC ? 'x' : '-',
		      map->flags & MAP_SHARED ? 's' : 'p',
		      map->pgoff + (range->start - map->start));
	print_identity(map, out);
	(void)fputc(' ', out);
	print_name(map->dso->name, out);
}

static void print_ranges(const struct timeline *timeline, const struct tasks_item *task, FILE *out)
{
	_cleanup_(freep) struct timeline_range *ranges = NULL;
	size_t count = timeline_ranges(timeline, task->pid, UINT64_MAX, &ranges);

	for (size_t i = 0; i < count; i++)
		print_range(&ranges[i], COLUMNS_BEFORE_COMM + (int)task->depth, out);
}

void tasks_text_print(const struct timeline *timeline, bool maps, FILE *out)
{
	_cleanup_(tasks_done) struct tasks tasks;

	tasks_init(&tasks, timeline, maps);
	(void)fprintf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	for (size_t i = 0; i < tasks.count; i++) {
		print_task(&tasks.items[i], out);
		if (maps)
			print_ranges(timeline, &tasks.items[i], out);
	}
}
