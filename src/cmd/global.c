/* global.c - see global.h. */
#include "cmd/global.h"

#define FIELD(name) offsetof(struct global, name)

const struct opt global_options[] = {
	{ OPT_COUNT, 'v', "version", NULL, FIELD(version),
	  "Show the version; twice: what it was built with", .flags = OPT_NO_NEGATE },
	{ OPT_STR, '\0', "buildid-dir", "DIR", FIELD(buildid_dir),
	  "Find and keep objects by build-id in DIR; the same as PERF_BUILDID_DIR",
	  .key = "buildid.dir" },
	{ OPT_FLAG, '\0', "no-pager", NULL, FIELD(no_pager),
	  "Print to the terminal itself, as strobe always does", .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "list-cmds", NULL, FIELD(list_cmds), "List the commands, for completion",
	  .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "list-opts", NULL, FIELD(list_opts),
	  "List these options, for completion; behind COMMAND: that one's",
	  .flags = OPT_NO_NEGATE },
	{ OPT_FLAG, '\0', "dump-docs", NULL, FIELD(dump_docs), "",
	  .flags = OPT_HIDDEN | OPT_NO_NEGATE },
	{ OPT_ABSENT, .name = "exec-path",
	  .help = "strobe is one program: it has no '--exec-path'" },
	{ OPT_ABSENT, .name = "html-path", .help = "strobe has no pages in HTML",
	  .instead = "'strobe help NAME' shows the man page" },
	{ OPT_ABSENT, 'p', "paginate", .instead = "strobe report | less" },
	{ OPT_ABSENT, .name = "debugfs-dir", .help = "strobe finds tracefs in /proc/mounts" },
	{ OPT_ABSENT, .name = "debug", .instead = "commands have -v" },
	{ OPT_ABSENT, .name = "debug-file", .instead = "commands have -v" },
	{ .kind = OPT_END },
};
