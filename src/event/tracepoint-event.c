#include "event/tracepoint-event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/suggest.h"
#include "event/eventlist.h"
#include "event/modifier.h"
#include "kernel/folder.h"
#include "kernel/tracefs.h"

/*
 * What brings tracepoints that a kernel may be built or booted without. "*" as event: those of a
 * system that is not there at all.
 */
static const struct {
	const char *system, *event; /* shell patterns */
	const char *needs;
} wants[] = {
	{ "sched", "sched_stat_*",
	  "a kernel with CONFIG_SCHEDSTATS, and sysctl kernel.sched_schedstats=1" },
	{ "sched", "sched_blocked_reason",
	  "a kernel with CONFIG_SCHEDSTATS, and sysctl kernel.sched_schedstats=1" },
	{ "syscalls", "*", "a kernel with CONFIG_FTRACE_SYSCALLS" },
	{ "raw_syscalls", "*", "a kernel with CONFIG_HAVE_SYSCALL_TRACEPOINTS" },
	{ "lock", "contention_*", "Linux 5.19 or newer" },
	{ "lock", "lock_*", "a kernel with CONFIG_LOCK_STAT or CONFIG_PROVE_LOCKING" },
	{ "preemptirq", "preempt_*", "a kernel with CONFIG_TRACE_PREEMPT_TOGGLE" },
	{ "preemptirq", "irq_*", "a kernel with CONFIG_TRACE_IRQFLAGS" },
	{ "block", "*", "a kernel with CONFIG_BLOCK" },
	{ "kvm*", "*", "module kvm: modprobe kvm" },
	{ "nfs*", "*", "module nfs: modprobe nfs" },
	{ "ext4", "*", "module ext4: modprobe ext4" },
	{ "xfs", "*", "module xfs: modprobe xfs" },
	{ "btrfs", "*", "module btrfs: modprobe btrfs" },
	{ "i915", "*", "module i915: modprobe i915" },
	{ "psi", "*", "a kernel with CONFIG_PSI" },
	{ "memcg", "*", "a kernel with CONFIG_MEMCG" },
	{ "hugetlbfs", "*", "a kernel with CONFIG_HUGETLBFS" },
	{ "thermal*", "*", "a kernel with CONFIG_THERMAL" },
	{ "xdp", "*", "a kernel with CONFIG_BPF_SYSCALL" },
	{ "probe*", "*", "a probe of that name: make it in kprobe_events or uprobe_events" },
	{ "sdt_*", "*", "a probe of that name: make it in uprobe_events" },
};

static const char *what_brings(const char *system, const char *event, bool has_system)
{
	for (size_t i = 0; i < sizeof(wants) / sizeof(*wants); i++)
		if (glob_match(wants[i].system, system) && glob_match(wants[i].event, event) &&
		    !(has_system && strcmp(wants[i].event, "*") == 0))
			return wants[i].needs;
	return NULL;
}

bool tracepoint_event_exists(const struct eventlist *list, const char *system, const char *event)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	uint64_t id;

	return tracefs_open(list->root, &tracefs, NULL) == 0 &&
	       tracefs_event_id(tracefs, system, event, &id) == 0;
}

char *tracepoint_event_find(const struct eventlist *list, const char *event)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(folder_names_done) struct folder_names systems = { 0 };
	uint64_t id;

	if (tracefs_open(list->root, &tracefs, NULL) < 0)
		return NULL;
	tracefs_list_systems(tracefs, &systems);
	for (size_t i = 0; i < systems.count; i++) {
		struct str name = { 0 };

		if (tracefs_event_id(tracefs, systems.items[i], event, &id) < 0)
			continue;
		str_addf(&name, "%s:%s", systems.items[i], event);
		return str_take(&name);
	}
	return NULL;
}

void tracepoint_event_identify(const struct eventlist *list, struct event_spec *event)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;

	event->is_tracepoint = true;
	if (tracefs_open(list->root, &tracefs, NULL) == 0)
		event->tracepoint = tracefs_event_name(tracefs, event->attr.config);
}

static void add(struct eventlist *list, const char *system, const char *name, uint64_t id,
		const struct modifier *modifier)
{
	_cleanup_(str_done) struct str full = { 0 };
	struct event_spec *event;

	str_addf(&full, "%s:%s", system, name);
	event = eventlist_add(list, str_text(&full));
	event->is_tracepoint = true;
	event->tracepoint = xstrdup(event->name);
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = id;
	event->attr.sample_period = 1;
	modifier_apply(modifier, event);
}

/* Adds those of @system that @pattern matches; returns how many. */
static size_t add_matching(struct eventlist *list, const struct tracefs *tracefs,
			   const char *system, const char *pattern, const struct modifier *modifier)
{
	_cleanup_(folder_names_done) struct folder_names events = { 0 };
	size_t count = 0;
	uint64_t id;

	tracefs_list_events(tracefs, system, &events);
	for (size_t i = 0; i < events.count; i++) {
		if (!glob_match(pattern, events.items[i]) ||
		    tracefs_event_id(tracefs, system, events.items[i], &id) < 0)
			continue;
		add(list, system, events.items[i], id, modifier);
		count++;
	}
	return count;
}

/* The nearest name there is, as "SYSTEM:EVENT"; NULL if none is near. */
static char *nearest(const struct tracefs *tracefs, const char *system, const char *event)
{
	_cleanup_(folder_names_done) struct folder_names systems = { 0 }, events = { 0 };
	struct suggest suggest = { .typed = system };
	struct suggest suggest_event = { .typed = event };
	struct str name = { 0 };

	tracefs_list_systems(tracefs, &systems);
	for (size_t i = 0; i < systems.count; i++)
		suggest_try(&suggest, systems.items[i]);
	if (!suggest.name)
		return NULL;
	tracefs_list_events(tracefs, suggest.name, &events);
	for (size_t i = 0; i < events.count; i++)
		suggest_try(&suggest_event, events.items[i]);
	if (!suggest_event.name)
		return NULL;
	str_addf(&name, "%s:%s", suggest.name, suggest_event.name);
	return str_take(&name);
}

static void miss(struct eventlist *list, const struct tracefs *tracefs, const char *system,
		 const char *event, bool has_system)
{
	const char *needs = what_brings(system, event, has_system);
	_cleanup_(freep) char *near = needs ? NULL : nearest(tracefs, system, event);
	struct str sentence = { 0 };

	str_addf(&sentence, "tracepoint '%s:%s' does not exist here", system, event);
	if (needs)
		str_addf(&sentence, ": it needs %s", needs);
	else if (near)
		str_addf(&sentence, ": did you mean '%s'?", near);
	list->lacks_kernel |= needs != NULL;
	eventlist_miss(list, str_take(&sentence));
}

int tracepoint_event_parse(struct eventlist *list, const char *system, const char *event,
			   const struct modifier *modifier, struct strobe_err *err)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(folder_names_done) struct folder_names systems = { 0 };
	bool has_system = false;
	size_t count = 0;
	int r;

	if (!list->root)
		tracefs_mount();
	r = tracefs_open(list->root, &tracefs, err);
	if (r < 0)
		return r;
	tracefs_list_systems(tracefs, &systems);
	for (size_t i = 0; i < systems.count; i++)
		if (glob_match(system, systems.items[i])) {
			has_system = true;
			count += add_matching(list, tracefs, systems.items[i], event, modifier);
		}
	if (count == 0)
		miss(list, tracefs, system, event, has_system);
	return 0;
}
