/* record-json.c - see record-json.h. */
#include "view/record-json.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/json.h"
#include "data/record.h"

static void add_ids(struct json *json, uint32_t pid, uint32_t tid)
{
	json_i64(json, "pid", (int32_t)pid);
	json_i64(json, "tid", (int32_t)tid);
}

/* A name that does not end in the record is null. */
static void add_name(struct json *json, const char *name, const struct record *record,
		     const char *text)
{
	json_text(json, name, record_string(record->header, text));
}

static void add_range(struct json *json, uint64_t start, uint64_t size, uint64_t offset)
{
	json_addr(json, "start", start);
	json_u64(json, "size", size);
	json_addr(json, "offset", offset);
}

static void add_mmap(struct json *json, const struct record *record)
{
	const struct record_mmap *map = (const void *)record->header;

	add_ids(json, map->pid, map->tid);
	add_range(json, map->start, map->size, map->pgoff);
	json_bool(json, "exec", !(map->header.misc & PERF_RECORD_MISC_MMAP_DATA));
	add_name(json, "filename", record, map->filename);
}

static void add_mmap2(struct json *json, const struct record *record)
{
	const struct record_mmap2 *map = (const void *)record->header;

	add_ids(json, map->pid, map->tid);
	add_range(json, map->start, map->size, map->pgoff);
	if (record_has_build_id(map)) {
		json_hex(json, "build_id", map->build_id, map->build_id_size);
	} else {
		json_u64(json, "major", map->maj);
		json_u64(json, "minor", map->min);
		json_u64(json, "inode", map->ino);
		json_u64(json, "inode_generation", map->ino_generation);
	}
	json_bool(json, "read", map->prot & PROT_READ);
	json_bool(json, "write", map->prot & PROT_WRITE);
	json_bool(json, "exec", map->prot & PROT_EXEC);
	json_bool(json, "shared", map->flags & MAP_SHARED);
	add_name(json, "filename", record, map->filename);
}

static void add_comm(struct json *json, const struct record *record)
{
	const struct record_comm *comm = (const void *)record->header;

	add_ids(json, comm->pid, comm->tid);
	json_bool(json, "exec", comm->header.misc & PERF_RECORD_MISC_COMM_EXEC);
	add_name(json, "comm", record, comm->comm);
}

static void add_task(struct json *json, const struct record *record)
{
	const struct record_task *task = (const void *)record->header;

	add_ids(json, task->pid, task->tid);
	json_i64(json, "parent_pid", (int32_t)task->ppid);
	json_i64(json, "parent_tid", (int32_t)task->ptid);
}

static void add_lost(struct json *json, const struct record *record)
{
	const struct record_lost *lost = (const void *)record->header;

	json_u64(json, "lost", lost->lost);
}

static void add_lost_samples(struct json *json, const struct record *record)
{
	const struct record_lost_samples *lost = (const void *)record->header;

	json_u64(json, "lost", lost->lost);
}

static void add_switch(struct json *json, const struct record *record)
{
	const struct record_switch_cpu_wide *wide = (const void *)record->header;
	uint16_t misc = record->header->misc;

	json_bool(json, "out", misc & PERF_RECORD_MISC_SWITCH_OUT);
	json_bool(json, "preempted", misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	if (record->header->type == PERF_RECORD_SWITCH_CPU_WIDE) {
		json_i64(json, "other_pid", (int32_t)wide->next_prev_pid);
		json_i64(json, "other_tid", (int32_t)wide->next_prev_tid);
	}
}

static void add_namespaces(struct json *json, const struct record *record)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	const struct record_namespaces *spaces = (const void *)record->header;
	uint64_t room = (record->header->size - sizeof(*spaces)) / sizeof(spaces->links[0]);
	uint64_t count = spaces->count < room ? spaces->count : room;

	add_ids(json, spaces->pid, spaces->tid);
	json_begin_list(json, "links");
	for (uint64_t i = 0; i < count; i++) {
		json_begin(json, NULL);
		json_text(json, "name", i < sizeof(names) / sizeof(names[0]) ? names[i] : NULL);
		json_u64(json, "device", spaces->links[i].dev);
		json_u64(json, "inode", spaces->links[i].ino);
		json_end(json);
	}
	json_end_list(json);
}

static void add_ksymbol(struct json *json, const struct record *record)
{
	const struct record_ksymbol *symbol = (const void *)record->header;

	json_addr(json, "addr", symbol->addr);
	json_u64(json, "size", symbol->size);
	json_u64(json, "kind", symbol->ksym_type);
	json_u64(json, "flags", symbol->flags);
	add_name(json, "name", record, symbol->name);
}

static void add_bpf(struct json *json, const struct record *record)
{
	const struct record_bpf_event *bpf = (const void *)record->header;

	json_u64(json, "kind", bpf->type);
	json_u64(json, "flags", bpf->flags);
	json_u64(json, "id", bpf->id);
	json_hex(json, "tag", bpf->tag, sizeof(bpf->tag));
}

static void add_cgroup(struct json *json, const struct record *record)
{
	const struct record_cgroup *cgroup = (const void *)record->header;

	json_u64(json, "id", cgroup->id);
	add_name(json, "path", record, cgroup->path);
}

static void add_text_poke(struct json *json, const struct record *record)
{
	const struct record_text_poke *poke = (const void *)record->header;

	json_addr(json, "addr", poke->addr);
	json_u64(json, "old_size", poke->old_size);
	json_u64(json, "new_size", poke->new_size);
}

static const struct {
	uint16_t type;
	void (*add)(struct json *json, const struct record *record);
} bodies[] = {
	{ PERF_RECORD_MMAP, add_mmap },
	{ PERF_RECORD_MMAP2, add_mmap2 },
	{ PERF_RECORD_COMM, add_comm },
	{ PERF_RECORD_FORK, add_task },
	{ PERF_RECORD_EXIT, add_task },
	{ PERF_RECORD_LOST, add_lost },
	{ PERF_RECORD_LOST_SAMPLES, add_lost_samples },
	{ PERF_RECORD_SWITCH, add_switch },
	{ PERF_RECORD_SWITCH_CPU_WIDE, add_switch },
	{ PERF_RECORD_NAMESPACES, add_namespaces },
	{ PERF_RECORD_KSYMBOL, add_ksymbol },
	{ PERF_RECORD_BPF_EVENT, add_bpf },
	{ PERF_RECORD_CGROUP, add_cgroup },
	{ PERF_RECORD_TEXT_POKE, add_text_poke },
};

void record_json_body(struct json *json, const struct record *record)
{
	json_begin(json, "body");
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		if (bodies[i].type == record->header->type &&
		    record_fits(record->header, record_view_size(record->header->type)))
			bodies[i].add(json, record);
	}
	json_end(json);
}
