/*
 * ownmemory.h - memory that is this process's alone: a child of fork(2) finds zeros there, and so
 * knows that what the memory spoke of is its parent's.
 */
#pragma once

#include <stddef.h>

/* Zeros, whole pages. NULL: there is no memory. Before Linux 4.14 a child has a copy. */
void *ownmemory_new(size_t size);
void ownmemory_free(void *memory, size_t size);
