/*
 * printfmt.h - the print format of a tracepoint: a text with conversions, and what they print.
 *
 *   "comm=%s pid=%d", REC->comm, REC->pid
 *
 * Parsed once; printing reads nothing outside of the record. libtraceevent can do both, but trusts
 * the format and the record, which are bytes of a file here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct fieldbytes_record;
struct printks;
struct printfmt;
struct str;
struct tep_event;

/* @text follows "print fmt: ". NULL if it is not of the form that is understood. Borrows @event. */
struct printfmt *printfmt_new(const char *text, size_t size, struct tep_event *event);
void printfmt_free(struct printfmt *format);

void printfmt_print(const struct printfmt *format, const struct fieldbytes_record *record,
		    const struct printks *printks, struct str *text);
