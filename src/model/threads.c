/* threads.c - see threads.h. */
#include "model/threads.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/strings.h"

struct name {
	struct instant at;
	const char *comm; /* NULL: not known from here on */
	size_t life;      /* index in lives: whose name it is */
};

/* All that one number was. */
struct threads_number {
	size_t life; /* the youngest: index in lives */
	struct name *items;
	size_t count, capacity;
};

static size_t add_life(struct threads *threads, const struct threads_life *life)
{
	if (!threads->lives || threads->count == threads->capacity)
		threads->lives = xgrow(threads->lives, &threads->capacity, sizeof(*threads->lives));
	threads->lives[threads->count] = *life;
	return threads->count++;
}

static struct threads_number *find(const struct threads *threads, uint32_t tid)
{
	struct hash_entry *entry = hash_find(&threads->by_tid, tid);

	return entry ? &threads->numbers[entry->index] : NULL;
}

/* Numbers may move when the next is added. */
static struct threads_number *add_number(struct threads *threads, const struct threads_life *life)
{
	if (threads->number_count == threads->number_capacity)
		threads->numbers = xgrow(threads->numbers, &threads->number_capacity,
					 sizeof(*threads->numbers));
	hash_add(&threads->by_tid, life->tid, NULL)->index = threads->number_count;
	threads->numbers[threads->number_count] =
		(struct threads_number){ .life = add_life(threads, life) };
	return &threads->numbers[threads->number_count++];
}

static struct threads_number *number(struct threads *threads, uint32_t pid, uint32_t tid)
{
	struct threads_number *found = find(threads, tid);
	struct threads_life unborn = { pid, tid, UINT32_MAX, UINT32_MAX, 0, UINT64_MAX, NULL };

	if (!found)
		return add_number(threads, &unborn);
	if (threads->lives[found->life].pid != pid) /* its FORK was lost */
		found->life = add_life(threads, &unborn);
	return found;
}

static void add_name(struct threads_number *number, const char *comm, struct instant at)
{
	size_t count = number->count;

	if (count > 0 && number->items[count - 1].comm == comm &&
	    number->items[count - 1].life == number->life)
		return;
	grow(number);
	number->items[number->count++] = (struct name){ at, comm, number->life };
}

void threads_seen(struct threads *threads, uint32_t pid, uint32_t tid)
{
	(void)number(threads, pid, tid);
}

/* Recorders with several events get a FORK for each. */
static bool is_repeated(const struct threads_life *life, const struct threads_life *child)
{
	return life->gone == UINT64_MAX && life->pid == child->pid && life->ppid == child->ppid &&
	       life->ptid == child->ptid;
}

void threads_fork(struct threads *threads, const struct threads_life *child, struct instant at,
		  bool synthesized)
{
	struct threads_number *own = find(threads, child->tid);
	const char *comm = threads_comm(threads, child->ptid, at);
	struct threads_life *life = own ? &threads->lives[own->life] : NULL;

	if (life && is_repeated(life, child))
		return;
	if (life && synthesized) {
		if (life->ppid == UINT32_MAX && life->pid == child->pid) {
			life->ppid = child->ppid;
			life->ptid = child->ptid;
		}
		return;
	}
	if (own)
		own->life = add_life(threads, child);
	else
		own = add_number(threads, child);
	threads->lives[own->life].comm = comm;
	add_name(own, comm, at);
}

void threads_exit(struct threads *threads, uint32_t pid, uint32_t tid, struct instant at)
{
	size_t life = number(threads, pid, tid)->life; /* which may move lives */

	threads->lives[life].gone = at.moment;
}

void threads_name(struct threads *threads, uint32_t pid, uint32_t tid, const char *comm,
		  struct instant at)
{
	struct threads_number *own = number(threads, pid, tid);

	threads->lives[own->life].comm = comm;
	add_name(own, comm, at);
}

/* The name of a number at an instant, NULL if none was told until then. */
static const struct name *name_at(const struct threads_number *own, struct instant at)
{
	size_t low = 0, high = own ? own->count : 0;

	while (low < high) { /* items[low - 1].at <= at < items[high].at */
		size_t middle = low + (high - low) / 2;

		if (instant_before(at, own->items[middle].at))
			high = middle;
		else
			low = middle + 1;
	}
	return low > 0 ? &own->items[low - 1] : NULL;
}

const char *threads_comm(const struct threads *threads, uint32_t tid, struct instant at)
{
	const struct name *name = name_at(find(threads, tid), at);

	return name ? name->comm : NULL;
}

const char *threads_comm_span(const struct threads *threads, uint32_t tid, uint64_t moment,
			      uint64_t *ret_from, uint64_t *ret_until)
{
	const struct threads_number *own = find(threads, tid);
	const struct name *name = name_at(own, instant_after(moment));
	size_t next = own && name ? (size_t)(name - own->items) + 1 : 0;

	*ret_from = name ? name->at.moment : 0;
	*ret_until = own && next < own->count ? own->items[next].at.moment : UINT64_MAX;
	return name ? name->comm : NULL;
}

const char *threads_last_comm(const struct threads *threads, uint32_t tid, struct instant at)
{
	const struct threads_number *own = find(threads, tid);
	const struct name *name = name_at(own, at);

	if (!name && own && own->count > 0)
		name = &own->items[0]; /* it is not told yet, and there already */
	return name ? threads->lives[name->life].comm : NULL;
}

const char *threads_first_comm(const struct threads *threads, uint32_t tid)
{
	const struct threads_number *own = find(threads, tid);

	return own && own->count > 0 ? own->items[0].comm : NULL;
}

bool threads_has(const struct threads *threads, uint32_t tid)
{
	return find(threads, tid) != NULL;
}

/* Processes that have a thread which may still be asked for. */
static void find_living(const struct threads *threads, uint64_t before, struct hash *pids)
{
	for (size_t i = 0; i < threads->number_count; i++) {
		const struct threads_life *life = &threads->lives[threads->numbers[i].life];

		if (life->gone >= before)
			(void)hash_add(pids, life->pid, NULL);
	}
}

static struct threads_life keep_life(const struct threads_life *life, struct strings *texts)
{
	struct threads_life copy = *life;

	if (copy.comm)
		copy.comm = strings_keep(texts, copy.comm);
	return copy;
}

/* The names of the last life, whose number is there, and of others that may still be asked for. */
static void keep_names(const struct threads *threads, const struct threads_number *old,
		       uint64_t before, struct threads *kept, struct threads_number *number,
		       struct strings *texts)
{
	size_t from = old->life, to = number->life;

	for (size_t i = 0; i < old->count; i++) {
		const struct name *name = &old->items[i];

		if (i + 1 < old->count && old->items[i + 1].at.moment < before)
			continue;
		if (name->life != from) {
			struct threads_life life = keep_life(&threads->lives[name->life], texts);

			from = name->life;
			to = from == old->life ? number->life : add_life(kept, &life);
		}
		grow(number);
		number->items[number->count++] =
			(struct name){ name->at,
				       name->comm ? strings_keep(texts, name->comm) : NULL, to };
	}
}

void threads_forget(struct threads *threads, uint64_t before, struct strings *texts)
{
	struct threads kept = { 0 };
	struct hash pids = { 0 };

	find_living(threads, before, &pids);
	for (size_t i = 0; i < threads->number_count; i++) {
		const struct threads_number *old = &threads->numbers[i];
		const struct threads_life *last = &threads->lives[old->life];
		struct threads_life life;

		/* The first thread has the name of its process, and may end before the others. */
		if (last->gone < before && !(last->tid == last->pid && hash_find(&pids, last->pid)))
			continue;
		life = keep_life(last, texts);
		keep_names(threads, old, before, &kept, add_number(&kept, &life), texts);
	}
	hash_done(&pids);
	threads_done(threads);
	*threads = kept;
}

void threads_done(struct threads *threads)
{
	for (size_t i = 0; i < threads->number_count; i++)
		free(threads->numbers[i].items);
	free(threads->numbers);
	free(threads->lives);
	hash_done(&threads->by_tid);
	*threads = (struct threads){ 0 };
}
