/*
 * header-json.h - what a recording's header tells, as JSON: docs/json.md, "Recording".
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct datafile;
struct json;

/* The key "recording": the basics, or all. */
void header_json_recording(struct json *json, const struct datafile *file, bool whole);

/* "strobe.header/1": all, and nothing else. */
void header_json_print(const struct datafile *file, FILE *out);
