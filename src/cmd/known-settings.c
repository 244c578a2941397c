/* known-settings.c - see known-settings.h. */
#include "cmd/known-settings.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/settings.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "cmd/global.h"

/* perf's, where strobe has nothing that they could change. */
static const char *const perf_only[] = {
	"annotate.addr2line",
	"annotate.demangle",
	"annotate.demangle_kernel",
	"annotate.disassembler_style",
	"annotate.disassemblers",
	"annotate.hide_src_code",
	"annotate.jump_arrows",
	"annotate.objdump",
	"annotate.offset_level",
	"annotate.show_linenr",
	"annotate.show_nr_jumps",
	"annotate.show_nr_samples",
	"annotate.show_total_period",
	"annotate.use_offset",
	"addr2line.style",
	"auxtrace.dumpdir",
	"buildid-cache.debuginfod",
	"convert.queue-size",
	"core.addr2line-disable-warn",
	"core.addr2line-timeout",
	"core.proc-map-timeout",
	"daemon.base",
	"diff.compute",
	"diff.order",
	"ftrace.tracer",
	"help.autocorrect",
	"help.browser",
	"help.format",
	"intel-pt.all-switch-events",
	"intel-pt.cache-divisor",
	"intel-pt.max-loops",
	"intel-pt.mispred-all",
	"itrace.debug-log-buffer-size",
	"kmem.default",
	"record.aio",
	"record.debuginfod",
	"report.queue-size",
	"samples.context",
	"stat.big-num",
	"stat.bpf-counter-events",
	"stat.no-csv-summary",
	"top.call-graph",
	"top.children",
	"trace.add_events",
	"trace.args_alignment",
	"trace.no_inherit",
	"trace.show_arg_names",
	"trace.show_duration",
	"trace.show_prefix",
	"trace.show_timestamp",
	"trace.show_zeros",
	"trace.tracepoint_beautifiers",
	"ui.show-headers",
};

/* Sections whose keys are the user's own words, or names of commands. */
static const char *const free_sections[] = {
	"colors.", "gtk.", "man.", "pager.", "scripts.", "session-", "tui.",
};

struct search {
	const char *name;
	struct suggest suggest;
	bool found;
};

static void try_name(struct search *search, const char *known)
{
	search->found |= settings_is_name(known, search->name);
	suggest_try(&search->suggest, known);
}

static void try_table(struct search *search, const struct opt *table)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++)
		if (o->key)
			try_name(search, o->key);
}

bool known_settings_has(const char *name, const char **ret_nearest)
{
	struct search search = { .name = name, .suggest.typed = name };

	try_table(&search, global_options);
	for (const struct cmd *const *c = commands; *c; c++)
		try_table(&search, (*c)->options);
	for (size_t i = 0; i < sizeof(perf_only) / sizeof(perf_only[0]); i++)
		try_name(&search, perf_only[i]);
	for (size_t i = 0; i < sizeof(free_sections) / sizeof(free_sections[0]); i++)
		search.found |= strncasecmp(name, free_sections[i], strlen(free_sections[i])) == 0;
	*ret_nearest = search.suggest.name;
	return search.found;
}
