/*
 * bundles.h - samples, counted: those that are equal in all that a report asks for are one bundle.
 *
 * A bundle is of a context (what the sort keys tell apart, the place left out), a site, a stack, a
 * mode, and an event of a group. So the work for a sample is one look-up, memory follows distinct
 * stacks, and each worker may have bundles of its own. Samples may come in any order: what a
 * bundle says of its first sample is of the earliest.
 *
 * Most stacks make one bundle, so a stack (or a site, where stacks do not matter) knows its first,
 * and only the others are looked for.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/item.h"
#include "base/arena.h"
#include "base/index.h"
#include "model/instant.h"

struct fields;
struct sortkey;
struct sortkey_style;

#define BUNDLES_NO_STACK UINT32_MAX

/* There are many: one is as large as a line of the cache. */
struct bundle {
	uint32_t context, site, stack;
	uint16_t member;
	uint8_t cpumode;
	char level; /* of the first sample, as these: */
	struct instant first;
	uint32_t pid, tid;
	/* Of all: */
	uint64_t period, count, latency; /* see hist.h */
};

/* What the sort keys tell apart is equal in all its samples; of the rest, it has the earliest's. */
struct bundles_context {
	struct instant first;
	struct item item;
};

struct bundles {
	const struct sortkey_style *style; /* borrowed */
	const struct sortkey **keys;       /* that make contexts */
	size_t key_count;
	bool by_comm; /* contexts are told apart by nothing but names of threads */
	struct arena arena;
	struct {
		struct bundles_context *items;
		size_t count, capacity;
	} contexts;
	struct {
		struct bundle *items;
		size_t count, capacity;
	} all;
	struct index context_of;
	struct index bundle_of; /* those that are not the first of their stack */
};

/* @fields and @style are borrowed. @by_parent: contexts differ by parent though no key asks for it.
 */
void bundles_init(struct bundles *bundles, const struct fields *fields,
		  const struct sortkey_style *style, bool by_parent);
void bundles_done(struct bundles *bundles);

/*
 * The context of an item that was at @first, whose spot is not looked at; texts are borrowed, the
 * rest is copied.
 */
uint32_t bundles_find_context(struct bundles *bundles, const struct item *item,
			      struct instant first);

/*
 * Counts a sample: @sample is a bundle of one. @first is a word, 0 at the beginning, that belongs
 * to its stack, or to its site if it has none.
 */
uint32_t bundles_add(struct bundles *bundles, uint32_t *first, const struct bundle *sample);
/* The same where it is known to be of bundle @number, which bundles_add() returned. Only what is
 * said of the first sample and of all is looked at. */
void bundles_add_to(struct bundles *bundles, uint32_t number, const struct bundle *sample);

/* Says that bundles_add() with such a word will follow. */
static inline void bundles_expect(const struct bundles *bundles, const uint32_t *first)
{
	if (*first != 0)
		__builtin_prefetch(&bundles->all.items[*first - 1]);
}
