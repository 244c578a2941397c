/*
 * cmd.h - what a command is. CONTRIBUTING.md says how to add one.
 *
 * A command's file holds a config struct, its table of options, run(), and the struct cmd that
 * names them; a line in commands.c makes it known. Its prose for the man page is
 * docs/man/strobe-NAME.scd.in; the rest of that page, -h and completion are made from here.
 */
#pragma once

#include <errno.h>
#include <stddef.h>

#include "base/opt.h"

struct cmd {
	const char *name;
	const char *summary;  /* one line, no full stop */
	const char *usage;    /* operands, after "strobe NAME [OPTIONS]"; "" if none */
	const char *operands; /* words that they may be, for completion, with blanks; or NULL */
	const struct opt *options;
	size_t config_size; /* of what they fill in, where some have settings */
	/*
	 * @argv[0] is the command's own name. The result is the exit code of strobe, or negative
	 * with @err filled in: OPT_USAGE, OPT_HELP and the rest as opt_parse and cmd_usage have
	 * them. main() prints the error; a run that printed results leaves them in stdio's buffer.
	 */
	int (*run)(int argc, const char **argv, struct strobe_err *err);
};

/* Exit codes; what a recorded program returned is passed on as it is. */
enum {
	CMD_FAILED = 1,    /* what was asked for is clear, but could not be done */
	CMD_BAD_USAGE = 2, /* what was asked for makes no sense */
};

/*
 * For what a layer says of words that were typed (a sort key, an event): -EINVAL is the user's
 * mistake, exit code 2. Without this, -EINVAL is a failure like any other.
 */
static inline int cmd_usage(int code)
{
	return code == -EINVAL ? OPT_USAGE : code;
}
