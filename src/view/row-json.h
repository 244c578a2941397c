/*
 * row-json.h - what a row of a report is about, as JSON: the value of a sort key, typed. What is
 * not known is null. docs/json.md, "Sort keys".
 */
#pragma once

struct item;
struct json;
struct sortkey;
struct sortkey_style;

/* Under the key's own name. */
void row_json_key(struct json *json, const struct sortkey *key, const struct item *item,
		  const struct sortkey_style *style);
