/*
 * blocks-json.h - stretches of code and their cycles as JSON.
 */
#pragma once

struct blocks_event;
struct json;
struct report_text;

/* The list "blocks" of an event's table. */
void blocks_json_add(struct json *json, const struct blocks_event *event,
		     const struct report_text *text);
