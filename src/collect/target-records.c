/* target-records.c - see target-records.h. */
#include "collect/target-records.h"

#include <string.h>

#include "collect/recordbuf.h"
#include "collect/target.h"
#include "data/record.h"
#include "kernel/proc.h"

enum { THREAD_MAP_MAX = 2700 }; /* entries of 24 bytes */

static void add_thread_map(const struct target *target, struct recordbuf *buf)
{
	const struct proc_ids *tids = &target->tids;
	size_t count = tids->count < THREAD_MAP_MAX ? tids->count : THREAD_MAP_MAX;

	recordbuf_begin(buf, RECORD_THREAD_MAP, 0);
	recordbuf_u64(buf, count);
	for (size_t i = 0; i < count; i++) {
		char comm[16] = { 0 };
		struct proc_task task;

		if (tids->items[i] >= 0 && proc_task(NULL, tids->items[i], &task) == 0)
			memcpy(comm, task.comm, strnlen(task.comm, sizeof(comm) - 1));
		recordbuf_u64(buf, (uint64_t)(int64_t)tids->items[i]);
		recordbuf_bytes(buf, comm, sizeof(comm));
	}
	recordbuf_end(buf);
}

/* The oldest of the forms that readers know: a list (type 0) of 16-bit numbers. */
static void add_cpu_map(const struct target *target, struct recordbuf *buf)
{
	const struct cpus *cpus = &target->cpus;

	recordbuf_begin(buf, RECORD_CPU_MAP, 0);
	recordbuf_u16(buf, 0);
	recordbuf_u16(buf, (uint16_t)cpus->count);
	for (size_t i = 0; i < cpus->count; i++)
		recordbuf_u16(buf, (uint16_t)cpus->items[i]);
	recordbuf_end(buf);
}

void target_records_add(const struct target *target, struct recordbuf *buf)
{
	add_thread_map(target, buf);
	add_cpu_map(target, buf);
}
