/*
 * survey.h - looks at all records of a file once, with several threads: can they be used where they
 * lie?
 *
 * Where a record begins is known only by those before it. So each thread begins where it looks as
 * if one did; if the one before it did not end just there, all are looked at once more, in a row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct survey {
	bool is_normal; /* each record can be used where it lies; else all below means nothing */
	uint64_t unknown_count;               /* records of unknown types */
	uint64_t skipped_count, ignored_size; /* at the end; see walk.h */
	uint64_t telling_end; /* behind the last record that tells of the file; 0: none */
	uint64_t end;         /* of the last whole record */
	uint64_t *stretches;  /* offsets of records, far apart: the caller's to free() */
	size_t stretch_count;
};

void survey_take(const uint8_t *bytes, uint64_t begin, uint64_t end, struct survey *ret_survey);
