/* main.c - find the command, run it, print its error. The only place that does. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/opt-doc.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "cmd/global.h"
#include "cmd/preset.h"
#include "cmd/remark.h"
#include "cmd/terminal.h"
#include "cmd/usage.h"

/*
 * A file that the program opens must never become its stdin, stdout or stderr because the caller
 * closed those. The stand-ins are opened the wrong way round, so that using one is still an error.
 */
static void occupy_standard_fds(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(CMD_FAILED);
}

static void print_error(const char *name, int code, const struct strobe_err *err)
{
	(void)fflush(stdout);
	remark_by(name);
	remark("%s", err->text[0] ? err->text : strerror(-code));
	if (err->where[0])
		remark_where(err->where);
	if (err->hint[0])
		remark_hint("%s", err->hint);
	else if (code == OPT_USAGE)
		remark_hint("'strobe%s%s -h' shows what can be typed", name ? " " : "",
			    name ? name : "");
}

/* Results that did not reach their reader are a failure, whatever the command returned. */
static int finish_output(int exit_code)
{
	bool failed = ferror(stdout) != 0;
	struct strobe_err err = { 0 };

	if (!failed)
		errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return exit_code;
	if (errno)
		(void)err_errno(&err, "cannot write to standard output");
	else
		(void)err_set(&err, -EIO, "cannot write to standard output");
	print_error(NULL, -EIO, &err);
	return exit_code ? exit_code : CMD_FAILED;
}

static int run(const struct cmd *cmd, int argc, const char **argv)
{
	struct strobe_err err = { 0 };
	int code;

	if (argc > 1 && strcmp(argv[1], "--list-opts") == 0) {
		opt_doc_names(cmd->options, stdout);
		return 0;
	}
	remark_by(cmd->name);
	code = cmd->run(argc, argv, &err);

	if (code == OPT_HELP) {
		usage_cmd(cmd, stdout);
		return 0;
	}
	if (code >= 0)
		return code;
	print_error(cmd->name, code, &err);
	return code == OPT_USAGE ? CMD_BAD_USAGE : CMD_FAILED;
}

static int run_command(int argc, const char **argv)
{
	struct strobe_err err = { 0 };
	const struct cmd *cmd = commands_find(argv[0], &err);

	if (cmd)
		return run(cmd, argc, argv);
	if (commands_perf_has(argv[0]))
		remark("%s", err.text); /* a script that tries what perf has wants one line */
	else
		print_error(NULL, OPT_USAGE, &err);
	return CMD_BAD_USAGE;
}

static int run_version(bool verbose)
{
	const char *argv[] = { "version", "--build-options" };

	return run_command(verbose ? 2 : 1, argv);
}

/* The environment counts more than a file of settings, and the command line most. */
static void use_buildid_dir(const char *dir, bool is_typed)
{
	_cleanup_(str_done) struct str path = { 0 };
	const char *below = str_after(dir, "~/"), *home = getenv("HOME");

	/* No shell has looked at what stands in a file. */
	if (below && home)
		str_addf(&path, "%s/%s", home, below);
	else
		str_add(&path, dir);
	(void)setenv("PERF_BUILDID_DIR", str_text(&path), is_typed);
}

/* What perf's completion asks for. */
static void list_words(bool wants_commands)
{
	if (!wants_commands) {
		opt_doc_names(global_options, stdout);
		return;
	}
	for (const struct cmd *const *c = commands; *c; c++)
		printf("%s ", (*c)->name);
	putchar('\n');
}

static int dispatch(int argc, const char **argv)
{
	struct global g = { 0 };
	struct strobe_err err = { 0 };
	const char *set_dir;
	int first;

	preset_apply(global_options, &g);
	set_dir = g.buildid_dir;
	first = opt_parse(global_options, argc, argv, &g, &err);

	if (first == OPT_HELP) {
		usage_strobe(stdout);
		return 0;
	}
	if (first >= 0 && g.dump_docs)
		first = usage_dump_docs(argc - first, argv + first, stdout, &err);
	else if (first == argc && !g.version && !g.list_cmds && !g.list_opts) {
		usage_strobe(stderr);
		return CMD_BAD_USAGE;
	}
	if (first < 0) {
		print_error(NULL, first, &err);
		return CMD_BAD_USAGE;
	}
	if (g.dump_docs)
		return 0;
	if (g.list_cmds || g.list_opts) {
		list_words(g.list_cmds);
		return 0;
	}
	if (g.version)
		return run_version(g.version > 1);
	if (g.buildid_dir)
		use_buildid_dir(g.buildid_dir, g.buildid_dir != set_dir);
	return run_command(argc - first, argv + first);
}

int main(int argc, char **argv)
{
	occupy_standard_fds();
	terminal_guard();
	return finish_output(dispatch(argc, (const char **)argv));
}
