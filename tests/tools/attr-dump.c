/*
 * attr-dump.c - prints what an -e text becomes, for tests that compare it with perf.
 *
 * usage: attr-dump TEXT...: one line for each event: name, leader, and every attr field that is
 * not 0, as "field=value" in the words of perf -vv; then "missing: ..." lines. An error goes to
 * stderr, with exit code 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "event/eventlist.h"
#include "strobe/err.h"

static void show(const char *name, uint64_t value)
{
	if (value)
		printf(" %s=0x%" PRIx64, name, value);
}

static void show_flags(const struct attr *attr)
{
#define SHOW(field) show(#field, attr->field)
	SHOW(disabled);
	SHOW(inherit);
	SHOW(pinned);
	SHOW(exclusive);
	SHOW(exclude_user);
	SHOW(exclude_kernel);
	SHOW(exclude_hv);
	SHOW(exclude_idle);
	SHOW(mmap);
	SHOW(comm);
	SHOW(freq);
	SHOW(inherit_stat);
	SHOW(enable_on_exec);
	SHOW(task);
	SHOW(watermark);
	SHOW(precise_ip);
	SHOW(mmap_data);
	SHOW(sample_id_all);
	SHOW(exclude_host);
	SHOW(exclude_guest);
	SHOW(exclude_callchain_kernel);
	SHOW(exclude_callchain_user);
	SHOW(mmap2);
	SHOW(comm_exec);
	SHOW(use_clockid);
	SHOW(context_switch);
	SHOW(write_backward);
	SHOW(namespaces);
	SHOW(ksymbol);
	SHOW(bpf_event);
	SHOW(aux_output);
	SHOW(cgroup);
	SHOW(text_poke);
	SHOW(build_id);
}

static void show_attr(const struct attr *attr)
{
	show("type", attr->type);
	SHOW(config);
	SHOW(sample_period);
	SHOW(sample_type);
	SHOW(read_format);
	show_flags(attr);
	SHOW(wakeup_events);
	SHOW(bp_type);
	SHOW(config1);
	SHOW(config2);
	SHOW(branch_sample_type);
	SHOW(sample_regs_user);
	SHOW(sample_stack_user);
	show("clockid", (uint32_t)attr->clockid);
	SHOW(sample_regs_intr);
	SHOW(aux_watermark);
	SHOW(sample_max_stack);
	SHOW(aux_sample_size);
	SHOW(aux_action);
	SHOW(config3);
	SHOW(config4);
}

static void show_list(const struct eventlist *list)
{
	for (size_t i = 0; i < list->count; i++) {
		printf("%s|%zu|", list->items[i].name, list->items[i].leader);
		show_attr(&list->items[i].attr);
		putchar('\n');
	}
	for (size_t i = 0; i < list->missing_count; i++)
		printf("missing: %s\n", list->missing[i]);
}

int main(int argc, char **argv)
{
	struct eventlist list = { 0 };
	struct strobe_err err = { 0 };
	int r = 0;

	for (int i = 1; i < argc && r == 0; i++)
		r = eventlist_parse(&list, argv[i], &err);
	if (r == 0)
		r = eventlist_check(&list, &err);
	if (r == 0)
		show_list(&list);
	else
		(void)fprintf(stderr, "error: %s\nhint: %s\n", err.text, err.hint);
	eventlist_done(&list);
	return r < 0;
}
