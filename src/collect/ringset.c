/* ringset.c - see ringset.h. */
#include "collect/ringset.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/eventset.h"
#include "collect/notes.h"
#include "collect/target.h"
#include "event/eventlist.h"
#include "kernel/perfevent.h"

/* The events of a CPU, or of a thread, in the order of the list. */
static void find_members(const struct eventset *set, struct ringset_ring *ring, size_t index)
{
	bool by_thread = set->target->per_thread;
	size_t count = by_thread ? set->cpu_count : set->thread_count;

	ring->members = xcalloc(set->list->count * count, sizeof(*ring->members));
	for (size_t event = 0; event < set->list->count; event++)
		for (size_t i = 0; i < count; i++) {
			size_t at = by_thread ? eventset_at(set, event, i, index)
					      : eventset_at(set, event, index, i);

			if (set->fds[at] >= 0)
				ring->members[ring->member_count++] = at;
		}
}

static int open_ring(const struct eventset *set, struct ringset_ring *ring, size_t size)
{
	int owner, r;

	if (ring->member_count == 0)
		return 0;
	owner = set->fds[ring->members[0]];
	r = ring_open(&ring->ring, owner, size);
	for (size_t i = 1; r == 0 && i < ring->member_count; i++)
		r = perfevent_set_output(set->fds[ring->members[i]], owner);
	return r;
}

static void close_rings(struct ringset *rings)
{
	for (size_t i = 0; i < rings->count; i++)
		if (rings->items[i].ring.page)
			ring_close(&rings->items[i].ring);
}

static int open_rings(struct ringset *rings, size_t size)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < rings->count; i++)
		r = open_ring(rings->set, &rings->items[i], size);
	rings->size = size;
	return r;
}

static bool has_build_ids(const struct eventlist *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].attr.build_id)
			return true;
	return false;
}

static int explain(int code, size_t size, struct strobe_err *err)
{
	err_set(err, code, "cannot map rings of %zu KiB: %s", size / 1024, strerror(-code));
	if (code == -EPERM)
		return err_hint(err, code,
				"as root: raise sysctl kernel.perf_event_mlock_kb, or "
				"give strobe CAP_IPC_LOCK");
	if (code == -ENOMEM || code == -EINVAL)
		return err_hint(err, code, "use a smaller -m");
	return code;
}

int ringset_open(struct ringset *rings, const struct eventset *set, size_t size,
		 struct notes *notes, struct strobe_err *err)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), wanted = size;
	int r;

	*rings = (struct ringset){ .set = set, .has_inodes = !has_build_ids(set->list) };
	rings->count = set->target->per_thread ? set->thread_count : set->cpu_count;
	rings->items = xcalloc(rings->count, sizeof(*rings->items));
	for (size_t i = 0; i < rings->count; i++)
		find_members(set, &rings->items[i], i);
	while ((r = open_rings(rings, size)) == -EPERM && size > page) {
		close_rings(rings);
		size /= 2;
	}
	if (r < 0) {
		ringset_close(rings);
		return explain(r, size, err);
	}
	if (size < wanted)
		notes_add(notes,
			  "rings are %zu KiB and not %zu: an ordinary user may lock no more "
			  "(sysctl kernel.perf_event_mlock_kb, or CAP_IPC_LOCK)",
			  size / 1024, wanted / 1024);
	return 0;
}

void ringset_close(struct ringset *rings)
{
	close_rings(rings);
	for (size_t i = 0; i < rings->count; i++) {
		free(rings->items[i].members);
		str_done(&rings->items[i].copy);
	}
	free(rings->items);
	*rings = (struct ringset){ 0 };
}

static void unmark_build_ids(struct str *records)
{
	size_t at = 0;

	while (records->size - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header *header = (void *)(records->text + at);

		if (header->size < sizeof(*header) || header->size % 8 ||
		    header->size > records->size - at)
			return;
		if (header->type == PERF_RECORD_MMAP2)
			header->misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
		at += header->size;
	}
}

size_t ringset_spans(const struct ringset *rings, size_t index, struct iovec spans[2])
{
	const struct ring *ring = &rings->items[index].ring;
	struct str *copy = &rings->items[index].copy;
	size_t count = ring->page ? ring_spans(ring, spans) : 0;

	if (count == 0 || !rings->has_inodes)
		return count;
	/* The ring itself is not ours to write to. */
	str_clear(copy);
	for (size_t i = 0; i < count; i++)
		str_add_bytes(copy, spans[i].iov_base, spans[i].iov_len);
	unmark_build_ids(copy);
	spans[0] = (struct iovec){ copy->text, copy->size };
	return 1;
}

void ringset_poll_set(const struct ringset *rings, struct pollfd *polls)
{
	for (size_t i = 0; i < rings->count; i++) {
		const struct ringset_ring *ring = &rings->items[i];
		bool over = ring->watched == ring->member_count;

		polls[i] = (struct pollfd){
			.fd = over ? -1 : rings->set->fds[ring->members[ring->watched]],
			.events = POLLIN,
		};
	}
}

bool ringset_poll_done(struct ringset *rings, const struct pollfd *polls)
{
	bool alive = false;

	for (size_t i = 0; i < rings->count; i++) {
		struct ringset_ring *ring = &rings->items[i];

		if (polls[i].revents & (POLLHUP | POLLERR))
			ring->watched++;
		alive |= ring->watched < ring->member_count;
	}
	return alive;
}
