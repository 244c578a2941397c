/* help.c - "strobe help": the commands, or the man page of one. */
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "cmd/usage.h"

static const struct opt options[] = {
	{ .kind = OPT_END },
};

/* Runs man, quietly if it is only a question; true if it is installed and succeeds. */
static bool run_man(const char *flag, const char *page, bool quiet)
{
	const char *argv[] = { "man", flag, page, NULL };
	posix_spawn_file_actions_t actions;
	int status = -1, r;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return false;
	for (int fd = STDOUT_FILENO; quiet && fd <= STDERR_FILENO; fd++)
		(void)posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
	r = posix_spawnp(&pid, "man", &actions, NULL, (char *const *)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r != 0)
		return false;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The man page where it is installed, else what -h prints. */
static void show(const struct cmd *cmd)
{
	char page[64];

	(void)snprintf(page, sizeof(page), "strobe-%s", cmd->name);
	if (!run_man("-w", page, true) || !run_man("--", page, false))
		usage_cmd(cmd, stdout);
}

static int run(int argc, const char **argv, struct strobe_err *err)
{
	int first = opt_parse(options, argc, argv, NULL, err);
	const struct cmd *cmd;

	if (first < 0)
		return first;
	if (first == argc) {
		usage_strobe(stdout);
		return 0;
	}
	cmd = commands_find(argv[first], err);
	if (!cmd)
		return OPT_USAGE;
	show(cmd);
	return 0;
}

const struct cmd cmd_help = {
	.name = "help",
	.summary = "List the commands, or explain one of them",
	.usage = "[NAME]",
	.options = options,
	.run = run,
};
