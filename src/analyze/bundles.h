/*
 * bundles.h - samples, counted: those that are equal in all that a report asks for are one bundle.
 *
 * A bundle is of a context (what the sort keys tell apart, the place left out), a site, a stack, a
 * mode, and an event of a group. So the work for a sample is one look-up, memory follows distinct
 * stacks, and each worker may have bundles of its own. Samples may come in any order: what a
 * bundle says of its first sample is of the earliest.
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

struct bundle {
	uint32_t context, site, stack;
	uint16_t cpumode, member;
	/* Of the first sample: */
	struct instant first;
	uint32_t pid, tid;
	char level;
	/* Of all: */
	uint64_t period, count, latency; /* see hist.h */
};

struct bundles {
	const struct sortkey_style *style; /* borrowed */
	const struct sortkey **keys;       /* that make contexts */
	size_t key_count;
	bool by_comm; /* contexts are told apart by nothing but names of threads */
	struct arena arena;
	struct {
		struct item *items;
		size_t count, capacity;
	} contexts;
	struct {
		struct bundle *items;
		size_t count, capacity;
	} all;
	struct index context_of, bundle_of;
};

/* @fields and @style are borrowed. @by_parent: contexts differ by parent though no key asks for it.
 */
void bundles_init(struct bundles *bundles, const struct fields *fields,
		  const struct sortkey_style *style, bool by_parent);
void bundles_done(struct bundles *bundles);

/* The context of an item, whose spot is not looked at; texts are borrowed, the rest is copied. */
uint32_t bundles_context(struct bundles *bundles, const struct item *item);

/* Counts a sample: @sample is a bundle of one. */
void bundles_add(struct bundles *bundles, const struct bundle *sample);
