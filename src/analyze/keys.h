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
extern const struct sortkey keys_memory[]; /* what it read and wrote */
extern const struct sortkey keys_data[];   /* the same, by its instruction alone */

/* Tells apart all that is known of accesses; no column. */
extern const struct sortkey keys_memory_data_src;

/* The functions of a key whose two orders are one. */
#define KEYS_FUNCTIONS(name) name##_compare, NULL, name##_hash, name##_print, name##_width

/* The column is as wide as its title. */
size_t keys_width_of_title(const struct item *item, keys_style *how);
/* The functions of a key whose column is so. */
#define KEYS_TITLED(name) name##_compare, NULL, name##_hash, name##_print, keys_width_of_title

/*
 * A key that is a number of the item, printed as such: @value is an expression of "item". The
 * highest first, as in perf.
 */
#define KEYS_NUMBER(name, value)                                                                   \
	static uint64_t name##_of(const struct item *item)                                         \
	{                                                                                          \
		return value;                                                                      \
	}                                                                                          \
	static int name##_compare(const struct item *left, const struct item *right,               \
				  keys_style *how)                                                 \
	{                                                                                          \
		return keys_compare_u64(name##_of(right), name##_of(left));                        \
	}                                                                                          \
	static uint64_t name##_hash(const struct item *item, keys_style *how)                      \
	{                                                                                          \
		return name##_of(item);                                                            \
	}

/* "4K", "2M"; "N/A" of 0. */
void keys_print_page_size(uint64_t size, struct str *out);

int keys_compare_u64(uint64_t left, uint64_t right);
/* perf takes the sign of the difference: the kernel's addresses come before small ones. */
int keys_compare_addr(uint64_t left, uint64_t right);
/* Things that are not there come last. */
int keys_compare_missing(const void *left, const void *right);
int keys_compare_text(const char *left, const char *right); /* NULL is missing */
uint64_t keys_hash_text(const char *text);
