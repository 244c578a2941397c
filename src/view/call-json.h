/*
 * call-json.h - system calls as JSON, a line each: docs/json.md, "trace".
 */
#pragma once

#include "format/callvalues.h"

struct calls_call;
struct json;

/* "name", "args", "result" and so on of a call, in an object that is begun. @values are room. */
void call_json_add(struct json *json, const struct calls_call *call, struct callvalues *values);
