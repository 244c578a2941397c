/* script.c - "strobe script": every sample of a recording as a line of text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/filter.h"
#include "analyze/order-check.h"
#include "analyze/profile.h"
#include "analyze/report-events.h"
#include "analyze/script-fields.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/chain-options.h"
#include "cmd/cmd.h"
#include "cmd/filter-options.h"
#include "cmd/preset.h"
#include "cmd/reading.h"
#include "cmd/remark.h"
#include "cmd/script-print.h"
#include "data/datafile.h"
#include "data/events.h"
#include "object/insn.h"

enum { DEFAULT_STACK = 127 }; /* frames; kernel.perf_event_max_stack, and what perf prints */

struct config {
	struct reading reading;
	struct script_options print;
	struct str remarks; /* on -F, for stderr */
	const char *time, *switch_on, *switch_off;
	bool relative_time, delta_time, check_order;
	bool all_cpus; /* what is there anyway */
};

static int add_fields(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct config *c = field;

	return script_fields_parse(&c->print.fields, arg, &c->remarks, err);
}

static int set_order(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	struct chain_options chains = { 0 };
	int r = chain_options_order(&chains, arg, negated, err);

	*(bool *)field = chains.outermost_first;
	return r;
}

static int refuse_parts(void *field, const char *arg, bool negated, struct strobe_err *err)
{
	return negated ? err_set(err, -EINVAL, "strobe always shows call chains as a whole") : 0;
}

#define FIELD(name) offsetof(struct config, name)
#define PRINT(name) offsetof(struct config, print.name)
#define NO_TRACES                                                                                  \
	.help = "strobe does not decode hardware traces", .instead = "perf script decodes them"
#define NO_SCRIPTS                                                                                 \
	.help = "strobe has no scripts",                                                           \
	.instead = "pipe the text into a program: strobe script -F FIELD,... | python3 PROGRAM"
#define NO_PLUGINS                                                                                 \
	.help = "strobe loads no filters that are programs",                                       \
	.instead = "choose samples with --comms, --dsos, --symbols, --pid, --cpu or --time, or "   \
		   "filter the text"
#define NO_GUESTS .help = "strobe does not know the files of guests"
#define NO_TOOLS .help = "strobe runs no other programs: it reads code and lines itself"

static const struct opt options[] = {
	{ OPT_GROUP, .help = "What to read" },
	READING_OPTIONS(struct config, reading),
	{ OPT_FLAG, '\0', "demangle-kernel", NULL, FIELD(reading.names.demangle_kernel),
	  "Print the kernel's C++ and Rust names as people write them, too" },
	{ OPT_FLAG, 'd', "debug-mode", NULL, FIELD(check_order),
	  "Print no samples, but whether they are in order, and what was lost" },
	{ OPT_GROUP, .help = "Which samples" },
	{ OPT_FLAG, 'a', "all-cpus", NULL, FIELD(all_cpus), "Samples of all CPUs, as without -C" },
	FILTER_OPTIONS(struct config, print.filter),
	{ OPT_U64, '\0', "addr-range", "BYTES", PRINT(filter.addr_range),
	  "With -S 0xADDRESS: the BYTES addresses from there on" },
	{ OPT_STR, '\0', "time", "START,STOP", FIELD(time),
	  "Only samples between these seconds, or in these parts (10%-20%)" },
	{ OPT_STR, '\0', "switch-on", "EVENT", FIELD(switch_on),
	  "Only samples after one of EVENT" },
	{ OPT_STR, '\0', "switch-off", "EVENT", FIELD(switch_off),
	  "No samples after one of EVENT, until one of --switch-on" },
	{ OPT_FLAG, '\0', "show-on-off-events", NULL, PRINT(events.shows),
	  "Print the samples that switch on and off, too" },
	{ OPT_GROUP, .help = "What to print" },
	OUTPUT_FORMAT_OPTION(FIELD(reading.format)),
	{ OPT_CALL, 'F', "fields", "FIELD,...", 0,
	  "Print these fields; +FIELD and -FIELD change the defaults; TYPE: before the list (hw, "
	  "sw, trace, raw, break) sets them for one type of event",
	  add_fields, OPT_NO_NEGATE, .words = script_fields_name },
	{ OPT_FLAG, 'G', "hide-call-graph", NULL, PRINT(hide_chains), "Print no call chains" },
	{ OPT_CALL, .arg = "ORDER", .at = PRINT(outermost_first),
	  .help = "Where call chains begin: caller or callee", .call = set_order,
	  .key = "call-graph.order" },
	{ OPT_UINT, '\0', "max-stack", "N", PRINT(max_stack),
	  "Print at most N frames of a call chain (default: 127)" },
	{ OPT_FLAG, '\0', "stitch-lbr", NULL, PRINT(stitch_lbr),
	  "Take outer callers from a thread's samples before (record --call-graph lbr)" },
	{ OPT_UINT, '\0', "max-blocks", "N", PRINT(max_blocks),
	  "With the field brstackinsn: at most N stretches of code before a sample" },
	{ OPT_CALL, '\0', "stop-bt", "SYMBOL,...", PRINT(last_callers),
	  "End call chains at these functions", filter_options_names, OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "ns", NULL, PRINT(nanoseconds), "Print times with nine decimals" },
	{ OPT_FLAG, '\0', "reltime", NULL, FIELD(relative_time),
	  "Print times since the first that is printed" },
	{ OPT_FLAG, '\0', "deltatime", NULL, FIELD(delta_time),
	  "Print times since the one before" },
	{ OPT_FLAG, 'L', "Latency", NULL, PRINT(latency),
	  "Print as latency tracers do: names of eight letters, CPUs without brackets" },
	{ OPT_FLAG, '\0', "show-kernel-path", NULL, PRINT(kernel_path),
	  "Print the paths of kernel modules" },
	{ OPT_FLAG, '\0', "full-source-path", NULL, PRINT(source_path),
	  "Print the paths of source files in the field srcline" },
	{ OPT_FLAG, '\0', "per-event-dump", NULL, PRINT(per_event),
	  "Print to a file for each event, INPUT.EVENT.dump" },
	{ OPT_GROUP, .help = "Records that are no samples" },
	{ OPT_FLAG, 'D', "dump-raw-trace", NULL, PRINT(dump),
	  "Print all records with their bytes, and each sample behind its own" },
	{ OPT_FLAG, '\0', "dump-unsorted-raw-trace", NULL, PRINT(dump_in_file_order),
	  "The same in the order of the file" },
	{ OPT_FLAG, '\0', "show-mmap-events", NULL, PRINT(mmaps), "Print what was mapped" },
	{ OPT_FLAG, '\0', "show-task-events", NULL, PRINT(tasks), "Print fork, comm and exit" },
	{ OPT_FLAG, '\0', "show-switch-events", NULL, PRINT(switches), "Print context switches" },
	{ OPT_FLAG, '\0', "show-namespace-events", NULL, PRINT(namespaces), "Print namespaces" },
	{ OPT_FLAG, '\0', "show-cgroup-events", NULL, PRINT(cgroups), "Print cgroups" },
	{ OPT_FLAG, '\0', "show-bpf-events", NULL, PRINT(bpf), "Print BPF programs and ksymbols" },
	{ OPT_FLAG, '\0', "show-lost-events", NULL, PRINT(lost), "Print what was lost" },
	{ OPT_FLAG, '\0', "show-text-poke-events", NULL, PRINT(pokes),
	  "Print changes of the kernel's code" },
	{ OPT_FLAG, '\0', "show-round-events", NULL, PRINT(rounds), "Print the ends of rounds" },
	{ OPT_ABSENT, '\0', "itrace", NO_TRACES },
	{ OPT_ABSENT, '\0', "insn-trace", NO_TRACES },
	{ OPT_ABSENT, '\0', "call-trace", NO_TRACES },
	{ OPT_ABSENT, '\0', "call-ret-trace", NO_TRACES },
	{ OPT_ABSENT, '\0', "graph-function", NO_TRACES },
	{ OPT_ABSENT, 'l', "list", NO_SCRIPTS },
	{ OPT_ABSENT, 's', "script", NO_SCRIPTS },
	{ OPT_ABSENT, 'g', "gen-script", NO_SCRIPTS },
	{ OPT_ABSENT, '\0', "dlfilter", NO_PLUGINS },
	{ OPT_ABSENT, '\0', "dlarg", NO_PLUGINS },
	{ OPT_ABSENT, '\0', "list-dlfilters", NO_PLUGINS },
	{ OPT_ABSENT, '\0', "guestmount", NO_GUESTS },
	{ OPT_ABSENT, '\0', "guestkallsyms", NO_GUESTS },
	{ OPT_ABSENT, '\0', "guestmodules", NO_GUESTS },
	{ OPT_ABSENT, '\0', "guestvmlinux", NO_GUESTS },
	{ OPT_ABSENT, '\0', "guest-code", NO_GUESTS },
	{ OPT_CALL, .name = "merge-callchains", .help = "", .call = refuse_parts,
	  .flags = OPT_HIDDEN },
	{ OPT_ABSENT, '\0', "unwind-style" },
	{ OPT_ABSENT, '\0', "addr2line", NO_TOOLS },
	{ OPT_ABSENT, '\0', "xed", NO_TOOLS },
	{ .kind = OPT_END },
};

static int fit_fields(struct config *c, const struct events *events, struct strobe_err *err)
{
	size_t count = events_count(events);
	const struct event_desc **all = xcalloc(count + 1, sizeof(const struct event_desc *));
	int r;

	for (size_t i = 0; i < count; i++)
		all[i] = events_at(events, i);
	r = script_fields_fit(&c->print.fields, all, count, !c->print.hide_chains, err);
	free(all);
	return cmd_usage(r);
}

/* What depends on the recording. */
static int fit_to_recording(struct config *c, struct strobe_err *err)
{
	const struct events *events = datafile_events(c->reading.file);
	struct script_options *print = &c->print;
	int r = fit_fields(c, events, err);

	if (r == 0 && script_fields_any_code(&print->fields) && !insn_is_there()) {
		err_set(err, -EINVAL, "this strobe was built without a disassembler");
		r = err_hint(err, -EINVAL, "build it where libcapstone is installed");
	}
	if (r == 0 && c->switch_on)
		r = report_events_find(events, c->switch_on, &print->events.on, err);
	if (r == 0 && c->switch_off)
		r = report_events_find(events, c->switch_off, &print->events.off, err);
	return cmd_usage(r);
}

static int add_times(struct config *c, struct strobe_err *err)
{
	const struct profile_totals *totals = profile_totals(c->reading.profile);

	if (!c->time)
		return 0;
	return cmd_usage(filter_add_times(&c->print.filter, c->time, totals->first_ns,
					  totals->last_ns, err));
}

static void print_misordered(void *context, uint64_t before_ns, uint64_t this_ns)
{
	(void)printf("Samples misordered, previous: %" PRIu64 " this: %" PRIu64 "\n", before_ns,
		     this_ns);
}

/* What was lost is said on standard error, as always. */
static int check_order(struct config *c, struct strobe_err *err)
{
	struct order_check check;
	int r = reading_profile(&c->reading, err);

	if (r < 0)
		return r;
	check = order_check_run(c->reading.file, print_misordered, NULL);
	(void)printf("Misordered timestamps: %" PRIu64 "\n", check.misordered);
	reading_remark_skipped(&c->reading);
	return 0;
}

static int run_on(struct config *c, struct strobe_err *err)
{
	/* Parts of a recording are known once it has ended. */
	bool whole = c->check_order || c->print.dump || filter_times_are_shares(c->time);
	int r = whole ? reading_open(&c->reading, err)
		      : reading_open_stream(&c->reading, false, err);

	if (r < 0)
		return r;
	if (reading_header(&c->reading))
		return 0;
	if (c->check_order)
		return check_order(c, err);
	r = fit_to_recording(c, err);
	if (r == 0)
		r = reading_profile(&c->reading, err);
	if (r == 0)
		r = filter_options_check(&c->print.filter, datafile_events(c->reading.file), err);
	if (r == 0)
		r = add_times(c, err);
	if (r == 0)
		r = script_print(&c->reading, &c->print, err);
	if (r == 0) {
		reading_remark_dumps(&c->reading);
		reading_remark_stacks(&c->reading);
		reading_remark_skipped(&c->reading);
	}
	return r;
}

static int parse(struct config *c, int argc, const char **argv, struct strobe_err *err)
{
	int r = opt_parse_mixed(options, argc, argv, c, err);

	if (r < 0)
		return r;
	if (r < argc) {
		err_set(err, -EINVAL, "script takes no '%s'", argv[r]);
		return cmd_usage(err_hint(err, -EINVAL, "a recording is read with -i"));
	}
	if (c->relative_time && c->delta_time)
		return cmd_usage(
			err_set(err, -EINVAL,
				"times are either since the first (--reltime) or since the "
				"one before (--deltatime)"));
	c->print.dump |= c->print.dump_in_file_order;
	c->print.json = c->reading.format == OUTPUT_FORMAT_JSON;
	if (c->print.json)
		script_fields_widen(&c->print.fields);
	c->print.whole_header = c->reading.header;
	c->print.verbose = c->reading.verbose > 0;
	if (c->print.json && (c->print.per_event || c->print.dump || c->check_order))
		return cmd_usage(err_set(err, -EINVAL, "%s prints text only",
					 c->print.dump    ? "-D"
					 : c->check_order ? "-d"
							  : "--per-event-dump"));
	if (c->relative_time)
		c->print.times = SCRIPT_TIMES_SINCE_FIRST;
	if (c->delta_time)
		c->print.times = SCRIPT_TIMES_SINCE_LAST;
	return 0;
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	struct config c = { .print = { .fields = script_fields_default(),
				       .max_stack = DEFAULT_STACK } };
	int r;

	preset_apply(options, &c);
	r = parse(&c, argc, argv, err);
	if (r == 0) {
		remark_lines(str_text(&c.remarks));
		r = run_on(&c, err);
	}
	str_done(&c.remarks);
	filter_done(&c.print.filter);
	strings_done(&c.print.last_callers);
	reading_done(&c.reading);
	return r;
}

const struct cmd cmd_script = {
	.name = "script",
	.summary = "Print the samples of a recording, a line each",
	.usage = "",
	.options = options,
	.config_size = sizeof(struct config),
	.run = run,
};
