/*
 * tracepoint-json.h - what a tracepoint's sample says, as JSON: its text, and its fields, typed by
 * the format. docs/json.md, "Tracepoints".
 */
#pragma once

#include <stddef.h>

struct json;
struct tracepoint;

void tracepoint_json_add(struct json *json, const char *name, const struct tracepoint *tracepoint,
			 const void *raw, size_t raw_size);
