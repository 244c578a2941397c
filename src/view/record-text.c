/* record-text.c - see record-text.h. */
#include "view/record-text.h"

#include <inttypes.h>
#include <sys/mman.h>

#include "base/str.h"
#include "data/record.h"

/* perf prints 0 for zero where %#x is asked for, as printf does, in 64 bits. */
#define HEX "%#" PRIx64

/* A name that is the rest of a record. */
static void add_name(const struct record *record, const char *s, struct str *out)
{
	const char *name = record_string(record->header, s);
	size_t begin = out->size;

	str_add(out, name ? name : "");
	str_one_line(out, begin);
}

static void add_mmap(const struct record *record, struct str *out)
{
	const struct record_mmap *map = (const void *)record->header;

	str_addf(out, " %" PRId32 "/%" PRId32 ": [" HEX "(" HEX ") @ " HEX "]: %c ",
		 (int32_t)map->pid, (int32_t)map->tid, map->start, map->size, map->pgoff,
		 map->header.misc & PERF_RECORD_MISC_MMAP_DATA ? 'r' : 'x');
	add_name(record, map->filename, out);
}

static void add_mmap2(const struct record *record, struct str *out)
{
	const struct record_mmap2 *map = (const void *)record->header;

	str_addf(out, " %" PRId32 "/%" PRId32 ": [" HEX "(" HEX ") @ " HEX " ", (int32_t)map->pid,
		 (int32_t)map->tid, map->start, map->size, map->pgoff);
	if (record_has_build_id(map)) {
		str_add_char(out, '<');
		for (size_t i = 0; i < map->build_id_size; i++)
			str_addf(out, "%02x", map->build_id[i]);
		str_add(out, ">]: ");
	} else {
		str_addf(out, "%02" PRIx32 ":%02" PRIx32 " %" PRIu64 " %" PRIu64 "]: ", map->maj,
			 map->min, map->ino, map->ino_generation);
	}
	str_addf(out, "%c%c%c%c ", map->prot & PROT_READ ? 'r' : '-',
		 map->prot & PROT_WRITE ? 'w' : '-', map->prot & PROT_EXEC ? 'x' : '-',
		 map->flags & MAP_SHARED ? 's' : 'p');
	add_name(record, map->filename, out);
}

static void add_comm(const struct record *record, struct str *out)
{
	const struct record_comm *comm = (const void *)record->header;

	str_add(out, comm->header.misc & PERF_RECORD_MISC_COMM_EXEC ? " exec: " : ": ");
	add_name(record, comm->comm, out);
	str_addf(out, ":%" PRId32 "/%" PRId32, (int32_t)comm->pid, (int32_t)comm->tid);
}

static void add_task(const struct record *record, struct str *out)
{
	const struct record_task *task = (const void *)record->header;

	str_addf(out, "(%" PRId32 ":%" PRId32 "):(%" PRId32 ":%" PRId32 ")", (int32_t)task->pid,
		 (int32_t)task->tid, (int32_t)task->ppid, (int32_t)task->ptid);
}

static void add_lost(const struct record *record, struct str *out)
{
	const struct record_lost *lost = (const void *)record->header;

	str_addf(out, " lost %" PRIu64, lost->lost);
}

static void add_lost_samples(const struct record *record, struct str *out)
{
	const struct record_lost_samples *lost = (const void *)record->header;

	str_addf(out, " lost %" PRIu64, lost->lost);
}

static void add_switch(const struct record *record, struct str *out)
{
	const struct record_switch_cpu_wide *wide = (const void *)record->header;
	uint16_t misc = record->header->misc;
	bool leaves = misc & PERF_RECORD_MISC_SWITCH_OUT;

	str_addf(out, " %s",
		 !leaves                                      ? "IN         "
		 : misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt"
							      : "OUT        ");
	if (record->header->type == PERF_RECORD_SWITCH_CPU_WIDE)
		str_addf(out, "  %s pid/tid: %5" PRId32 "/%-5" PRId32, leaves ? "next" : "prev",
			 (int32_t)wide->next_prev_pid, (int32_t)wide->next_prev_tid);
}

static void add_namespaces(const struct record *record, struct str *out)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	const struct record_namespaces *spaces = (const void *)record->header;
	uint64_t room = (record->header->size - sizeof(*spaces)) / sizeof(spaces->links[0]);
	uint64_t count = spaces->count < room ? spaces->count : room;

	str_addf(out, " %" PRId32 "/%" PRId32 " - nr_namespaces: %" PRIu64 "\n\t\t[",
		 (int32_t)spaces->pid, (int32_t)spaces->tid, spaces->count);
	for (uint64_t i = 0; i < count; i++) {
		if (i > 0 && i % 4 == 0)
			str_add(out, "\n\t\t ");
		str_addf(out, "%" PRIu64 "/%s: %" PRIu64 "/" HEX "%s", i,
			 i < sizeof(names) / sizeof(names[0]) ? names[i] : "unknown",
			 spaces->links[i].dev, spaces->links[i].ino, i + 1 < count ? ", " : "]");
	}
}

static void add_ksymbol(const struct record *record, struct str *out)
{
	const struct record_ksymbol *symbol = (const void *)record->header;

	str_addf(out, " addr %" PRIx64 " len %" PRIu32 " type %u flags 0x%x name ", symbol->addr,
		 symbol->size, symbol->ksym_type, symbol->flags);
	add_name(record, symbol->name, out);
}

static void add_bpf(const struct record *record, struct str *out)
{
	const struct record_bpf_event *bpf = (const void *)record->header;

	str_addf(out, " type %u, flags %u, id %" PRIu32, bpf->type, bpf->flags, bpf->id);
}

static void add_cgroup(const struct record *record, struct str *out)
{
	const struct record_cgroup *cgroup = (const void *)record->header;

	str_addf(out, " cgroup: %" PRIu64 " ", cgroup->id);
	add_name(record, cgroup->path, out);
}

static void add_text_poke(const struct record *record, struct str *out)
{
	const struct record_text_poke *poke = (const void *)record->header;

	str_addf(out, " addr %" PRIx64 " old len %u new len %u", poke->addr, poke->old_size,
		 poke->new_size);
}

static const struct {
	uint16_t type;
	void (*add)(const struct record *record, struct str *out);
} texts[] = {
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

void record_text(const struct record *record, struct str *out)
{
	const char *name = record_type_name(record->header->type);

	str_addf(out, "PERF_RECORD_%s", name ? name : "UNKNOWN");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].type == record->header->type &&
		    record_fits(record->header, record_view_size(record->header->type)))
			texts[i].add(record, out);
	}
	str_add_char(out, '\n');
}
