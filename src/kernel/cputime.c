/* cputime.c - see cputime.h. */
#include "kernel/cputime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "kernel/sysfile.h"

/* "cpu3 user nice system idle iowait irq softirq steal ..." */
static void add_line(struct cputime *cputime, const char *line)
{
	enum { IDLE = 3, IOWAIT = 4, FIELDS = 8 };
	struct cputime_cpu item = { 0 };
	int used = 0;

	/* "cpu " alone is all of them. */
	if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9' ||
	    sscanf(line, "cpu%d%n", &item.cpu, &used) != 1 || line[used] != ' ')
		return;
	line += used;
	for (int i = 0; i < FIELDS; i++) {
		char *end;
		uint64_t ticks = strtoull(line, &end, 10);

		if (end == line)
			break;
		line = end;
		item.all += ticks;
		if (i != IDLE && i != IOWAIT)
			item.busy += ticks;
	}
	grow(cputime);
	cputime->items[cputime->count++] = item;
}

void cputime_read(const char *root, struct cputime *cputime)
{
	struct arena arena = { 0 };
	const char *text = sysfile_text(root, &arena, "/proc/stat");

	cputime->count = 0;
	while (text && *text) {
		const char *end = strchr(text, '\n');

		add_line(cputime, text);
		text = end ? end + 1 : NULL;
	}
	arena_done(&arena);
}

void cputime_done(struct cputime *cputime)
{
	free(cputime->items);
	*cputime = (struct cputime){ 0 };
}

static const struct cputime_cpu *find(const struct cputime *cputime, int cpu)
{
	for (size_t i = 0; i < cputime->count; i++) {
		if (cputime->items[i].cpu == cpu)
			return &cputime->items[i];
	}
	return NULL;
}

int cputime_percent(const struct cputime *before, const struct cputime *now, int cpu)
{
	const struct cputime_cpu *first = find(before, cpu), *last = find(now, cpu);

	if (!first || !last || last->all <= first->all || last->busy < first->busy)
		return -1;
	return (int)((last->busy - first->busy) * 100 / (last->all - first->all));
}
