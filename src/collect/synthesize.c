/* synthesize.c - see synthesize.h. */
#include "collect/synthesize.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/bpf-records.h"
#include "collect/eventset.h"
#include "collect/recordbuf.h"
#include "collect/staged.h"
#include "collect/target-records.h"
#include "collect/target.h"
#include "data/record.h"
#include "data/sample.h"
#include "event/eventlist.h"
#include "kernel/bpf-programs.h"
#include "kernel/cgroup.h"
#include "kernel/kerneltext.h"
#include "kernel/proc.h"
#include "kernel/procmaps.h"

enum {
	FLUSH_SIZE = 256 * 1024,
	ID_INDEX_MAX = 2000, /* entries of 32 bytes in one record */
};

struct synthesis {
	const struct synthesize_options *options;
	const struct eventset *set;
	struct recordbuf buf;
};

int synthesize_parse(const char *text, unsigned *ret_what, struct strobe_err *err)
{
	static const struct {
		const char *name;
		unsigned bits;
	} words[] = {
		{ "no", 0 },
		{ "all", SYNTHESIZE_ALL },
		{ "task", SYNTHESIZE_TASKS },
		{ "mmap", SYNTHESIZE_TASKS | SYNTHESIZE_MMAPS },
		{ "cgroup", SYNTHESIZE_CGROUPS },
	};
	struct str_part part;
	unsigned what = 0;

	while (str_split(&text, ',', &part)) {
		size_t i = 0, count = sizeof(words) / sizeof(words[0]);

		while (i < count && !str_part_is(part, words[i].name))
			i++;
		if (i == count)
			return err_set(err, -EINVAL,
				       "'%.*s' cannot be synthesized: no, all, task, mmap, cgroup",
				       (int)part.size, part.text);
		what |= words[i].bits;
	}
	*ret_what = what;
	return 0;
}

/* Which id belongs to which event, CPU and thread; several records if one has no room. */
static void add_id_index(struct synthesis *syn)
{
	const struct eventset *set = syn->set;
	size_t count = set->list->count * set->cpu_count * set->thread_count, at = 0;

	while (at < count) {
		size_t entries = 0;
		uint64_t nr;

		recordbuf_begin(&syn->buf, RECORD_ID_INDEX, 0);
		size_t nr_at = syn->buf.bytes.size;
		recordbuf_u64(&syn->buf, 0);
		for (; at < count && entries < ID_INDEX_MAX; at++) {
			size_t cpu = at / set->thread_count % set->cpu_count;

			if (set->fds[at] < 0)
				continue;
			recordbuf_u64(&syn->buf, set->ids[at]);
			recordbuf_u64(&syn->buf, at / set->thread_count / set->cpu_count);
			recordbuf_u64(&syn->buf, (uint64_t)(int64_t)set->target->cpus.items[cpu]);
			recordbuf_u64(
				&syn->buf,
				(uint64_t)(int64_t)set->target->tids.items[at % set->thread_count]);
			entries++;
		}
		nr = entries;
		memcpy(syn->buf.bytes.text + nr_at, &nr, sizeof(nr));
		recordbuf_end(&syn->buf);
	}
}

struct mapping {
	uint32_t pid, tid;
	uint64_t start, size, pgoff;
	uint32_t prot, flags, maj, min;
	uint64_t ino;
	const char *name;
	size_t build_id_size;
	uint8_t build_id[20];
};

static void add_mapping(struct synthesis *syn, const struct mapping *map, uint16_t misc)
{
	const uint8_t size[4] = { (uint8_t)map->build_id_size }; /* and reserved bytes */

	if (map->build_id_size)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	recordbuf_begin(&syn->buf, PERF_RECORD_MMAP2, misc);
	recordbuf_u32(&syn->buf, map->pid);
	recordbuf_u32(&syn->buf, map->tid);
	recordbuf_u64(&syn->buf, map->start);
	recordbuf_u64(&syn->buf, map->size);
	recordbuf_u64(&syn->buf, map->pgoff);
	if (map->build_id_size) {
		recordbuf_bytes(&syn->buf, size, sizeof(size));
		recordbuf_bytes(&syn->buf, map->build_id, sizeof(map->build_id));
	} else {
		recordbuf_u32(&syn->buf, map->maj);
		recordbuf_u32(&syn->buf, map->min);
		recordbuf_u64(&syn->buf, map->ino);
		recordbuf_u64(&syn->buf, 0);
	}
	recordbuf_u32(&syn->buf, map->prot);
	recordbuf_u32(&syn->buf, map->flags);
	recordbuf_string(&syn->buf, map->name);
	recordbuf_end_sideband(&syn->buf);
}

/* The kernel's own text: pid -1, and the address of the symbol in the name as the offset. */
static void add_kernel(struct synthesis *syn)
{
	struct kerneltext text;
	char name[64];

	if (kerneltext_load(NULL, &text) < 0)
		return;
	(void)snprintf(name, sizeof(name), "[kernel.kallsyms]%s", text.symbol);
	struct mapping map = { .pid = UINT32_MAX,
			       .start = text.start,
			       .size = text.end - text.start,
			       .pgoff = text.start,
			       .name = name };
	if (syn->options->build_id) {
		map.build_id_size = text.build_id_size;
		memcpy(map.build_id, text.build_id, sizeof(map.build_id));
	}
	add_mapping(syn, &map, PERF_RECORD_MISC_KERNEL);
}

static void add_modules(struct synthesis *syn)
{
	struct kerneltext_modules modules = { 0 };

	(void)kerneltext_modules_load(NULL, &modules);
	for (size_t i = 0; i < modules.count; i++) {
		const struct kerneltext_module *module = &modules.items[i];
		char name[4096];

		(void)snprintf(name, sizeof(name), "[%s]", module->name);
		struct mapping map = { .pid = UINT32_MAX,
				       .start = module->start,
				       .size = module->size,
				       .name = module->path ? module->path : name };
		if (syn->options->build_id) {
			map.build_id_size = module->build_id_size;
			memcpy(map.build_id, module->build_id, sizeof(map.build_id));
		}
		add_mapping(syn, &map, PERF_RECORD_MISC_KERNEL);
	}
	kerneltext_modules_done(&modules);
}

static void add_comm(struct synthesis *syn, const struct proc_task *task)
{
	recordbuf_begin(&syn->buf, PERF_RECORD_COMM, 0);
	recordbuf_u32(&syn->buf, (uint32_t)task->pid);
	recordbuf_u32(&syn->buf, (uint32_t)task->tid);
	recordbuf_string(&syn->buf, task->comm);
	recordbuf_end_sideband(&syn->buf);
}

/* A process comes from its parent, a thread from its process. */
static void add_fork(struct synthesis *syn, const struct proc_task *task)
{
	pid_t parent = task->tid == task->pid ? task->ppid : task->pid;

	recordbuf_begin(&syn->buf, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC);
	recordbuf_u32(&syn->buf, (uint32_t)task->pid);
	recordbuf_u32(&syn->buf, (uint32_t)parent);
	recordbuf_u32(&syn->buf, (uint32_t)task->tid);
	recordbuf_u32(&syn->buf, (uint32_t)parent);
	recordbuf_u64(&syn->buf, 0);
	recordbuf_end_sideband(&syn->buf);
}

static void add_namespaces(struct synthesis *syn, const struct proc_task *task)
{
	struct proc_namespace links[PROC_NAMESPACES];

	if (!syn->options->namespaces || proc_namespaces(NULL, task->tid, links) < 0)
		return;
	recordbuf_begin(&syn->buf, PERF_RECORD_NAMESPACES, 0);
	recordbuf_u32(&syn->buf, (uint32_t)task->pid);
	recordbuf_u32(&syn->buf, (uint32_t)task->tid);
	recordbuf_u64(&syn->buf, PROC_NAMESPACES);
	recordbuf_bytes(&syn->buf, links, sizeof(links));
	recordbuf_end_sideband(&syn->buf);
}

/* The names that the kernel's own MMAP2 records would have. */
static const char *map_name(const char *name)
{
	if (!*name || str_after(name, "/anon_hugepage") || str_after(name, "[anon:"))
		return "//anon";
	return name;
}

static void add_map_of(struct synthesis *syn, pid_t pid, const struct procmaps_entry *entry)
{
	struct mapping map = { .pid = (uint32_t)pid,
			       .tid = (uint32_t)pid,
			       .start = entry->start,
			       .size = entry->end - entry->start,
			       .pgoff = entry->pgoff,
			       .prot = entry->prot,
			       .flags = entry->flags,
			       .maj = entry->maj,
			       .min = entry->min,
			       .ino = entry->ino,
			       .name = map_name(entry->name) };
	bool code = entry->prot & PROT_EXEC;

	if (syn->options->build_id && code && entry->name[0] == '/' && entry->ino)
		map.build_id_size =
			syn->options->build_id(syn->options->context, pid, entry, map.build_id);
	add_mapping(syn, &map, PERF_RECORD_MISC_USER | (code ? 0 : PERF_RECORD_MISC_MMAP_DATA));
}

static void add_maps(struct synthesis *syn, pid_t pid)
{
	struct procmaps maps;
	struct procmaps_entry entry;

	if (!(syn->options->what & SYNTHESIZE_MMAPS) || procmaps_open(&maps, NULL, pid) < 0)
		return;
	while (procmaps_next(&maps, &entry))
		if ((entry.prot & PROT_EXEC) || syn->options->data_maps)
			add_map_of(syn, pid, &entry);
	procmaps_done(&maps);
}

/* A process with its threads; @parents: with FORK records, where all processes are written. */
static void add_process(struct synthesis *syn, pid_t pid, bool parents)
{
	_cleanup_(proc_ids_done) struct proc_ids threads = { 0 };

	if (proc_threads(NULL, pid, &threads) < 0)
		return;
	for (size_t i = 0; i < threads.count; i++) {
		struct proc_task task;

		if (proc_task(NULL, threads.items[i], &task) < 0)
			continue;
		task.pid = pid;
		if (parents || task.tid != pid)
			add_fork(syn, &task);
		add_namespaces(syn, &task);
		add_comm(syn, &task);
		if (task.tid == pid && !task.is_kernel && pid != syn->options->waiting)
			add_maps(syn, pid);
	}
}

static int flush(struct synthesis *syn, struct writer *writer, bool all, struct strobe_err *err)
{
	if (!all && syn->buf.bytes.size < FLUSH_SIZE)
		return 0;
	if (syn->options->stage)
		staged_show(syn->options->stage, str_text(&syn->buf.bytes), syn->buf.bytes.size);
	return recordbuf_flush(&syn->buf, writer, err);
}

static int add_processes(struct synthesis *syn, struct writer *writer, struct strobe_err *err)
{
	const struct target *target = syn->set->target;
	_cleanup_(proc_ids_done) struct proc_ids all = { 0 };
	const struct proc_ids *pids = target->all_cpus ? &all : &target->roots;
	int r = target->all_cpus ? proc_pids(NULL, &all) : 0;

	if (r < 0)
		return err_set(err, r, "cannot read /proc: %s", strerror(-r));
	for (size_t i = 0; r == 0 && i < pids->count; i++) {
		add_process(syn, pids->items[i], target->all_cpus);
		r = flush(syn, writer, false, err);
	}
	return r;
}

static void add_cgroup(void *context, uint64_t id, const char *path)
{
	struct synthesis *syn = context;

	recordbuf_begin(&syn->buf, PERF_RECORD_CGROUP, 0);
	recordbuf_u64(&syn->buf, id);
	recordbuf_string(&syn->buf, path);
	recordbuf_end_sideband(&syn->buf);
}

int synthesize_start(const struct synthesize_options *options, const struct eventset *set,
		     struct writer *writer, struct strobe_err *err)
{
	struct synthesis syn = { .options = options, .set = set };
	int r = 0;

	syn.buf.trailer_size = sample_trailer_size(&set->list->items[0].attr);
	add_id_index(&syn);
	if (options->kernel_map) {
		add_kernel(&syn);
		add_modules(&syn);
	}
	target_records_add(set->target, &syn.buf);
	if (options->bpf) {
		bpf_programs_load(options->bpf);
		bpf_records_add(options->bpf, &syn.buf);
	}
	if (options->cgroups && (options->what & SYNTHESIZE_CGROUPS))
		(void)cgroup_walk(NULL, add_cgroup, &syn);
	if (options->what & SYNTHESIZE_TASKS)
		r = add_processes(&syn, writer, err);
	if (r == 0) {
		recordbuf_begin(&syn.buf, RECORD_FINISHED_INIT, 0);
		recordbuf_end(&syn.buf);
		r = flush(&syn, writer, true, err);
	}
	recordbuf_done(&syn.buf);
	return r;
}
