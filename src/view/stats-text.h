/* stats-text.h - how many records of which type, as text: report --stats. */
#pragma once

#include <stdio.h>

struct stats;

void stats_text_print(const struct stats *stats, FILE *out);
