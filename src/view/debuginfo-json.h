/*
 * debuginfo-json.h - what was found of objects, as JSON ("strobe.debuginfo/1").
 */
#pragma once

#include <stdio.h>

#include "base/json.h"
#include "base/str.h"

struct debuginfo_row;

/* Starts as { 0 }. */
struct debuginfo_json {
	struct str text;
	struct json json;
};

void debuginfo_json_begin(struct debuginfo_json *out);
void debuginfo_json_add(struct debuginfo_json *out, const struct debuginfo_row *row);
/* Prints all. */
void debuginfo_json_end(struct debuginfo_json *out, FILE *file);
