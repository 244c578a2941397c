/*
 * hexdump.h - bytes in hex, and beside them what of them is text: sixteen a line, as perf's -D has
 * them.
 */
#pragma once

#include <stddef.h>

struct str;

void hexdump_add(struct str *out, const void *bytes, size_t size);
