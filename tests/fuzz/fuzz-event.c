/*
 * fuzz-event.c - any text as what record is told of events: the lines are those of -e, --filter,
 * -G, -j, -k, -I and --call-graph.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "event/branchtype.h"
#include "event/clockname.h"
#include "event/eventlist.h"
#include "event/regs.h"
#include "event/stackmode.h"
#include "fuzz-tree.h"
#include "fuzz.h"

enum { LINES = 7 };

/* A machine with two kinds of CPUs, and a few tracepoints. */
static const char *machine(void)
{
#define PMU "sys/bus/event_source/devices/"
	if (fuzz_tree_path[0])
		return fuzz_tree();
	fuzz_tree_text(PMU "cpu_core/type", "4\n");
	fuzz_tree_text(PMU "cpu_core/cpus", "0-3\n");
	fuzz_tree_text(PMU "cpu_core/format/event", "config:0-7,32-35\n");
	fuzz_tree_text(PMU "cpu_core/format/umask", "config:8-15\n");
	fuzz_tree_text(PMU "cpu_core/format/ldlat", "config1:0-15\n");
	fuzz_tree_text(PMU "cpu_core/events/uops", "event=0xc2,umask=0x02\n");
	fuzz_tree_text(PMU "cpu_core/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	fuzz_tree_text(PMU "cpu_core/events/loop", "loop\n");
	fuzz_tree_text(PMU "cpu_core/caps/max_precise", "3\n");
	fuzz_tree_text(PMU "cpu_atom/type", "10\n");
	fuzz_tree_text(PMU "cpu_atom/cpus", "4-7\n");
	fuzz_tree_text(PMU "uncore_imc_0/type", "20\n");
	fuzz_tree_text(PMU "uncore_imc_0/cpumask", "0,8\n");
	fuzz_tree_text(PMU "uncore_imc_1/type", "21\n");
	fuzz_tree_text("sys/kernel/tracing/events/sched/sched_switch/id", "314\n");
	fuzz_tree_text("sys/kernel/tracing/events/sched/sched_wakeup/id", "315\n");
	fuzz_tree_text("sys/kernel/tracing/events/syscalls/sys_enter_read/id", "400\n");
	return fuzz_tree();
}

static void check(const struct eventlist *list)
{
	for (size_t i = 0; i < list->count; i++) {
		assert(list->items[i].name && list->items[i].leader <= i);
		assert(list->items[list->items[i].leader].leader == list->items[i].leader);
	}
}

static void parse_events(char *const lines[LINES])
{
	struct eventlist list = { .root = machine() };

	if (eventlist_parse(&list, lines[0], NULL) == 0) {
		check(&list);
		(void)eventlist_check(&list, NULL);
		if (lines[1])
			(void)eventlist_filter(&list, lines[1], NULL);
		if (lines[2])
			(void)eventlist_cgroups(&list, lines[2], NULL);
		check(&list);
	}
	eventlist_done(&list);
}

static void parse_others(char *const lines[LINES])
{
	struct stackmode mode;
	uint64_t bits;
	int32_t clock;

	if (lines[3])
		(void)branchtype_parse(lines[3], &bits, NULL);
	if (lines[4])
		(void)clockname_parse(lines[4], &clock, NULL);
	if (lines[5])
		(void)regs_parse(REGS_X86_64, lines[5], &bits, NULL);
	if (lines[6])
		(void)stackmode_parse(lines[6], &mode, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = xstrndup((const char *)bytes, size), *rest = text;
	char *lines[LINES] = { 0 };

	for (size_t i = 0; i < LINES && rest; i++)
		lines[i] = strsep(&rest, "\n");
	parse_events(lines);
	parse_others(lines);
	free(text);
	return 0;
}
