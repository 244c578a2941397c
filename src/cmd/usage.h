/* usage.h - help texts: of strobe, of one command, and as input for man pages and completion. */
#pragma once

#include <stdio.h>

struct cmd;
struct strobe_err;

void usage_strobe(FILE *out);
void usage_cmd(const struct cmd *cmd, FILE *out);

/*
 * "strobe --dump-docs WHAT": what the build asks for to make the documentation.
 *	commands	the commands' names
 *	head NAME	title, NAME and SYNOPSIS of a command's man page
 *	options NAME	the OPTIONS section of it
 *	options		the OPTIONS section of strobe(1)
 *	list		the COMMANDS section of it
 *	bash		the case arms for the completion script
 */
int usage_dump_docs(int argc, const char **argv, FILE *out, struct strobe_err *err);
