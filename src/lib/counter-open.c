/* counter-open.c - see counter-open.h. */
#include "lib/counter-open.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "data/attr.h"
#include "event/eventlist.h"
#include "format/event-name.h"
#include "kernel/ownmemory.h"
#include "kernel/perfevent.h"
#include "kernel/pmc.h"
#include "kernel/userpage.h"
#include "lib/counter-state.h"
#include "strobe/counter.h"

struct opening {
	struct strobe_counter *counter;
	struct eventlist *list;
	bool may_map;
};

static int add_text(struct eventlist *list, const char *text, struct strobe_err *err)
{
	_cleanup_(str_done) struct str group = { 0 };
	size_t first = list->count;
	int r;

	if (strchr(text, '{'))
		r = eventlist_parse(list, text, err);
	else {
		str_addf(&group, "{%s}", text);
		r = eventlist_parse(list, str_text(&group), err);
	}
	if (r == 0 && list->missing_count > 0)
		return err_set(err, -ENOENT, "%s", list->missing[0]);
	if (r == 0 && list->count == first)
		return err_set(err, -EINVAL, "no event is called '%s'", text);
	for (size_t i = first; r == 0 && i < list->count; i++)
		if (list->items[i].tool || list->items[i].bpf)
			return err_set(err, -EINVAL,
				       "'%s' is nothing that a counter of this thread counts",
				       list->items[i].name);
	return r;
}

static bool is_of_core(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static int add_attr(struct eventlist *list, const void *bytes, size_t leader,
		    struct strobe_err *err)
{
	_cleanup_(str_done) struct str name = { 0 };
	struct event_spec *event;
	struct attr attr;
	uint32_t size;
	int r;

	memcpy(&size, (const char *)bytes + offsetof(struct attr, size), sizeof(size));
	/* As the kernel has it. */
	r = attr_decode(bytes, size ? size : ATTR_SIZE_MIN, false, &attr);
	if (r < 0)
		return err_set(err, r, "an attr of %u bytes", size);
	attr.sample_period = 0;
	attr.freq = 0;
	attr.precise_ip = 0;
	event_name_add(&name, &attr);
	event = eventlist_add(list, str_text(&name));
	event->attr = attr;
	event->is_hardware = is_of_core(attr.type);
	event->leader = leader;
	return 0;
}

static int make_list(struct eventlist *list, const struct strobe_counter_options *options,
		     struct strobe_err *err)
{
	int r = options->events ? add_text(list, options->events, err) : 0;
	size_t leader = list->count;

	for (size_t i = 0; r == 0 && i < options->attr_count; i++)
		r = add_attr(list, options->attrs[i], leader, err);
	if (r < 0)
		return r;
	if (list->count == 0)
		return err_set(err, -EINVAL, "no event is given");
	for (size_t i = 0; (options->flags & STROBE_COUNTER_SEPARATE) && i < list->count; i++)
		eventlist_ungroup(list, i);
	return 0;
}

/* Of all that an attr can ask for, what counting a thread has a use for. */
static struct attr counting_attr(const struct attr *asked, bool is_leader)
{
	return (struct attr){
		.type = asked->type,
		.config = asked->config,
		.config1 = asked->config1,
		.config2 = asked->config2,
		.config3 = asked->config3,
		.config4 = asked->config4,
		.bp_type = asked->bp_type,
		.exclude_user = asked->exclude_user,
		.exclude_kernel = asked->exclude_kernel,
		.exclude_hv = asked->exclude_hv,
		.exclude_idle = asked->exclude_idle,
		.exclude_host = asked->exclude_host,
		.exclude_guest = asked->exclude_guest,
		.pinned = is_leader && asked->pinned,
		.exclusive = is_leader && asked->exclusive,
		.disabled = is_leader, /* the kernel starts a group with its leader */
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
}

static int open_attr(struct attr attr, int group)
{
	attr.size = attr_smallest_size(&attr);
	return perfevent_open(&attr, 0, -1, group, false);
}

/* As one that programs may read, if the kernel gives such. */
static int open_readable(const struct event_spec *event, const struct attr *attr, int group)
{
	struct attr readable = *attr;
	int fd;

	readable.config1 |= PMC_ASK_CONFIG1;
	if (event->is_hardware && readable.config1 != attr->config1) {
		fd = open_attr(readable, group);
		if (fd >= 0)
			return fd;
	}
	return open_attr(*attr, group);
}

static int explain(int code, const struct eventlist *list, size_t index, struct strobe_err *err)
{
	const struct event_spec *event = &list->items[index];
	struct perfevent_request request = {
		.name = event->name,
		.cpu = -1,
		.is_tracepoint = event->is_tracepoint,
		.is_hardware = event->is_hardware,
		.wants_kernel = !event->attr.exclude_kernel,
		.fd_count = list->count,
		.binary = "the program",
	};

	(void)perfevent_explain(code, &request, err);
	if (code == -EINVAL && event->leader != index)
		return err_hint(err, code,
				"a group needs a counter for each event at the same time: with "
				"STROBE_COUNTER_SEPARATE they take turns");
	return code;
}

/* Who may not watch the kernel gets user space. */
static int open_allowed(struct event_spec *event, struct attr attr, int group)
{
	_cleanup_(str_done) struct str name = { 0 };
	int fd = open_readable(event, &attr, group);

	if ((fd != -EACCES && fd != -EPERM) || attr.exclude_kernel || attr.exclude_user ||
	    event->is_tracepoint)
		return fd;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	fd = open_readable(event, &attr, group);
	if (fd >= 0) {
		str_addf(&name, "%s%s", event->name, strchr(event->name, ':') ? "u" : ":u");
		free(event->name);
		event->name = str_take(&name);
	}
	return fd;
}

/* What counts on a CPU's own counters may have a page that tells of one; else one that tells
 * nothing. */
static void map_event(const struct opening *opening, const struct event_spec *spec, size_t index)
{
	static const struct perf_event_mmap_page none = { 0 };
	struct counter_event *event = &opening->counter->events[index];
	struct counter_slot *slot = &opening->counter->slots[index];
	bool is_on_pmu = spec->is_hardware || spec->attr.type > PERF_TYPE_BREAKPOINT;

	event->is_mapped =
		opening->may_map && is_on_pmu && userpage_map(event->fd, &slot->page) == 0;
	if (!event->is_mapped)
		slot->page = &none;
}

static int open_event(const struct opening *opening, struct counter_group *group, size_t index,
		      struct strobe_err *err)
{
	struct strobe_counter *counter = opening->counter;
	struct event_spec *spec = &opening->list->items[index];
	bool is_leader = counter->count == group->first;
	int fd = open_allowed(spec, counting_attr(&spec->attr, is_leader),
			      is_leader ? -1 : counter->events[group->first].fd);

	if (fd < 0)
		return explain(fd, opening->list, index, err);
	counter->events[counter->count] =
		(struct counter_event){ .name = take(spec->name), .fd = fd };
	map_event(opening, spec, counter->count);
	group->is_mapped &= counter->events[counter->count].is_mapped;
	group->end = ++counter->count;
	return 0;
}

/* Members may stand apart in the list, where CPUs are of several kinds. */
static int open_group(const struct opening *opening, size_t leader, struct strobe_err *err)
{
	struct strobe_counter *counter = opening->counter;
	const struct eventlist *list = opening->list;
	struct counter_group *group = &counter->groups[counter->group_count++];

	*group = (struct counter_group){ .first = counter->count,
					 .end = counter->count,
					 .is_mapped = true,
					 .is_pinned = list->items[leader].attr.pinned };
	for (size_t i = leader; i < list->count; i++) {
		int r = list->items[i].leader == leader ? open_event(opening, group, i, err) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

static int open_groups(const struct opening *opening, struct strobe_err *err)
{
	for (size_t i = 0; i < opening->list->count; i++) {
		int r = opening->list->items[i].leader == i ? open_group(opening, i, err) : 0;

		if (r < 0)
			return r;
	}
	opening->counter->is_mapped = true;
	for (size_t i = 0; i < opening->counter->group_count; i++)
		opening->counter->is_mapped &= opening->counter->groups[i].is_mapped;
	opening->counter->reading = counter_state_reading(opening->counter);
	return 0;
}

static struct strobe_counter *new_counter(size_t count)
{
	size_t size = sizeof(struct strobe_counter) + count * sizeof(struct counter_slot);
	struct strobe_counter *counter = ownmemory_new(size);

	if (!counter)
		mem_exhausted("memory");
	counter->size = size;
	counter->thread = pmc_thread();
	counter->events = xcalloc(count, sizeof(*counter->events));
	counter->groups = xcalloc(count, sizeof(*counter->groups));
	counter->words = xcalloc(COUNTER_STATE_READ_WORDS + count, sizeof(*counter->words));
	return counter;
}

int counter_open_events(const struct strobe_counter_options *options,
			struct strobe_counter **ret_counter, struct strobe_err *err)
{
	_cleanup_(eventlist_done) struct eventlist list = { .counts = true };
	struct opening opening = { .list = &list };
	int r = make_list(&list, options, err);

	if (r < 0)
		return r;
	opening.may_map = !(options->flags & STROBE_COUNTER_SYSTEM_CALLS) && userpage_allowed();
	opening.counter = new_counter(list.count);
	r = open_groups(&opening, err);
	if (r < 0) {
		counter_open_undo(opening.counter);
		return r;
	}
	*ret_counter = opening.counter;
	return 0;
}

void counter_open_undo(struct strobe_counter *counter)
{
	/* Members before their leader: else each becomes a leader for a moment. */
	for (size_t i = counter->count; i-- > 0;) {
		if (counter->events[i].is_mapped)
			userpage_unmap(counter->slots[i].page);
		(void)close(counter->events[i].fd);
		free(counter->events[i].name);
	}
	counter_state_reading_done(&counter->reading);
	free(counter->events);
	free(counter->groups);
	free(counter->words);
	ownmemory_free(counter, counter->size);
}
