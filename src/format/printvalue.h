/*
 * printvalue.h - what the expressions of a print format are in one record: numbers and texts.
 *
 * Numbers are 64 bits without a sign, as libtraceevent has them: a field is filled up with zeros,
 * and what prints it takes as many bits as its conversion says. Nothing outside of the record is
 * read, whatever stands in it: what would lie there is 0, or "".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "format/tracefields.h"

struct printexpr;
struct printks;
struct str;

struct printvalue_record {
	struct tracefields_record bytes;
	const struct tracefields *fields;
	const struct printks *printks;
	size_t *walked; /* grows by the bytes that were looked at one by one, printed or not */
};

uint64_t printvalue_number(const struct printexpr *expr, const struct printvalue_record *record);

/* Adds what %s prints of it. */
void printvalue_text(const struct printexpr *expr, const struct printvalue_record *record,
		     struct str *text);

/* The bytes of a field or an array, casts or not, to walk over; false of everything else. */
bool printvalue_bytes(const struct printexpr *expr, const struct printvalue_record *record,
		      struct tracefields_bytes *ret_bytes);

/* The bits that are set: "0-3,8". */
void printvalue_bits(struct tracefields_bytes mask, const struct printvalue_record *record,
		     struct str *text);
