/* variable-places.h - reads where variables are: for variables.c. */
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct data_types;
struct variables_function;

/* Whether a variable is always at one address. */
bool variable_places_fixed(Dwarf_Die *die, uint64_t *ret_addr);

/*
 * All places of the variables and parameters below the entry of a function, and below what was put
 * into it: function->items, which become the caller's to free().
 */
void variable_places_read(struct data_types *types, Dwarf_Die *die,
			  struct variables_function *function);
