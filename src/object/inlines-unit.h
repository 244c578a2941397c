/* inlines-unit.h - the functions of one compilation unit, and what was put into them; for
 * inlines.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Dwarf;
struct inlined;
struct inlines_unit;

/* @offset: of the unit's own entry. */
struct inlines_unit *inlines_unit_new(struct Dwarf *dwarf, uint64_t offset);
void inlines_unit_free(struct inlines_unit *unit);

struct inlines_place {
	const struct inlined *inlined; /* the innermost that was put into the function, or NULL */
	uint64_t begin;                /* the first address where that is so */
};

/* Whether a function of the unit is at the address. */
bool inlines_unit_find(struct inlines_unit *unit, uint64_t vaddr, struct inlines_place *ret_place);
