/* known-settings.c - see known-settings.h. */
#include "cmd/known-settings.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
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
	"stat.bpf-counter-events",
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
	const char *name, *value;
	struct suggest suggest;
	bool found;
};

static bool try_name(struct search *search, const char *known)
{
	bool is_it = settings_is_name(known, search->name);

	search->found |= is_it;
	suggest_try(&search->suggest, known);
	return is_it;
}

/* Fills in a config that nobody reads. */
static int try_value(const struct search *search, const struct opt *o, size_t config_size,
		     struct strobe_err *err)
{
	_cleanup_(freep) void *config = xcalloc(1, config_size);
	struct strobe_err why = { 0 };

	if (opt_set(o, search->value, config, &why) >= 0)
		return 0;
	err_set(err, -EINVAL, "'%s' is not written: %s", search->name, why.text);
	return why.hint[0] ? err_hint(err, -EINVAL, "%s", why.hint) : -EINVAL;
}

static int try_table(struct search *search, const struct opt *table, size_t config_size,
		     struct strobe_err *err)
{
	int r = 0;

	for (const struct opt *o = table; r == 0 && o->kind != OPT_END; o++)
		if (o->key && try_name(search, o->key))
			r = try_value(search, o, config_size, err);
	return r;
}

static void try_others(struct search *search)
{
	for (size_t i = 0; i < sizeof(perf_only) / sizeof(perf_only[0]); i++)
		(void)try_name(search, perf_only[i]);
	for (size_t i = 0; i < sizeof(free_sections) / sizeof(free_sections[0]); i++)
		search->found |=
			strncasecmp(search->name, free_sections[i], strlen(free_sections[i])) == 0;
}

int known_settings_check(const char *name, const char *value, struct strobe_err *err)
{
	struct search search = { .name = name, .value = value, .suggest.typed = name };
	int r = try_table(&search, global_options, sizeof(struct global), err);

	for (const struct cmd *const *c = commands; r == 0 && *c; c++)
		r = try_table(&search, (*c)->options, (*c)->config_size, err);
	if (r < 0)
		return r;
	try_others(&search);
	if (search.found || !search.suggest.name)
		return search.found;
	err_set(err, -EINVAL, "'%s' is not written: nothing reads it", name);
	return err_hint(err, -EINVAL, "did you mean '%s'?", search.suggest.name);
}
