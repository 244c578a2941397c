/* eventdesc.c - see eventdesc.h. */
#include "data/eventdesc.h"

#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "data/body.h"

/* The least bytes of an item: what a count is checked against before memory is taken. */
enum { STRING_MIN = 4, EVENT_MIN = ATTR_SIZE_MIN + 4 + STRING_MIN, GROUP_MIN = STRING_MIN + 4 + 4 };

/* attr | uint32_t count of ids | name | ids */
static void read_event(struct body_in *in, uint32_t attr_size, struct arena *arena,
		       struct eventdesc *event)
{
	const void *attr = body_bytes(in, attr_size);
	uint32_t id_count = body_u32(in);
	uint64_t *ids;

	event->name = body_string(in);
	if (!attr || attr_decode(attr, attr_size, in->swap, &event->attr) < 0)
		in->bad = true;
	if (!body_has(in, id_count, sizeof(uint64_t)))
		return;
	ids = arena_alloc(arena, id_count * sizeof(*ids));
	for (uint32_t i = 0; i < id_count; i++)
		ids[i] = body_u64(in);
	event->ids = ids;
	event->id_count = id_count;
}

int eventdesc_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
		     struct eventdesc_list *ret_list)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct eventdesc_list list = { .count = body_u32(&in) };
	uint32_t attr_size = body_u32(&in);

	if (!body_has(&in, list.count, EVENT_MIN))
		return -EBADMSG;
	list.items = arena_alloc(arena, list.count * sizeof(*list.items));
	for (size_t i = 0; i < list.count && !in.bad; i++)
		read_event(&in, attr_size, arena, &list.items[i]);
	if (in.bad)
		return -EBADMSG;
	*ret_list = list;
	return 0;
}

void eventdesc_encode(const struct eventdesc_list *list, struct body_out *out)
{
	uint32_t attr_size = ATTR_SIZE_MIN;

	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].attr.size > attr_size)
			attr_size = list->items[i].attr.size;
	if (attr_size > ATTR_SIZE_FULL)
		attr_size = ATTR_SIZE_FULL;

	body_put_u32(out, (uint32_t)list->count);
	body_put_u32(out, attr_size);
	for (size_t i = 0; i < list->count; i++) {
		const struct eventdesc *event = &list->items[i];

		body_put_bytes(out, &event->attr, attr_size);
		body_put_u32(out, (uint32_t)event->id_count);
		body_put_string(out, event->name);
		body_put_bytes(out, event->ids, event->id_count * sizeof(*event->ids));
	}
}

/* What stands in a file where a group has no name. */
static const char NO_NAME[] = "{anon_group}";

int eventdesc_groups_decode(const void *bytes, size_t size, bool foreign, struct arena *arena,
			    struct eventdesc_groups *ret_groups)
{
	struct body_in in = body_begin(bytes, size, foreign);
	struct eventdesc_groups groups = { .count = body_u32(&in) };

	if (!body_has(&in, groups.count, GROUP_MIN))
		return -EBADMSG;
	groups.items = arena_alloc(arena, groups.count * sizeof(*groups.items));
	for (size_t i = 0; i < groups.count; i++) {
		const char *name = body_string(&in);

		groups.items[i].name = strcmp(name, NO_NAME) ? name : NULL;
		groups.items[i].leader = body_u32(&in);
		groups.items[i].member_count = body_u32(&in);
	}
	if (in.bad)
		return -EBADMSG;
	*ret_groups = groups;
	return 0;
}

void eventdesc_groups_encode(const struct eventdesc_groups *groups, struct body_out *out)
{
	body_put_u32(out, (uint32_t)groups->count);
	for (size_t i = 0; i < groups->count; i++) {
		const char *name = groups->items[i].name;

		body_put_string(out, name ? name : NO_NAME);
		body_put_u32(out, groups->items[i].leader);
		body_put_u32(out, groups->items[i].member_count);
	}
}
