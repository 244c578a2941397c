/*
 * printfmt.h - the print format of a tracepoint: a text with conversions, and what they print.
 *
 *   "comm=%s pid=%d", REC->comm, REC->pid
 *
 * Parsed once; printing reads nothing outside of the record. libtraceevent can do both, but trusts
 * the format and the record: those are bytes of a file here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct printks;
struct printfmt;
struct str;
struct tracefields;
struct tracefields_record;

/* @text follows "print fmt: ". NULL if it is not of the form that is understood. Borrows the
 * fields. */
struct printfmt *printfmt_new(const char *text, size_t size, const struct tracefields *fields);
void printfmt_free(struct printfmt *format);

/*
 * Adds the text. It ends in "..." where it gets too long (tracefields_cut), or where the format
 * looks at the record's arrays over and over: a file chooses both.
 */
void printfmt_print(const struct printfmt *format, const struct tracefields_record *record,
		    const struct printks *printks, struct str *text);
