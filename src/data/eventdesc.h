/*
 * eventdesc.h - header features about the events: EVENT_DESC (attrs, names, ids) and GROUP_DESC.
 *
 * What is decoded lies in @arena, names in the section. 0 or -EBADMSG.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/attr.h"

struct arena;
struct body_out;

struct eventdesc {
	struct attr attr;
	const char *name;
	const uint64_t *ids; /* kernel ids, one for each CPU or thread */
	size_t id_count;
};

struct eventdesc_list {
	struct eventdesc *items;
	size_t count;
};

int eventdesc_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
		     struct eventdesc_list *ret_list);
/* All attrs are written in the largest of their sizes (attr.size), as the format wants it. */
void eventdesc_encode(const struct eventdesc_list *list, struct body_out *out);

struct eventdesc_group {
	const char *name;      /* NULL where the user gave none */
	uint32_t leader;       /* index of the event in the list of EVENT_DESC */
	uint32_t member_count; /* with the leader; members follow it */
};

struct eventdesc_groups {
	struct eventdesc_group *items;
	size_t count;
};

int eventdesc_groups_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			    struct eventdesc_groups *ret_groups);
void eventdesc_groups_encode(const struct eventdesc_groups *groups, struct body_out *out);
