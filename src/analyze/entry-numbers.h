/*
 * entry-numbers.h - one of the things that a histogram's entries are ordered by, made numbers: each
 * entry's, the lowest first. So it is compared once, and then only counted. For entry-order.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct field;
struct hist;

struct entry_numbers {
	const struct hist *hist;
	const struct field *field;
	bool by_identity; /* what tells entries apart, not what they are listed by */
	const struct entry_numbers *same; /* one whose numbers are these, or NULL */
	/* By entry; dense, and equal entries have the same: */
	uint32_t *numbers;
	uint32_t number_count;
};

/* Of one that has no other that is the same; the numbers are the caller's to free(). */
void entry_numbers_make(struct entry_numbers *field);
