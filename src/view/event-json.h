/*
 * event-json.h - an event of a recording as JSON, in an object that is begun: its name, group, ids
 * and attr. docs/json.md, "Events".
 */
#pragma once

struct event_desc;
struct json;

void event_json_add(struct json *json, const struct event_desc *event);

/* Its name alone. */
void event_json_name(struct json *json, const struct event_desc *event);
