/* eventnames.c - see eventnames.h. */
#include "data/eventnames.h"

#include <string.h>

#include "base/arena.h"
#include "data/eventdesc.h"
#include "data/events.h"

static void describe_one(struct events *events, size_t index, const struct eventdesc *desc,
			 bool add)
{
	if (add)
		index = events_add(events, &desc->attr, desc->ids, desc->id_count);
	else
		events_set_ids(events, index, desc->ids, desc->id_count);
	if (desc->name[0])
		events_set_name(events, index, desc->name, strlen(desc->name));
}

int eventnames_describe(struct events *events, const void *bytes, size_t size, bool foreign)
{
	bool add = events_count(events) == 0;
	struct eventdesc_list list;
	struct arena arena = { 0 };
	int rc = eventdesc_decode(bytes, size, foreign, &arena, &list);

	for (size_t i = 0; rc == 0 && i < list.count; i++)
		describe_one(events, i, &list.items[i], add);
	arena_done(&arena);
	return rc;
}

int eventnames_group(struct events *events, const void *bytes, size_t size, bool foreign)
{
	struct eventdesc_groups groups;
	struct arena arena = { 0 };
	int rc = eventdesc_groups_decode(bytes, size, foreign, &arena, &groups);

	for (size_t i = 0; rc == 0 && i < groups.count; i++) {
		const struct eventdesc_group *group = &groups.items[i];

		events_set_group(events, group->leader, group->member_count, group->name,
				 group->name ? strlen(group->name) : 0);
	}
	arena_done(&arena);
	return rc;
}
