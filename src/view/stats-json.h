/* stats-json.h - how many records of each type a recording has, as JSON: "strobe.stats/1". */
#pragma once

#include <stdio.h>

struct stats;

void stats_json_print(const struct stats *stats, FILE *out);
