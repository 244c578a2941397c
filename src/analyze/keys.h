/*
 * keys.h - what sort keys are made of, for the files that have them; others want sortkey.h.
 *
 * Each family of keys is a file with one table, which ends with a key without a name.
 */
#pragma once

#include "analyze/sortkey.h"

typedef const struct sortkey_style keys_style;

extern const struct sortkey keys_task[];   /* who ran */
extern const struct sortkey keys_sample[]; /* when, where, and what the event measured */
extern const struct sortkey keys_code[];   /* what ran */
extern const struct sortkey keys_branch[]; /* from where to where it went */

/* The functions of a key whose two orders are one. */
#define KEYS_FUNCTIONS(name) name##_compare, NULL, name##_hash, name##_print, name##_width

int keys_compare_u64(uint64_t left, uint64_t right);
/* perf takes the sign of the difference: the kernel's addresses come before small ones. */
int keys_compare_addr(uint64_t left, uint64_t right);
/* Things that are not there come last. */
int keys_compare_missing(const void *left, const void *right);
int keys_compare_text(const char *left, const char *right); /* NULL is missing */
uint64_t keys_hash_text(const char *text);
