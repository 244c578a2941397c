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

/* Whether a function of the unit is at the address. *ret_inlined: the innermost that was put into
 * it there, or NULL. */
bool inlines_unit_find(struct inlines_unit *unit, uint64_t vaddr,
		       const struct inlined **ret_inlined);
