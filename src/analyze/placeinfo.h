/*
 * placeinfo.h - what there is to say of a place beside its function's name: its object's path,
 * where in the object it is, and where its function begins.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "symbol/reason.h"

struct map;
struct place;
struct resolver;

/* The path of a mapping's object; of modules without @module_paths their names. */
const char *placeinfo_path(const struct map *map, bool module_paths);

/*
 * Where a place lies in the file, or, of code that was made in memory, in memory. False for parts
 * of the kernel, which have no file that anyone could look into, and where nothing is mapped.
 */
bool placeinfo_file_offset(const struct place *place, uint64_t *ret_offset);

/* The address in a mapped place's own object, or, of code that was made in memory, in memory. */
uint64_t placeinfo_object_addr(const struct place *place);

/*
 * The same address; of the kernel and its modules from where they begin,
 * since they lie elsewhere after each boot.
 */
uint64_t placeinfo_object_offset(const struct place *place);

/* Why a place has no name, what stands for many such places among them; REASON_NONE if it has one
 * or nobody knows. */
enum reason placeinfo_reason(struct resolver *resolver, const struct place *place);

/* The first instruction of a place's function, which there is. */
struct place placeinfo_function_begin(const struct place *place);
