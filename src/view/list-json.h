/* list-json.h - events and metrics as JSON: strobe.list/1 of docs/json.md. */
#pragma once

#include <stdio.h>

struct event_rows;

void list_json_print(const struct event_rows *rows, FILE *out);
