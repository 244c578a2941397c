/*
 * callgraph-json.h - the call tree of an entry as JSON: the key "chains" of its row. docs/json.md,
 * "Call chains".
 */
#pragma once

#include <stdint.h>

struct callgraph;
struct hist_entry;
struct json;

/*
 * Of @graph what is about colors and the text's form does not count. @period is the entry's own
 * (with children, if the report counts them).
 */
void callgraph_json_add(struct json *json, const struct callgraph *graph, struct hist_entry *entry,
			uint64_t period);
