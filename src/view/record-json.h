/*
 * record-json.h - what a record that is no sample says, as JSON: the key "body". docs/json.md,
 * "Records".
 */
#pragma once

struct json;
struct record;

void record_json_body(struct json *json, const struct record *record);
