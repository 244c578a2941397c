/* count-attr.c - see count-attr.h. */
#include "event/count-attr.h"

#include "base/mem.h"
#include "event/eventlist.h"

static void build(struct event_spec *event, const struct count_attr_options *options,
		  bool is_leader)
{
	struct attr *attr = &event->attr;

	attr->size = ATTR_SIZE_FULL;
	attr->freq = 0;
	attr->sample_period = 0;
	attr->precise_ip = 0;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (options->is_recorded)
		attr->read_format |= PERF_FORMAT_ID;
	attr->sample_type = PERF_SAMPLE_IDENTIFIER;
	attr->inherit = !options->no_inherit;
	if (event->inherit)
		attr->inherit = event->inherit > 0;
	/* The kernel starts and stops a group with its leader. */
	attr->disabled = is_leader;
	attr->enable_on_exec = is_leader && options->starts_at_exec;
	if (options->all_user || options->all_kernel) {
		attr->exclude_kernel = options->all_user;
		attr->exclude_user = options->all_kernel;
	}
}

static bool is_clock(const struct attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Of those whose PMU says nothing; clocks are shown in ms, by perf's usage. */
static void set_unit(struct event_spec *event)
{
	bool is_time = event->tool == TOOL_DURATION_TIME || event->tool == TOOL_USER_TIME ||
		       event->tool == TOOL_SYSTEM_TIME;

	if (event->unit || (!is_time && (event->tool || !is_clock(&event->attr))))
		return;
	event->unit = xstrdup(is_time ? "ns" : "msec");
	event->scale = is_time ? 1 : 1e-6;
}

void count_attr_build(struct eventlist *list, const struct count_attr_options *options)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!list->items[i].tool)
			build(&list->items[i], options, list->items[i].leader == i);
		set_unit(&list->items[i]);
	}
}
