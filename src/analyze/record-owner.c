/* record-owner.c - see record-owner.h. */
#include "analyze/record-owner.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "data/record.h"
#include "model/timeline.h"

/* The thread that a record tells about, where it names one itself. */
static uint32_t thread_of(const struct record *record, const struct sample *trailer)
{
	uint32_t ids[4];

	if (!record_fits(record->header, sizeof(*record->header) + sizeof(ids)))
		return trailer->tid;
	memcpy(ids, record->header + 1, sizeof(ids));
	switch (record->header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		return ids[1];
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: /* pid, ppid, tid, ptid */
		return ids[2];
	default:
		return trailer->tid;
	}
}

struct sample record_owner_trailer(const struct record *record, const struct sample *trailer)
{
	struct sample shown = *trailer;

	if (!(trailer->has & PERF_SAMPLE_TID))
		shown.pid = shown.tid = 0;
	if (!(trailer->has & PERF_SAMPLE_CPU))
		shown.cpu = 0;
	shown.misc = record->header->misc;
	return shown;
}

void record_owner_name(const struct timeline *timeline, const struct record *record,
		       const struct sample *trailer, uint64_t moment, struct str *out)
{
	uint32_t tid = thread_of(record, trailer);
	struct instant at = { moment, record->offset };
	const char *comm =
		tid == 0 || tid == UINT32_MAX ? "swapper" : timeline_comm_at(timeline, tid, at);

	if (comm)
		str_add(out, comm);
	else
		str_addf(out, ":%" PRId32, (int32_t)tid);
}
