/* usage.c - see usage.h. */
#include "cmd/usage.h"

#include <string.h>

#include "base/err.h"
#include "base/opt-doc.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "cmd/global.h"

void usage_strobe(FILE *out)
{
	(void)fputs("usage: strobe [OPTIONS] COMMAND [ARGS]\n\nCommands:\n", out);
	commands_list(out);
	(void)fputs("\nOptions:\n", out);
	opt_doc_help(global_options, out);
	(void)fputs("\n'strobe COMMAND -h' lists the options of a command.\n", out);
}

void usage_cmd(const struct cmd *cmd, FILE *out)
{
	(void)fprintf(out, "usage: strobe %s [OPTIONS]%s%s\n\n%s.\n", cmd->name,
		      cmd->usage[0] ? " " : "", cmd->usage, cmd->summary);
	if (cmd->options->kind != OPT_GROUP)
		(void)fputc('\n', out);
	opt_doc_help(cmd->options, out);
}

static void dump_head(const struct cmd *cmd, FILE *out)
{
	(void)fprintf(out, "strobe-%s(1)\n\n# NAME\n\nstrobe-%s - %s\n\n", cmd->name, cmd->name,
		      cmd->summary);
	(void)fprintf(out, "# SYNOPSIS\n\n*strobe %s* [OPTIONS]%s%s\n\n", cmd->name,
		      cmd->usage[0] ? " " : "", cmd->usage);
}

static bool has_settings(const struct opt *options)
{
	while (options->kind != OPT_END && !options->key)
		options++;
	return options->kind != OPT_END;
}

static void dump_options(const struct opt *options, FILE *out)
{
	(void)fputs("# OPTIONS\n\n", out);
	opt_doc_scdoc(options, out);
	if (!has_settings(options))
		return;
	(void)fputs("# SETTINGS\n\nDefaults are read from files: see *strobe-config*(1).\n\n", out);
	opt_doc_settings(options, out);
}

static void dump_settings(FILE *out)
{
	(void)fputs("## strobe\n\n", out);
	opt_doc_settings(global_options, out);
	for (const struct cmd *const *c = commands; *c; c++) {
		if (!has_settings((*c)->options))
			continue;
		(void)fprintf(out, "## strobe %s\n\n", (*c)->name);
		opt_doc_settings((*c)->options, out);
	}
}

static int dump_one(const char *what, const char *name, FILE *out, struct strobe_err *err)
{
	const struct cmd *cmd = commands_find(name, err);

	if (!cmd)
		return OPT_USAGE;
	if (strcmp(what, "head") == 0)
		dump_head(cmd, out);
	else
		dump_options(cmd->options, out);
	return 0;
}

static void dump_list(FILE *out)
{
	(void)fputs("# COMMANDS\n\n", out);
	for (const struct cmd *const *c = commands; *c; c++)
		(void)fprintf(out, "*%s*\n\t%s. See *strobe-%s*(1).\n\n", (*c)->name, (*c)->summary,
			      (*c)->name);
}

static void dump_keys(const struct opt *options, FILE *out)
{
	for (; options->kind != OPT_END; options++)
		if (options->key)
			(void)fprintf(out, "%s ", options->key);
}

/* What may stand behind the options of a command. */
static void dump_operands(const struct cmd *cmd, FILE *out)
{
	if (cmd->operands) {
		(void)fputs(cmd->operands, out);
		return;
	}
	if (!strstr(cmd->usage, "SECTION.NAME")) {
		(void)fputs(strstr(cmd->usage, "COMMAND") ? "@command" : "@file", out);
		return;
	}
	dump_keys(global_options, out);
	for (const struct cmd *const *c = commands; *c; c++)
		dump_keys((*c)->options, out);
}

static void dump_bash(FILE *out)
{
	(void)fputs("\t'')\n", out);
	opt_doc_bash(global_options, out);
	(void)fputs("\t\toperands='", out);
	for (const struct cmd *const *c = commands; *c; c++)
		(void)fprintf(out, "%s%s", c == commands ? "" : " ", (*c)->name);
	(void)fputs("'\n\t\t;;\n", out);
	for (const struct cmd *const *c = commands; *c; c++) {
		(void)fprintf(out, "\t%s)\n", (*c)->name);
		opt_doc_bash((*c)->options, out);
		(void)fputs("\t\toperands='", out);
		dump_operands(*c, out);
		(void)fputs("'\n\t\t;;\n", out);
	}
}

static void dump_names(FILE *out)
{
	for (const struct cmd *const *c = commands; *c; c++)
		(void)fprintf(out, "%s\n", (*c)->name);
}

int usage_dump_docs(int argc, const char **argv, FILE *out, struct strobe_err *err)
{
	const char *what = argc > 0 ? argv[0] : "";

	if (argc == 2 && (strcmp(what, "head") == 0 || strcmp(what, "options") == 0))
		return dump_one(what, argv[1], out, err);
	if (argc == 1 && strcmp(what, "options") == 0)
		dump_options(global_options, out);
	else if (argc == 1 && strcmp(what, "list") == 0)
		dump_list(out);
	else if (argc == 1 && strcmp(what, "settings") == 0)
		dump_settings(out);
	else if (argc == 1 && strcmp(what, "bash") == 0)
		dump_bash(out);
	else if (argc == 1 && strcmp(what, "commands") == 0)
		dump_names(out);
	else
		return cmd_usage(err_set(err, -EINVAL, "--dump-docs does not know '%s'", what));
	return 0;
}
