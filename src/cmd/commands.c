/* commands.c - see commands.h. */
#include "cmd/commands.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/suggest.h"
#include "cmd/cmd.h"

/* A command is declared and listed by one line here, in the order of the names. */
#define COMMANDS(X)                                                                                \
	X(annotate)                                                                                \
	X(buildid_list)                                                                            \
	X(config)                                                                                  \
	X(debuginfo)                                                                               \
	X(evlist)                                                                                  \
	X(help)                                                                                    \
	X(inject)                                                                                  \
	X(list)                                                                                    \
	X(record)                                                                                  \
	X(report)                                                                                  \
	X(script)                                                                                  \
	X(stat)                                                                                    \
	X(test)                                                                                    \
	X(top)                                                                                     \
	X(trace)                                                                                   \
	X(version)

#define DECLARE(name) extern const struct cmd cmd_##name;
#define LIST(name) &cmd_##name,

COMMANDS(DECLARE)
const struct cmd *const commands[] = { COMMANDS(LIST) NULL };

static const char *const perf_commands[] = {
	"annotate", "archive",   "bench",  "buildid-cache", "buildid-list", "c2c",    "check",
	"config",   "daemon",    "data",   "diff",          "evlist",       "ftrace", "inject",
	"iostat",   "kallsyms",  "kmem",   "kvm",           "kwork",        "list",   "lock",
	"mem",      "probe",     "record", "report",        "sched",        "script", "stat",
	"test",     "timechart", "top",    "trace",         NULL,
};

bool commands_perf_has(const char *name)
{
	for (const char *const *p = perf_commands; *p; p++)
		if (strcmp(*p, name) == 0)
			return true;
	return false;
}

const struct cmd *commands_find(const char *name, struct strobe_err *err)
{
	struct suggest suggest = { .typed = name };
	const char *begun = NULL; /* the first that begins so */

	for (const struct cmd *const *c = commands; *c; c++) {
		if (strcmp((*c)->name, name) == 0)
			return *c;
		suggest_try(&suggest, (*c)->name);
		if (strlen(name) > 1 && str_after((*c)->name, name))
			begun = begun ? begun : (*c)->name;
	}
	if (commands_perf_has(name)) {
		err_set(err, -EINVAL, "there is no '%s' command", name);
		err_hint(err, -EINVAL, "'strobe -h' lists the commands that there are");
		return NULL;
	}
	err_set(err, -EINVAL, "unknown command '%s'", name);
	if (begun || suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", begun ? begun : suggest.name);
	else
		err_hint(err, -EINVAL, "'strobe -h' lists the commands");
	return NULL;
}

void commands_list(FILE *out)
{
	for (const struct cmd *const *c = commands; *c; c++)
		(void)fprintf(out, "  %-14s %s\n", (*c)->name, (*c)->summary);
}
