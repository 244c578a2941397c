/*
 * entry-order.h - in which order a histogram's entries are listed.
 *
 * By the fields of the order, one after another; what is equal in all of them, by identity. Each
 * field's order is turned into numbers first, so that it is compared once and then only counted.
 *
 * perf inserts entries into trees: first by identity, then by the order of output. Where call
 * chains are shown, its order of output is not one that sorting could give: of entries that weigh
 * the same, those of one thread go by the length of their chains, but not those of different
 * threads. There the shape of the tree decides, and entries go through the same tree: rank.h.
 */
#pragma once

#include <stddef.h>

struct entry_order;
struct hist;

/* What orders the hist's entries, found out with so many threads. */
struct entry_order *entry_order_new(struct hist *hist, size_t threads);
/* Orders hist->entries, which must be the same as then. Of an entry, only its thread and depth are
 * looked at. */
void entry_order_apply(const struct entry_order *order);
void entry_order_free(struct entry_order *order);
