/* opt-doc.c - see opt-doc.h. */
#include "base/opt-doc.h"

#include <string.h>

#include "base/mem.h"
#include "base/opt.h"
#include "base/str.h"

enum { LEFT_WIDTH = 28, WIDTH = 80 };

/* What each table has without saying so. */
static const struct opt help_row = {
	.kind = OPT_FLAG, .letter = 'h', .name = "help", .help = "Show these options"
};

static bool is_shown(const struct opt *o)
{
	return !(o->flags & OPT_HIDDEN) && (o->kind == OPT_GROUP || opt_is_option(o));
}

static const struct opt *first(const struct opt *o)
{
	while (o->kind != OPT_END && !is_shown(o))
		o++;
	return o->kind == OPT_END ? &help_row : o;
}

static const struct opt *next(const struct opt *o)
{
	return o == &help_row ? NULL : first(o + 1);
}

/* "=HZ", "[=MODE]": what follows a long name. */
static void add_long_arg(struct str *line, const struct opt *o, const char *before,
			 const char *after)
{
	if (!o->arg)
		return;
	if (o->arg[0] == '[' && !(o->flags & OPT_NEXT_WORD))
		str_addf(line, "[=%s%.*s%s]", before, (int)strlen(o->arg) - 2, o->arg + 1, after);
	else
		str_addf(line, " %s%s%s", before, o->arg, after);
}

static void add_left(struct str *line, const struct opt *o)
{
	str_addf(line, "  %c%c%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
		 o->letter && o->name ? ", " : "  ");
	if (o->name)
		str_addf(line, "--%s", o->name);
	if (o->alias)
		str_addf(line, ", --%s", o->alias);
	if (o->name)
		add_long_arg(line, o, "", "");
	else if (o->arg) {
		str_cut(line, line->size - 2);
		str_addf(line, "%s%s", o->arg[0] == '[' ? "" : " ", o->arg);
	}
}

/* Adds @text in a column that begins at @indent, breaking it at blanks. */
static void add_wrapped(struct str *line, const char *text, size_t indent)
{
	size_t column = indent;
	struct str_part word;

	while (str_split(&text, ' ', &word)) {
		bool begins = column == indent;

		if (!begins && column + 1 + word.size > WIDTH) {
			str_add_char(line, '\n');
			str_add_repeat(line, ' ', indent);
			column = indent;
			begins = true;
		}
		if (!begins) {
			str_add_char(line, ' ');
			column++;
		}
		str_add_bytes(line, word.text, word.size);
		column += word.size;
	}
}

void opt_doc_help(const struct opt *table, FILE *out)
{
	for (const struct opt *o = first(table); o; o = next(o)) {
		_cleanup_(str_done) struct str line = { 0 };

		if (o->kind == OPT_GROUP) {
			(void)fprintf(out, "\n%s:\n", o->help);
			continue;
		}
		if (o == &help_row && table->kind != OPT_END)
			(void)fputc('\n', out);
		add_left(&line, o);
		if (line.size + 2 > LEFT_WIDTH) {
			str_add_char(&line, '\n');
			str_add_repeat(&line, ' ', LEFT_WIDTH);
		} else {
			str_add_repeat(&line, ' ', LEFT_WIDTH - line.size);
		}
		add_wrapped(&line, o->help, LEFT_WIDTH);
		(void)fprintf(out, "%s\n", str_text(&line));
	}
}

/* Text in which scdoc sees no markup. */
static void put_plain(const char *text, FILE *out)
{
	if (*text == '-') /* else a list begins */
		(void)fputc('\\', out);
	for (; *text; text++) {
		if (strchr("\\*_<>#~+", *text))
			(void)fputc('\\', out);
		(void)fputc(*text, out);
	}
}

void opt_doc_scdoc(const struct opt *table, FILE *out)
{
	for (const struct opt *o = first(table); o; o = next(o)) {
		_cleanup_(str_done) struct str arg = { 0 };

		if (o->kind == OPT_GROUP) {
			(void)fprintf(out, "## %s\n\n", o->help);
			continue;
		}
		if (o->letter)
			(void)fprintf(out, "*-%c*%s", o->letter, o->name ? ", " : "");
		if (o->name)
			(void)fprintf(out, "*--%s*", o->name);
		if (o->alias)
			(void)fprintf(out, ", *--%s*", o->alias);
		if (o->name || !o->arg || o->arg[0] != '[')
			add_long_arg(&arg, o, "_", "_");
		else
			str_addf(&arg, "%s", o->arg);
		(void)fprintf(out, "%s\n\t", str_text(&arg));
		put_plain(o->help, out);
		(void)fputs("\n\n", out);
	}
}

void opt_doc_settings(const struct opt *table, FILE *out)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		if (!o->key)
			continue;
		(void)fputc('*', out);
		put_plain(o->key, out);
		(void)fputs("*\n\t", out);
		if (!opt_is_option(o))
			put_plain(o->help, out);
		else if (o->arg)
			(void)fprintf(out, "As *--%s*", o->name);
		else
			(void)fprintf(out, "*true* or *false*, as *--%s*",
				      str_after(o->name, "no-") ? str_after(o->name, "no-")
								: o->name);
		(void)fputs("\n\n", out);
	}
}

enum word_class { ALL, FILES, VALUES };

static enum word_class class_of(const struct opt *o)
{
	/* An argument that may be missing is never the next word, to be sure. */
	if (!o->arg || o->arg[0] == '[')
		return ALL;
	return strstr(o->arg, "FILE") || strstr(o->arg, "DIR") || strstr(o->arg, "PATH") ? FILES
											 : VALUES;
}

static void put_words(const struct opt *table, const char *variable, enum word_class wanted,
		      FILE *out)
{
	const char *blank = "";

	(void)fprintf(out, "\t\t%s='", variable);
	for (const struct opt *o = first(table); o; o = next(o)) {
		if (o->kind == OPT_GROUP || (wanted != ALL && class_of(o) != wanted))
			continue;
		if (o->letter) {
			(void)fprintf(out, "%s-%c", blank, o->letter);
			blank = " ";
		}
		if (o->name) {
			(void)fprintf(out, "%s--%s", blank, o->name);
			blank = " ";
		}
		if (o->alias)
			(void)fprintf(out, " --%s", o->alias);
	}
	(void)fputs("'\n", out);
}

/* "-s|--sort" */
static void put_pattern(const struct opt *o, FILE *out)
{
	if (o->letter)
		(void)fprintf(out, "-%c%s", o->letter, o->name ? "|" : "");
	if (o->name)
		(void)fprintf(out, "--%s", o->name);
	if (o->alias)
		(void)fprintf(out, "|--%s", o->alias);
}

/* What an argument may be, by the option before it. */
static void put_choices(const struct opt *table, FILE *out)
{
	(void)fputs("\t\tcase $before in\n", out);
	for (const struct opt *o = first(table); o; o = next(o)) {
		const char *word;

		if (!o->words)
			continue;
		(void)fputs("\t\t", out);
		put_pattern(o, out);
		(void)fprintf(out, ") is_list=%d words='", strstr(o->arg, ",...") != NULL);
		for (size_t i = 0; (word = o->words(i)) != NULL; i++)
			(void)fprintf(out, "%s%s", i ? " " : "", word);
		(void)fputs("' ;;\n", out);
	}
	(void)fputs("\t\tesac\n", out);
}

void opt_doc_bash(const struct opt *table, FILE *out)
{
	put_choices(table, out);
	put_words(table, "options", ALL, out);
	put_words(table, "files", FILES, out);
	put_words(table, "values", VALUES, out);
}

void opt_doc_names(const struct opt *table, FILE *out)
{
	for (const struct opt *o = first(table); o; o = next(o))
		if (o->kind != OPT_GROUP && o->name)
			(void)fprintf(out, "--%s ", o->name);
	(void)fputc('\n', out);
}
