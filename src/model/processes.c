/* processes.c - see processes.h. */
#include "model/processes.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "model/dso.h"
#include "model/image.h"
#include "model/ranges.h"
#include "model/threads.h"

/* How long, ns, user registers may still be the old program's when the new one's vdso is mapped. */
enum { EXEC_NS = 1000000 };

struct processes_number {
	struct image **items; /* in the order of time; at least one */
	size_t count, capacity;
};

static struct processes_number *find(const struct processes *processes, uint32_t pid)
{
	struct hash_entry *entry = hash_find(&processes->by_pid, pid);

	return entry ? entry->pointer : NULL;
}

static struct image *add_image(struct processes *processes, struct processes_number *number,
			       struct instant born)
{
	struct image *image = arena_alloc(&processes->arena, sizeof(*image));

	*image = (struct image){ .born = born, .entered = born.moment, .ppid = UINT32_MAX };
	grow(number);
	return number->items[number->count++] = image;
}

/* The number; a new one has no image yet. */
static struct processes_number *add_number(struct processes *processes, uint32_t pid)
{
	struct hash_entry *entry = hash_add(&processes->by_pid, pid, NULL);

	if (!entry->pointer)
		entry->pointer = arena_alloc(&processes->arena, sizeof(struct processes_number));
	return entry->pointer;
}

static struct image *current(struct processes *processes, uint32_t pid)
{
	struct processes_number *number = add_number(processes, pid);

	if (number->count == 0) /* it was there before the recording began */
		return add_image(processes, number, (struct instant){ 0, 0 });
	return number->items[number->count - 1];
}

static bool is_repeated(const struct image *image, uint32_t ppid)
{
	return image->ppid == ppid && !image->gone && image->space.count == 0;
}

void processes_fork(struct processes *processes, uint32_t pid, uint32_t ppid, struct instant at,
		    bool synthesized)
{
	struct image *parent = current(processes, ppid), *image;
	struct processes_number *number = add_number(processes, pid);

	if (number->count > 0 &&
	    (synthesized || is_repeated(number->items[number->count - 1], ppid)))
		return;
	image = add_image(processes, number, synthesized ? (struct instant){ 0, 0 } : at);
	image->ppid = ppid;
	if (synthesized)
		return;
	if (parent->space.count == 0 && parent->code.count == 0 &&
	    parent->parent) { /* it has but what it inherited */
		image->parent = parent->parent;
		image->until = parent->until;
	} else {
		image->parent = parent;
		image->until = at;
	}
}

void processes_exec(struct processes *processes, uint32_t pid, struct instant at)
{
	add_image(processes, add_number(processes, pid), at)->by_exec = true;
}

void processes_exit(struct processes *processes, uint32_t pid)
{
	current(processes, pid)->gone = true;
}

/*
 * While the kernel is in exec, user registers and stacks are still those of the old image, and
 * samples of the kernel show them. The vdso is the last that it maps before it sets them; how long
 * that takes no record says, but a further mapping is the new program's own. (In a recording
 * without times moments are places in the file: there is nothing to measure with.)
 */
static void note_entry(struct image *image, const struct space_map *map)
{
	uint64_t now = map->born.moment;

	if (image->by_exec && map->map.dso->kind == DSO_VDSO) {
		image->entered = now;
		image->by_exec = false;
		image->entering = now != map->born.offset && now < UINT64_MAX - EXEC_NS;
		image->certain = image->entering ? now + EXEC_NS : now;
	} else if (image->entering) {
		image->entering = false;
		if (now < image->certain)
			image->certain = now;
	}
}

void processes_map(struct processes *processes, uint32_t pid, const struct space_map *map)
{
	struct image *image = current(processes, pid);

	space_add(&image->space, map);
	image->stale = true;
	if (!image->executable && (map->map.prot & PROT_EXEC) && map->map.dso->kind == DSO_USER)
		image->executable = map->map.dso;
	note_entry(image, map);
}

void processes_code(struct processes *processes, uint32_t pid, const struct space_map *map)
{
	struct image *image = current(processes, pid);

	space_add(&image->code, map);
	image->stale = true;
}

static void number_maps(struct processes *processes, const struct processes_number *number)
{
	size_t map_count = 0;

	for (size_t i = 0; i < number->count; i++) {
		struct image *image = number->items[i];

		image->first_map = map_count;
		image->first_epoch = processes->epoch_count;
		map_count += image->space.count;
		processes->epoch_count += image->space.count + image->code.count + 1;
	}
}

void processes_settle(struct processes *processes)
{
	struct hash_entry *entry = NULL;

	processes->epoch_count = 0;
	while ((entry = hash_next(&processes->by_pid, entry))) {
		const struct processes_number *number = entry->pointer;

		for (size_t i = 0; i < number->count; i++) {
			if (!number->items[i]->stale)
				continue;
			space_settle(&number->items[i]->space);
			space_settle(&number->items[i]->code);
		}
		number_maps(processes, number);
	}
	/* Children look at their parents' spaces, so all of these had to be settled. */
	while ((entry = hash_next(&processes->by_pid, entry))) {
		const struct processes_number *number = entry->pointer;

		for (size_t i = 0; i < number->count; i++) {
			if (number->items[i]->stale)
				image_find_remapped(number->items[i], &processes->arena);
			number->items[i]->stale = false;
		}
	}
}

/* The image at a moment; before the first, the first: clocks of CPUs differ a little. */
static size_t image_at(const struct processes_number *number, uint64_t moment)
{
	size_t low = 0, high = number->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (number->items[middle]->entered <= moment)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

const struct map *processes_find(const struct processes *processes, uint32_t pid, uint64_t addr,
				 uint64_t moment)
{
	const struct processes_number *number = find(processes, pid);
	size_t i = number ? image_at(number, moment) : 0;
	const struct map *map;

	if (!number || number->count == 0)
		return NULL;
	map = image_find(number->items[i], addr, instant_after(moment));
	if (!map && i > 0 && moment < number->items[i]->certain)
		map = image_find(number->items[i - 1], addr, instant_after(moment));
	return map;
}

/*
 * Of its ancestors an image sees what they had until it was born, which no longer changes; before
 * that it would, and while the image before is seen through it, so may that: such a moment is an
 * epoch of its own.
 */
bool processes_epoch(const struct processes *processes, uint32_t pid, uint64_t moment,
		     struct timeline_epoch *ret_epoch)
{
	const struct processes_number *number = find(processes, pid);
	size_t i = number ? image_at(number, moment) : 0;
	const struct image *image;

	if (!number || number->count == 0)
		return false;
	image = number->items[i];
	*ret_epoch = image_epoch(image, moment);
	if ((image->parent && !instant_before(image->until, instant_after(moment))) ||
	    (i > 0 && moment < image->certain)) {
		ret_epoch->from = ret_epoch->until = moment;
		return true;
	}
	if (image->parent && ret_epoch->from < image->until.moment)
		ret_epoch->from = image->until.moment;
	if (i > 0 && ret_epoch->from < image->entered)
		ret_epoch->from = image->entered;
	if (i > 0 && ret_epoch->from < image->certain)
		ret_epoch->from = image->certain;
	if (i + 1 < number->count && number->items[i + 1]->entered < ret_epoch->until)
		ret_epoch->until = number->items[i + 1]->entered;
	return true;
}

const struct dso *processes_executable(const struct processes *processes, uint32_t pid)
{
	const struct processes_number *number = find(processes, pid);

	return number && number->count > 0 ? image_executable(number->items[number->count - 1])
					   : NULL;
}

const struct map *processes_map_at(const struct processes *processes, uint32_t pid, size_t i)
{
	const struct processes_number *number = find(processes, pid);
	size_t low = 0, high = number ? number->count : 0;

	while (low < high) { /* the last image that begins at or before map i */
		size_t middle = low + (high - low) / 2;

		if (number->items[middle]->first_map <= i)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	const struct image *image = number->items[low - 1];

	i -= image->first_map;
	return i < image->space.count ? &image->space.items[i]->map : NULL;
}

size_t processes_ranges(const struct processes *processes, uint32_t pid, uint64_t moment,
			struct timeline_range **ret_ranges)
{
	const struct processes_number *number = find(processes, pid);
	struct ranges_layers layers = { 0 };
	size_t count;

	if (number && number->count > 0)
		layers = image_layers(number->items[image_at(number, moment)], image_maps, moment);
	count = ranges_find(&layers, ret_ranges);
	free(layers.items);
	return count;
}

/* What it sees becomes its own, so that its ancestors may go. */
static void keep_image(struct processes *kept, struct processes_number *number,
		       const struct image *old, struct hash *dsos)
{
	struct image *image = add_image(kept, number, old->born);

	*image = *old;
	image->parent = NULL;
	image->until = (struct instant){ 0, 0 };
	image->stale = true;
	image->executable = image_executable(old);
	if (image->executable)
		hash_add(dsos, image->executable->id, NULL)->number = DSO_MAPPED;
	image_keep(old, image_maps, &image->space, &kept->arena, dsos);
	image_keep(old, image_code, &image->code, &kept->arena, dsos);
}

/* Of what a number was, only the last can still be asked for; in exec, also what it was before. */
static void keep_number(struct processes *kept, uint32_t pid, const struct processes_number *old,
			uint64_t now, struct hash *dsos)
{
	struct processes_number *number = add_number(kept, pid);
	const struct image *last = old->items[old->count - 1];

	if (old->count > 1 && (last->by_exec || last->certain > now))
		keep_image(kept, number, old->items[old->count - 2], dsos);
	keep_image(kept, number, last, dsos);
}

void processes_forget(struct processes *processes, const struct threads *threads, uint64_t now,
		      struct hash *dsos)
{
	struct processes kept = { 0 };
	struct hash_entry *entry = NULL;

	while ((entry = hash_next(&processes->by_pid, entry))) {
		const struct processes_number *number = entry->pointer;
		uint32_t pid = (uint32_t)entry->key;

		if (number->count > 0 && threads_has(threads, pid))
			keep_number(&kept, pid, number, now, dsos);
	}
	processes_done(processes);
	*processes = kept;
}

void processes_done(struct processes *processes)
{
	struct hash_entry *entry = NULL;

	while ((entry = hash_next(&processes->by_pid, entry))) {
		struct processes_number *number = entry->pointer;

		for (size_t i = 0; i < number->count; i++) {
			space_done(&number->items[i]->space);
			space_done(&number->items[i]->code);
		}
		free(number->items);
	}
	hash_done(&processes->by_pid);
	arena_done(&processes->arena);
}
