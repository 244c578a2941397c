/*
 * tasks-json.h - all threads of a recording as JSON, and what their processes had mapped at last:
 * "strobe.tasks/1".
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct timeline;

void tasks_json_print(const struct timeline *timeline, bool maps, FILE *out);
