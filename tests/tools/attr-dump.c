/*
 * attr-dump.c - prints what an -e text becomes, for tests that compare it with perf.
 *
 * usage: attr-dump [--root DIR] [--count] TEXT..., or attr-dump --record OPTIONS COMMAND with
 * record's options: one line for each event: name, leader, and every attr field that is not 0, as
 * "field=value" in the words of perf -vv; then "missing: ..." lines. An error goes to stderr, with
 * exit code 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/opt.h"
#include "base/str.h"
#include "event/attr-build.h"
#include "event/branchtype.h"
#include "event/clockname.h"
#include "event/eventlist.h"
#include "event/regs.h"
#include "event/stackmode.h"
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
	SHOW(defer_callchain);
	SHOW(defer_output);
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

struct config {
	struct eventlist list;
	struct attr_options options;
	bool is_record, has_task;
	struct strobe_err err;
};

static int add_events(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *config = field;

	return eventlist_parse(&config->list, arg, err);
}

static int set_period(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct attr_options *options = &((struct config *)field)->options;

	options->has_period = str_to_u64(arg, &options->period) && options->period;
	return 0;
}

static int set_frequency(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct attr_options *options = &((struct config *)field)->options;

	options->has_frequency = str_to_u64(arg, &options->frequency);
	return 0;
}

static int set_switch(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	*(signed char *)field = negated ? -1 : 1;
	return 0;
}

static int set_stackmode(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return stackmode_parse(arg, field, err);
}

static int set_fp(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return stackmode_parse("fp", field, err);
}

static int set_branches(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return branchtype_parse(arg ? arg : "any", field, err);
}

static int set_clock(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct attr_options *options = &((struct config *)field)->options;

	options->has_clockid = true;
	return clockname_parse(arg, &options->clockid, err);
}

static int set_regs(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	if (!strcmp(arg, "all")) {
		*(uint64_t *)field = regs_all(REGS_HERE);
		return 0;
	}
	return regs_parse(REGS_HERE, arg, field, err);
}

static int set_pid(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	((struct config *)field)->has_task = true;
	return 0;
}

static int set_tid(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	((struct config *)field)->options.has_threads = true;
	return set_pid(field, arg, negated, err);
}

static int set_delay(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	((struct config *)field)->options.has_delay = true;
	return 0;
}

#define OPTION(field) offsetof(struct config, options.field)
#define FLAG(letter, name, field)                                                                  \
	{                                                                                          \
		OPT_FLAG, letter, name, .at = OPTION(field), .help = "as record"                   \
	}
#define CALL(letter, name, arg, at, call)                                                          \
	{                                                                                          \
		OPT_CALL, letter, name, arg, at, "as record", call                                 \
	}

static const struct opt table[] = {
	{ OPT_STR, .name = "root", .arg = "DIR", .at = offsetof(struct config, list.root),
	  .help = "the machine, before what is looked up there: a folder with proc/ and sys/" },
	{ OPT_FLAG, .name = "count", .at = offsetof(struct config, list.counts),
	  .help = "take what only counting has a use for" },
	{ OPT_FLAG, .name = "record", .at = offsetof(struct config, is_record),
	  .help = "complete the attrs as record does" },
	CALL('e', "event", "EVENT", 0, add_events),
	CALL('c', "count", "N", 0, set_period),
	CALL('F', "freq", "N", 0, set_frequency),
	CALL('p', "pid", "PID", 0, set_pid),
	CALL('t', "tid", "TID", 0, set_tid),
	CALL('D', "delay", "MS", 0, set_delay),
	CALL('k', "clockid", "CLOCK", 0, set_clock),
	CALL('g', NULL, NULL, OPTION(stackmode), set_fp),
	CALL(0, "call-graph", "MODE", OPTION(stackmode), set_stackmode),
	CALL('b', "branch-any", NULL, OPTION(branch_type), set_branches),
	CALL('j', "branch-filter", "TYPES", OPTION(branch_type), set_branches),
	{ OPT_CALL, 0, "user-regs", "[REGS]", OPTION(user_regs), "as record", set_regs,
	  .implied = "all" },
	{ OPT_CALL, 'I', "intr-regs", "[REGS]", OPTION(intr_regs), "as record", set_regs,
	  .implied = "all" },
	CALL('T', "timestamp", NULL, OPTION(time), set_switch),
	CALL('P', "period", NULL, OPTION(sent_period), set_switch),
	FLAG('a', "all-cpus", is_system_wide),
	FLAG(0, "per-thread", is_per_thread),
	FLAG('i', "no-inherit", no_inherit),
	FLAG('n', "no-samples", no_samples),
	FLAG(0, "sample-cpu", cpu),
	FLAG('d', "data", address),
	FLAG(0, "sample-mem-info", memory_info),
	FLAG(0, "phys-data", physical_address),
	FLAG(0, "data-page-size", data_page_size),
	FLAG(0, "code-page-size", code_page_size),
	FLAG('W', "weight", weight),
	FLAG(0, "transaction", transaction),
	FLAG('R', "raw-samples", raw),
	FLAG(0, "sample-identifier", identifier),
	FLAG(0, "all-cgroups", cgroup),
	FLAG(0, "kernel-callchains", no_user_chains),
	FLAG(0, "user-callchains", no_kernel_chains),
	FLAG(0, "data-mmap", data_mmaps),
	FLAG(0, "namespaces", namespaces),
	FLAG(0, "switch-events", switches),
	FLAG(0, "no-buildid-mmap", no_build_ids),
	FLAG(0, "no-bpf-event", no_bpf_events),
	FLAG(0, "no-buffering", no_buffering),
	FLAG('s', "stat", thread_counts),
	FLAG(0, "running-time", running_time),
	FLAG(0, "all-user", all_user),
	FLAG(0, "all-kernel", all_kernel),
	{ OPT_END },
};

static int dump(struct config *config, int argc, const char **argv)
{
	struct strobe_err *err = &config->err;
	int r = opt_parse(table, argc, argv, config, err);

	if (r < 0)
		return r;
	config->options.is_system_wide = config->options.is_system_wide && !config->has_task;
	config->options.has_workload = r < argc && !config->has_task;
	if (!config->is_record)
		for (; r < argc; r++) {
			int result = eventlist_parse(&config->list, argv[r], err);

			if (result < 0)
				return result;
		}
	r = eventlist_check(&config->list, err);
	if (r == 0 && config->is_record)
		r = attr_build(&config->list, &config->options, err);
	return r;
}

int main(int argc, char **argv)
{
	struct config config = { 0 };
	int r = dump(&config, argc, (const char **)argv);

	if (r == 0)
		show_list(&config.list);
	else
		(void)fprintf(stderr, "error: %s\nhint: %s\n", config.err.text, config.err.hint);
	eventlist_done(&config.list);
	return r < 0;
}
