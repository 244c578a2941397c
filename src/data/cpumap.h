/*
 * cpumap.h - sets of CPUs as recorders write them: in CPU_MAP records, and in EVENT_UPDATE.
 *
 *   kind (16 bits): 0 a list of numbers, 1 a mask of 4- or 8-byte words, 2 a range
 */
#pragma once

#include <stddef.h>

struct arena;

/* "0-3,8": what follows the header of the record, in host order; NULL if it does not hold together.
 * The number 65535, which stands for any CPU, is left out. */
const char *cpumap_text(const void *bytes, size_t size, struct arena *arena);
