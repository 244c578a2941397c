/*
 * attr-bits.h - the names of an attr's sets of bits, and of its flags, in the order in which they
 * are printed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct attr;

enum attr_bits_set {
	ATTR_BITS_SAMPLE_TYPE, /* "IP": PERF_SAMPLE_IP */
	ATTR_BITS_READ_FORMAT, /* "GROUP": PERF_FORMAT_GROUP */
	ATTR_BITS_BRANCH_TYPE, /* "ANY": PERF_SAMPLE_BRANCH_ANY */
};

/*
 * The name of the next bit of @bits that has one, from the *i-th on; NULL at the end. *i begins
 * as 0.
 */
const char *attr_bits_next(enum attr_bits_set set, uint64_t bits, size_t *i);

/* The next flag of an attr that is not 0, and its value: precise_ip has more than one bit. */
const char *attr_bits_flag(const struct attr *attr, size_t *i, unsigned *ret_value);
