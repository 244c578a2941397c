/*
 * event-name.h - the name of an event whose file gives none, from its attr alone: "cycles:ppp",
 * "L1-dcache-load-misses", "raw 0x1a8", "unknown event PMU=6 config=0x1".
 */
#pragma once

struct attr;
struct event_desc;
struct str;

/* Adds the event's own name, or one made of its attr. */
void event_name_add_desc(struct str *out, const struct event_desc *event);

/* Adds the name with its modifiers. */
void event_name_add(struct str *out, const struct attr *attr);
