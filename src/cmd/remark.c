/* remark.c - see remark.h. */
#include "cmd/remark.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/str.h"

/* A process has one command, and reads settings before it knows which. */
static const char *remark_command;

void remark_by(const char *command)
{
	remark_command = command;
}

void remark(const char *format, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	(void)fprintf(stderr, "strobe%s%s: %s\n", remark_command ? " " : "",
		      remark_command ? remark_command : "", str_text(&text));
}

void remark_lines(const char *text)
{
	struct str_part line;

	while (str_split(&text, '\n', &line)) {
		if (line.size && line.text[0] == ' ')
			(void)fprintf(stderr, "%.*s\n", (int)line.size, line.text);
		else if (line.size)
			remark("%.*s", (int)line.size, line.text);
	}
}

void remark_hint(const char *format, ...)
{
	_cleanup_(str_done) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	(void)fprintf(stderr, "  hint: %s\n", str_text(&text));
}

void remark_where(const char *lines)
{
	struct str_part line;

	while (str_split(&lines, '\n', &line))
		(void)fprintf(stderr, "    %.*s\n", (int)line.size, line.text);
}
