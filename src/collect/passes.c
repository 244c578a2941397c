/* passes.c - see passes.h. */
#include "collect/passes.h"

#include <unistd.h>

#include "base/mem.h"
#include "event/eventlist.h"
#include "kernel/perfevent.h"

/* A set that grows while events find room in it. */
struct passes_one {
	size_t *events;
	size_t count;
};

/* The events that are started with @leader, behind those that are there. */
static size_t add_group(const struct eventlist *list, size_t leader, size_t *events, size_t count)
{
	for (size_t i = leader; i < list->count; i++)
		if (list->items[i].leader == leader)
			events[count++] = i;
	return count;
}

static bool needs_counter(const struct eventlist *list, size_t leader)
{
	for (size_t i = leader; i < list->count; i++)
		if (list->items[i].leader == leader && list->items[i].is_hardware)
			return true;
	return false;
}

/* The first pass that has room for it, or a new one. */
static void place(const struct eventlist *list, size_t leader, struct passes_one *passes,
		  size_t *count, passes_fit *fit, void *context)
{
	for (size_t i = 0; i < *count; i++) {
		size_t with = add_group(list, leader, passes[i].events, passes[i].count);

		if (passes[i].count == 0 || fit(context, list, passes[i].events, with)) {
			passes[i].count = with;
			return;
		}
	}
	passes[*count].events = xcalloc(list->count, sizeof(size_t));
	passes[*count].count = add_group(list, leader, passes[*count].events, 0);
	(*count)++;
}

size_t passes_plan(const struct eventlist *list, passes_fit *fit, void *context, size_t *ret_passes)
{
	struct passes_one *passes = xcalloc(list->count + 1, sizeof(*passes));
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		ret_passes[i] = PASSES_ALL;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].leader == i && needs_counter(list, i))
			place(list, i, passes, &count, fit, context);
	for (size_t pass = 0; pass < count; pass++) {
		for (size_t i = 0; i < passes[pass].count; i++)
			ret_passes[passes[pass].events[i]] = pass;
		free(passes[pass].events);
	}
	free(passes);
	return count > 0 ? count : 1;
}

static int open_in_group(struct attr attr, int group)
{
	attr.disabled = 1;
	attr.enable_on_exec = 0;
	attr.inherit = 0;
	attr.pinned = 0;
	attr.exclusive = 0;
	attr.read_format = 0;
	attr.size = attr_smallest_size(&attr);
	return perfevent_open(&attr, 0, -1, group, false);
}

/* What cannot be opened at all needs no room. */
static bool opens_alone(const struct attr *attr)
{
	int fd = open_in_group(*attr, -1);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

/* In the place of who holds one. */
static int open_held(void)
{
	const struct attr cycles = { .type = PERF_TYPE_HARDWARE,
				     .config = PERF_COUNT_HW_CPU_CYCLES,
				     .exclude_kernel = 1 };

	return open_in_group(cycles, -1);
}

bool passes_fit_here(void *context, const struct eventlist *list, const size_t *events,
		     size_t count)
{
	const bool *is_held = context;
	int *fds = xcalloc(count + 1, sizeof(*fds));
	size_t opened = 0;
	bool fits = true;

	if (*is_held && (fds[0] = open_held()) >= 0)
		opened = 1;
	for (size_t i = 0; fits && i < count; i++) {
		const struct attr *attr = &list->items[events[i]].attr;

		fds[opened] = open_in_group(*attr, opened > 0 ? fds[0] : -1);
		if (fds[opened] >= 0)
			opened++;
		else
			fits = !opens_alone(attr);
	}
	while (opened > 0)
		(void)close(fds[--opened]);
	free(fds);
	return fits;
}
