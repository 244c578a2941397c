/* jit-dumps.c - see jit-dumps.h. */
#include "symbol/jit-dumps.h"

#include "base/hash.h"
#include "model/timeline.h"
#include "symbol/jit-dump.h"

struct kept_dump {
	uint64_t number; /* of its marker */
	uint32_t pid;
	uint32_t dso_id; /* of its code; 0 if it told of none */
	struct jit_dump *dump;
};

struct jit_dumps {
	const struct resolver_options *options;
	bool same_clock;
	struct kept_dump *items;
	size_t count, capacity;
	/* places in items: */
	struct hash by_number, by_dso;
	struct hash by_pid; /* the youngest */
};

struct jit_dumps *jit_dumps_new(const struct resolver_options *options, bool same_clock)
{
	struct jit_dumps *dumps = xnew(struct jit_dumps);

	dumps->options = options;
	dumps->same_clock = same_clock;
	return dumps;
}

static void drop_hashes(struct jit_dumps *dumps)
{
	hash_done(&dumps->by_number);
	hash_done(&dumps->by_dso);
	hash_done(&dumps->by_pid);
	dumps->by_number = dumps->by_dso = dumps->by_pid = (struct hash){ 0 };
}

void jit_dumps_free(struct jit_dumps *dumps)
{
	if (!dumps)
		return;
	for (size_t i = 0; i < dumps->count; i++)
		jit_dump_free(dumps->items[i].dump);
	free(dumps->items);
	drop_hashes(dumps);
	free(dumps);
}

static void note(struct jit_dumps *dumps, size_t i)
{
	const struct kept_dump *item = &dumps->items[i];

	hash_add(&dumps->by_number, item->number, NULL)->index = i;
	hash_add(&dumps->by_pid, item->pid, NULL)->index = i;
	if (item->dso_id != 0)
		hash_add(&dumps->by_dso, item->dso_id, NULL)->index = i;
}

static size_t add(struct jit_dumps *dumps, const struct timeline_dump *marker)
{
	const struct hash_entry *known = hash_find(&dumps->by_number, marker->number);

	if (known)
		return known->index;
	grow(dumps);
	dumps->items[dumps->count] = (struct kept_dump){
		.number = marker->number,
		.pid = marker->pid,
		.dump = jit_dump_new(dumps->options, marker, dumps->same_clock),
	};
	note(dumps, dumps->count);
	return dumps->count++;
}

void jit_dumps_update(struct jit_dumps *dumps, struct timeline *timeline)
{
	for (size_t i = 0; i < timeline_dump_count(timeline); i++) {
		const struct timeline_dump *marker = timeline_dump_at(timeline, i);
		size_t at = add(dumps, marker);
		const struct dso *dso = jit_dump_read(dumps->items[at].dump, marker, timeline);

		if (dso) {
			dumps->items[at].dso_id = dso->id;
			note(dumps, at);
		}
	}
}

void jit_dumps_forget(struct jit_dumps *dumps, const struct timeline *timeline)
{
	struct hash living = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < timeline_dump_count(timeline); i++)
		hash_add(&living, timeline_dump_at(timeline, i)->number, NULL);
	drop_hashes(dumps);
	for (size_t i = 0; i < dumps->count; i++) {
		if (!hash_find(&living, dumps->items[i].number)) {
			jit_dump_free(dumps->items[i].dump);
			continue;
		}
		dumps->items[kept] = dumps->items[i];
		note(dumps, kept++);
	}
	dumps->count = kept;
	hash_done(&living);
}

enum reason jit_dumps_reason(const struct jit_dumps *dumps, uint32_t pid)
{
	const struct hash_entry *entry = hash_find(&dumps->by_pid, pid);
	enum reason reason;

	if (!entry)
		return REASON_NONE;
	reason = jit_dump_state(dumps->items[entry->index].dump).reason;
	return reason ? reason : REASON_NOT_IN_DUMP;
}

size_t jit_dumps_count(const struct jit_dumps *dumps)
{
	return dumps->count;
}

struct jit_dumps_state jit_dumps_at(const struct jit_dumps *dumps, size_t i)
{
	return jit_dump_state(dumps->items[i].dump);
}

static struct jit_dump *find(const struct jit_dumps *dumps, const struct dso *dso)
{
	const struct hash_entry *entry = hash_find(&dumps->by_dso, dso->id);

	return entry ? dumps->items[entry->index].dump : NULL;
}

bool jit_dumps_line(struct jit_dumps *dumps, const struct dso *dso, uint64_t offset,
		    struct source_line *ret_line)
{
	struct jit_dump *dump = find(dumps, dso);

	return dump && jit_dump_line(dump, offset, ret_line);
}

const struct cfi *jit_dumps_cfi(struct jit_dumps *dumps, const struct dso *dso, uint64_t offset,
				uint64_t *ret_vaddr)
{
	struct jit_dump *dump = find(dumps, dso);

	return dump ? jit_dump_cfi(dump, offset, ret_vaddr) : NULL;
}

size_t jit_dumps_code(struct jit_dumps *dumps, const struct dso *dso, uint64_t offset, void *buffer,
		      size_t size, struct code_kind *ret_kind)
{
	struct jit_dump *dump = find(dumps, dso);

	return dump ? jit_dump_code(dump, offset, buffer, size, ret_kind) : 0;
}
