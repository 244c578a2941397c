/*
 * hierarchy.h - entries as a tree: one level for each key, so that a row shows what all below it
 * weighs together.
 *
 *	comm       60 %  chrome
 *	  dso        40 %  libc.so.6
 *	    symbol     30 %  malloc
 *
 * A level is a histogram of its own, of the keys up to it. So a row with children is right too: a
 * sample counts once in it, however many of its callers are there.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct fields;
struct hierarchy;
struct hist;
struct hist_entry;
struct hist_options;
struct sites;

struct hierarchy_node {
	const struct hist *hist; /* of its level */
	struct hist_entry *entry;
	size_t level;
	const struct hierarchy_node *const *children; /* in order of output */
	size_t child_count;
};

/* @leaves has the options of the deepest level, whose histogram they become; both are borrowed. */
struct hierarchy *hierarchy_new(const struct hist_options *leaves, const struct sites *sites);
void hierarchy_free(struct hierarchy *hierarchy);
CLEANUP(hierarchy_free, struct hierarchy)

/* The histograms that are to count, from the top; all but the deepest, which is not its own. */
size_t hierarchy_level_count(const struct hierarchy *hierarchy);
struct hist *hierarchy_level(const struct hierarchy *hierarchy, size_t i);

/* Once all are finished, the deepest too: which entry is below which. */
void hierarchy_settle(struct hierarchy *hierarchy, const struct hist *leaves);

/* The uppermost nodes. */
const struct hierarchy_node *const *hierarchy_roots(const struct hierarchy *hierarchy,
						    size_t *ret_count);
