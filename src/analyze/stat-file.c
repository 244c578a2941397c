/* stat-file.c - see stat-file.h. */
#include "analyze/stat-file.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "data/countset.h"
#include "data/cpumap.h"
#include "data/datafile.h"
#include "data/events.h"
#include "data/feature.h"
#include "data/record.h"
#include "data/topology.h"
#include "format/event-name.h"

enum { MODEST_CELLS = 1 << 14 }; /* that no file has to justify */

/* perf's and ours: attr.type of what needs no counter. */
#define TOOL_TYPE UINT32_C(0xfffffffe)

/* "0-2,5" as numbers; how many. */
static size_t read_cpus(const char *text, int **ret_items)
{
	size_t count = 0, capacity = 0;
	uint64_t first, last;

	*ret_items = NULL;
	while (cpu_places_next_range(&text, &first, &last)) {
		for (; first <= last; first++) {
			if (count == capacity)
				*ret_items = xgrow(*ret_items, &capacity, sizeof(**ret_items));
			(*ret_items)[count++] = (int)first;
		}
	}
	return count;
}

/*
 * The CPUs of a CPU_MAP, ascending; without one, and where any CPU is meant, the one entry -1.
 * There is one record of it; more could make much of a small file.
 */
static void take_cpus(struct stat_file *stat, const struct perf_event_header *header)
{
	const char *text = cpumap_text(header + 1, header->size - sizeof(*header), &stat->arena);
	_cleanup_(freep) int *items = NULL;
	size_t count = read_cpus(text, &items);
	int *cpus;

	if (count == 0)
		return;
	cpus = arena_alloc(&stat->arena, count * sizeof(*cpus));
	memcpy(cpus, items, count * sizeof(*cpus));
	stat->setup.cpus = cpus;
	stat->setup.cpu_count = count;
}

static void take_threads(struct stat_file *stat, const struct perf_event_header *header)
{
	const struct stat_record_threads *from = (const void *)header;
	size_t count = stat_record_thread_count(header);
	struct stat_thread *threads;

	if (count == 0) {
		stat->skipped_count++;
		return;
	}
	threads = arena_alloc(&stat->arena, count * sizeof(*threads));
	for (size_t i = 0; i < count; i++)
		threads[i] = (struct stat_thread){
			.tid = (pid_t)from->items[i].tid,
			.comm = arena_strndup(&stat->arena, from->items[i].comm,
					      sizeof(from->items[i].comm)),
		};
	stat->setup.threads = threads;
	stat->setup.thread_count = count;
}

/* What stands before the first count. */
static bool take_start(struct stat_file *stat)
{
	struct datafile_cursor cursor = datafile_begin(stat->file);
	struct record record;
	bool is_stat = false, has_cpus = false, has_threads = false;

	while (datafile_next(&cursor, &record)) {
		switch (record.header->type) {
		case RECORD_CPU_MAP:
			if (!has_cpus)
				take_cpus(stat, record.header);
			has_cpus = true;
			break;
		case RECORD_THREAD_MAP:
			if (!has_threads)
				take_threads(stat, record.header);
			has_threads = true;
			break;
		case RECORD_STAT_CONFIG:
			is_stat = true;
			if (!stat_record_settings_decode(record.header, &stat->settings))
				stat->skipped_count++;
			break;
		case RECORD_STAT:
		case RECORD_STAT_ROUND:
			return true;
		default:
			break;
		}
	}
	return is_stat;
}

static const char *name_of(struct stat_file *stat, const struct event_desc *desc)
{
	_cleanup_(str_done) struct str name = { 0 };

	event_name_add_desc(&name, desc);
	return arena_strdup(&stat->arena, str_text(&name));
}

/* An event without ids is one that the recorder could not open. */
static void take_events(struct stat_file *stat)
{
	const struct events *events = datafile_events(stat->file);
	size_t count = events_count(events);
	struct stat_event *items = arena_alloc(&stat->arena, (count + 1) * sizeof(*items));

	for (size_t i = 0; i < count; i++) {
		const struct event_desc *desc = events_at(events, i);

		items[i] = (struct stat_event){
			.name = name_of(stat, desc),
			.attr = desc->attr,
			.cgroup = desc->cgroup,
			.unit = desc->unit,
			.scale = desc->scale,
			.first_alike = i,
			.leader = desc->leader,
			.is_tool = desc->attr.type == TOOL_TYPE,
			.refused = desc->id_count == 0 ? -ENOENT : 0,
		};
		if (items[i].refused) {
			items[i].reason = "it could not be counted where it was recorded";
			items[i].hint = "";
		}
	}
	stat->setup.events = items;
	stat->setup.event_count = count;
}

static void take_places(struct stat_file *stat, int cache_level)
{
	bool foreign = datafile_header(stat->file)->foreign;
	struct feature_nrcpus cpus = { 0 };
	struct machine_topology topology = { 0 };
	struct machine_numa numa = { 0 };
	struct machine_caches caches = { 0 };
	const void *bytes;
	size_t size;

	bytes = datafile_feature(stat->file, FEATURE_NRCPUS, &size);
	if (bytes)
		(void)feature_nrcpus_decode(bytes, size, foreign, &cpus);
	bytes = datafile_feature(stat->file, FEATURE_CPU_TOPOLOGY, &size);
	if (bytes)
		(void)topology_cpus_decode(bytes, size, foreign, cpus.available, &stat->arena,
					   &topology);
	bytes = datafile_feature(stat->file, FEATURE_NUMA_TOPOLOGY, &size);
	if (bytes)
		(void)topology_numa_decode(bytes, size, foreign, &stat->arena, &numa);
	bytes = datafile_feature(stat->file, FEATURE_CACHE, &size);
	if (bytes)
		(void)topology_cache_decode(bytes, size, foreign, &stat->arena, &caches);
	cpu_places_init(&stat->places, &topology, &numa, &caches, cache_level, NULL);
	stat->setup.places = &stat->places;
}

static void take_command(struct stat_file *stat)
{
	size_t size;
	const void *bytes = datafile_feature(stat->file, FEATURE_CMDLINE, &size);

	if (bytes)
		(void)feature_cmdline_decode(bytes, size, datafile_header(stat->file)->foreign,
					     &stat->arena, &stat->command);
}

static enum stat_by by_of(enum stat_record_by by)
{
	static const enum stat_by bys[] = {
		[STAT_RECORD_BY_CPU] = STAT_BY_CPU,
		[STAT_RECORD_BY_ALL] = STAT_BY_ALL,
		[STAT_RECORD_BY_SOCKET] = STAT_BY_SOCKET,
		[STAT_RECORD_BY_DIE] = STAT_BY_DIE,
		[STAT_RECORD_BY_CLUSTER] = STAT_BY_CLUSTER,
		[STAT_RECORD_BY_CACHE] = STAT_BY_CACHE,
		[STAT_RECORD_BY_CORE] = STAT_BY_CORE,
		[STAT_RECORD_BY_THREAD] = STAT_BY_THREAD,
		[STAT_RECORD_BY_NODE] = STAT_BY_NODE,
	};

	return bys[by];
}

/* What the file says of its size must fit to how many counts it can hold at most. */
static bool is_bearable(const struct stat_file *stat)
{
	const struct stat_setup *setup = &stat->setup;
	uint64_t cells = (uint64_t)setup->cpu_count * setup->thread_count, room = MODEST_CELLS;
	uint64_t counts = datafile_header(stat->file)->file_size / sizeof(struct stat_record_count);

	room = counts > room ? counts : room;
	return setup->event_count == 0 || cells <= room / setup->event_count;
}

int stat_file_init(struct stat_file *stat, const struct datafile *file, int cache_level,
		   struct strobe_err *err)
{
	static const int any_cpu[] = { -1 };
	static const struct stat_thread all_threads[] = { { -1, "" } };

	*stat = (struct stat_file){ .file = file,
				    .settings.by = STAT_RECORD_BY_ALL,
				    .setup = { .cpus = any_cpu,
					       .cpu_count = 1,
					       .threads = all_threads,
					       .thread_count = 1 } };
	if (!take_start(stat)) {
		arena_done(&stat->arena);
		err_set(err, -EINVAL, "this is no recording of counts");
		return err_hint(err, -EINVAL,
				"strobe stat record makes one; strobe report reads profiles");
	}
	take_events(stat);
	if (!is_bearable(stat)) {
		arena_done(&stat->arena);
		return err_set(err, -EBADMSG, "it has more CPUs and threads than counts");
	}
	take_places(stat, cache_level);
	take_command(stat);
	stat->setup.by = by_of(stat->settings.by);
	stat->setup.no_scale = stat->settings.no_scale;
	return 0;
}

void stat_file_done(struct stat_file *stat)
{
	cpu_places_done(&stat->places);
	arena_done(&stat->arena);
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

static size_t cpu_index(const struct stat_setup *setup, int cpu)
{
	const int *found = bsearch(&cpu, setup->cpus, setup->cpu_count, sizeof(cpu), by_number);

	if (found)
		return (size_t)(found - setup->cpus);
	/* Where any CPU will do, each does. */
	return setup->cpu_count == 1 && setup->cpus[0] < 0 ? 0 : SIZE_MAX;
}

static bool take_count(struct stat_file *stat, const struct perf_event_header *header,
		       struct countset *counts)
{
	const struct stat_record_count *from = (const void *)header;
	const struct event_desc *desc;
	size_t cpu;

	if (!record_fits(header, sizeof(*from)))
		return false;
	desc = events_find_id(datafile_events(stat->file), from->id);
	cpu = cpu_index(&stat->setup, from->cpu < 0 ? -1 : from->cpu);
	/* A tool event stands where the first CPU has its counter. */
	if (from->cpu < 0 && cpu == SIZE_MAX)
		cpu = 0;
	if (!desc || cpu == SIZE_MAX || from->thread >= stat->setup.thread_count)
		return false;
	*countset_at(counts, desc->index, cpu, from->thread) =
		(struct count){ from->value, from->enabled_ns, from->running_ns, true };
	return true;
}

int stat_file_walk(struct stat_file *stat, stat_file_round *visit, void *context)
{
	struct datafile_cursor cursor = datafile_begin(stat->file);
	const struct stat_setup *setup = &stat->setup;
	_cleanup_(countset_done) struct countset counts = { 0 };
	struct record record;
	int r = 0;

	countset_init(&counts, setup->event_count, setup->cpu_count, setup->thread_count);
	while (r == 0 && datafile_next(&cursor, &record)) {
		const struct stat_record_round *round = (const void *)record.header;

		if (record.header->type == RECORD_STAT) {
			stat->skipped_count += !take_count(stat, record.header, &counts);
		} else if (record.header->type == RECORD_STAT_ROUND) {
			if (record_fits(record.header, sizeof(*round)))
				r = visit(context, &counts, round->time_ns,
					  round->type == STAT_RECORD_FINAL);
			else
				stat->skipped_count++;
		}
	}
	return r;
}
