/* unnamed-advice.c - see unnamed-advice.h. */
#include "cmd/unnamed-advice.h"

#include <string.h>

#include "analyze/unnamed.h"
#include "base/str.h"
#include "cmd/advice.h"
#include "model/dso.h"
#include "model/timeline.h"

/* By what the program's file is called, or how that begins. */
static void advise_compiler(struct advice *advice, const struct timeline *timeline,
			    const struct dso *dso)
{
	static const struct {
		const char *program, *advice;
	} compilers[] = {
		{ "node", "run node with --perf-basic-prof" },
		{ "java", "run java with -XX:+DumpPerfMapAtExit, or while it runs: jcmd PID "
			  "Compiler.perfmap" },
		{ "dotnet", "set DOTNET_PerfMapEnabled=1 for the program" },
		{ "python3", "set PYTHONPERFSUPPORT=1 for the program (Python 3.12)" },
		{ "ruby", "run ruby with --yjit --yjit-perf" },
		{ "php", "run php with -d opcache.jit_debug=16" },
		{ "beam.smp", "run erl with +JPperf true" },
		{ "julia", "set ENABLE_JITPROFILING=1 for the program" },
		{ "wasmtime", "run wasmtime with --profile=perfmap" },
	};
	const struct dso *program = timeline_executable(timeline, dso->jit_pid);

	for (size_t i = 0; program && i < sizeof(compilers) / sizeof(compilers[0]); i++) {
		if (str_after(program->short_name, compilers[i].program)) {
			advice_add(advice, "%s", compilers[i].advice);
			return;
		}
	}
	advice_add(advice, "have its compiler write /tmp/perf-PID.map or a JIT dump, see "
			   "strobe-record(1)");
}

static void advise(struct advice *advice, const struct timeline *timeline,
		   const struct unnamed *item)
{
	const struct dso *dso = item->dso;

	switch (item->reason) {
	case REASON_NO_FILE:
		if (dso->kind == DSO_USER && dso->name[0] == '/')
			advice_add_missing_file(advice);
		break;
	case REASON_OTHER_BUILD:
	case REASON_DELETED:
	case REASON_REPLACED:
	case REASON_DUMP_REPLACED:
		advice_add_other_file(advice);
		break;
	case REASON_STRIPPED:
	case REASON_PARTLY_STRIPPED:
		if (dso->kind == DSO_USER)
			advice_add_debug_file(advice, dso->name, dso->build_id_size > 0);
		break;
	case REASON_NO_MAP:
	case REASON_NO_MAP_BELOW:
		advise_compiler(advice, timeline, dso);
		break;
	case REASON_NO_DUMP:
		advice_add_missing_file(advice);
		break;
	case REASON_NO_PERMISSION:
	case REASON_MAP_UNREADABLE:
	case REASON_DUMP_UNREADABLE:
		advice_add(advice, "read the recording as root, or as who owns the file");
		break;
	case REASON_KERNEL_HIDDEN:
		advice_add(advice, "sysctl kernel.kptr_restrict=0, or read the recording as root");
		break;
	case REASON_KERNEL_FOREIGN:
	case REASON_KERNEL_UNTOLD:
		advice_add(advice, "copy /proc/kallsyms from where it was recorded before it is "
				   "booted again, and name the copy by --kallsyms");
		advice_add(advice, "or name that kernel's image by --vmlinux");
		break;
	default:
		break;
	}
}

void unnamed_advice_set(struct advice *advice, const struct timeline *timeline,
			struct unnamed *items, size_t count)
{
	size_t begins[UNNAMED_MOST + 1];

	for (size_t i = 0; i < count; i++) {
		begins[i] = advice->count;
		advise(advice, timeline, &items[i]);
	}
	begins[count] = advice->count;
	for (size_t i = 0; i < count; i++) {
		items[i].advice = advice->items + begins[i];
		items[i].advice_count = begins[i + 1] - begins[i];
	}
}
