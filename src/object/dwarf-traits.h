/*
 * dwarf-traits.h - what kind of DWARF it is, and what it tells, for who wants to know why lines or
 * inlined functions are missing. Looks at each unit, but at no function.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debuginfo;

struct dwarf_traits {
	size_t unit_count;
	uint16_t oldest, newest; /* versions of units */
	/* Units of which the most is in files of their own (.dwo), and how many of these are there.
	 */
	size_t split_count, split_found;
	const char *split_name; /* of the first that is not; as long as the debug information */
	bool has_lines, has_inlines;
};

void dwarf_traits_find(struct debuginfo *debuginfo, struct dwarf_traits *ret_traits);
