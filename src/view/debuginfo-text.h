/*
 * debuginfo-text.h - what was found of objects, as text: a block each.
 */
#pragma once

#include <stdio.h>

struct debuginfo_row;

void debuginfo_text_print(const struct debuginfo_row *row, FILE *out);
