/*
 * enums.h - the kernel's enumerations by their names, as its type information has them (BTF).
 */
#pragma once

#include <stdint.h>

#include "base/mem.h"

struct enums;

/*
 * @path: a file of type information, or NULL: the running kernel's. -ENOENT if there is none,
 * -ENOSYS if strobe was built without libbpf.
 */
int enums_open(const char *path, struct enums **ret_enums);
void enums_close(struct enums *enums);
CLEANUP(enums_close, struct enums)

/*
 * Hands out the enumerators of an enum, in their order; names are borrowed until it is closed.
 * -ENOENT: there is no such enum.
 */
int enums_each(const struct enums *enums, const char *name,
	       void (*each)(void *context, const char *name, uint64_t value), void *context);
