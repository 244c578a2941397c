/*
 * dies.h - goes through the entries (DIEs) of a compilation unit from first to last, as they are
 * written.
 *
 * libdw goes from one entry to its next sibling by reading all that is below it, again at each
 * depth. This goes over each byte of a unit once, and knows no more of an entry than its tag: the
 * rest libdw tells. Of units in little-endian order alone.
 */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct dies;

struct dies_entry {
	Dwarf_Die die;
	int tag;      /* DW_TAG_* */
	size_t depth; /* 1: right below the unit's own */
};

/* @unit is the unit's own entry, what is below it is what dies_next() gives. */
struct dies *dies_new(const Dwarf_Die *unit);
void dies_free(struct dies *dies);
CLEANUP(dies_free, struct dies)

/* The bytes that the unit takes. */
size_t dies_size(const struct dies *dies);

/* False behind the last one, or where the unit is damaged. */
bool dies_next(struct dies *dies, struct dies_entry *ret_entry);
