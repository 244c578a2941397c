/*
 * resolver-refresh.c - perf maps of compilers that run while they are read: they grow.
 *
 * A map is read as a whole. So the larger it is the more seldom it is looked at, or one of a busy
 * compiler would take all of our time.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/timeline.h"
#include "symbol/jit-file.h"
#include "symbol/resolver-state.h"

enum { LOOK_NS = 100000000, LOOK_NS_PER_BYTE = 100 };

static bool is_due(const struct object *object, uint64_t now_ns, bool now)
{
	if (!object->loaded || object->map_looked_ns == 0)
		return false;
	return now ||
	       now_ns - object->map_looked_ns > LOOK_NS + object->map_stamp.size * LOOK_NS_PER_BYTE;
}

/* One that is gone has told all it had to. */
static bool was_written(const struct resolver *resolver, const struct object *object,
			const struct dso *dso)
{
	struct jit_file_stamp stamp;
	struct stat status;
	enum reason reason;
	_cleanup_(closep) int fd = jit_file_open(&resolver->options, JIT_FILE_MAP, dso->jit_pid,
						 dso->name, &status, &reason);

	if (fd < 0)
		return false;
	stamp = jit_file_stamp(&status);
	return memcmp(&stamp, &object->map_stamp, sizeof(stamp)) != 0;
}

void resolver_refresh(struct resolver *resolver, bool now)
{
	uint64_t now_ns = clock_now_ns();
	struct object *object;

	for (uint32_t id = 0; (object = resolver_next_object(resolver, &id)); id++) {
		const struct dso *dso =
			is_due(object, now_ns, now) ? timeline_dso(resolver->timeline, id) : NULL;

		if (!dso)
			continue;
		object->map_looked_ns = now_ns;
		if (!was_written(resolver, object, dso))
			continue;
		resolver_drop_names(object);
		resolver->rename_count++;
	}
}

uint64_t resolver_rename_count(const struct resolver *resolver)
{
	return resolver->rename_count;
}
