/* units.h - the compilation units of debug information, and which of them has the code at an
 * address.
 *
 * Units are numbered from 0. One may have any number of stretches of code, and stretches may
 * overlap. Nothing is at address 0: that is where linkers put what they threw away.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct Dwarf;
struct units;

struct units *units_new(struct Dwarf *dwarf);
void units_free(struct units *units);
CLEANUP(units_free, struct units)

size_t units_count(const struct units *units);
/* Where the DIE of a unit is in .debug_info. */
uint64_t units_offset(const struct units *units, size_t unit);

/* Goes through the units that have the code at an address, that which begins last first. */
struct units_at {
	const struct units *units;
	uint64_t vaddr;
	size_t before;
};
struct units_at units_at(const struct units *units, uint64_t vaddr);
/* False if there is none any more. */
bool units_next(struct units_at *at, size_t *ret_unit);
