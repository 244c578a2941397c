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

struct hist;

/* Orders hist->entries. */
void entry_order_settle(struct hist *hist, size_t threads);
