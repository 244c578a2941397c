/* stats-text.h - how many records of which type, as text: report --stats. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct stats;

/* @show_empty: also the types of which there are none. */
void stats_text_print(const struct stats *stats, bool show_empty, FILE *out);
