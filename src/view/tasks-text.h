/* tasks-text.h - the threads of a recording and what they mapped, as text: report --tasks, --mmaps.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct timeline;

void tasks_text_print(const struct timeline *timeline, bool maps, FILE *out);
