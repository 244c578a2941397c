/* opt-doc.h - what a table of options says of itself: help, man page, completion. */
#pragma once

#include <stdio.h>

struct opt;

/* For -h: two columns, at most 80 characters wide. */
void opt_doc_help(const struct opt *table, FILE *out);
/* For a man page: scdoc text, a list of options under their headings. */
void opt_doc_scdoc(const struct opt *table, FILE *out);
/* For a man page too: the settings of a table, and what they stand for. Nothing if it has none. */
void opt_doc_settings(const struct opt *table, FILE *out);
/* As perf's --list-opts: the long names on one line, for completion. */
void opt_doc_names(const struct opt *table, FILE *out);
/*
 * For bash: assigns the option words to `options`, those of them that want a file's name to
 * `files`, and those that want another argument to `values`.
 */
void opt_doc_bash(const struct opt *table, FILE *out);
