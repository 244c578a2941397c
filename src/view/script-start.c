/* script-start.c - see script-start.h. */
#include "view/script-start.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "data/sample.h"

#define NSEC_PER_SEC UINT64_C(1000000000)

/* The letters of PERF_RECORD_MISC_* bits, which differ from record type to record type. */
static void add_misc(uint32_t type, uint16_t misc, struct str *out)
{
	static const char mode[] = "-KUHGg??"; /* by PERF_RECORD_MISC_CPUMODE_MASK */
	size_t start = out->size;
	char letter = mode[misc & PERF_RECORD_MISC_CPUMODE_MASK];

	if (letter != '-')
		str_add_char(out, letter);
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (misc & PERF_RECORD_MISC_MMAP_DATA)
			str_add_char(out, 'M');
		break;
	case PERF_RECORD_COMM:
		if (misc & PERF_RECORD_MISC_COMM_EXEC)
			str_add_char(out, 'E');
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (misc & PERF_RECORD_MISC_SWITCH_OUT)
			str_add_char(out, 'S');
		if (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			str_add_char(out, 'p');
		break;
	}
	if (out->size - start < 6)
		str_add_repeat(out, ' ', 6 - (out->size - start));
}

/* "%*d " */
static void add_id(struct str *out, uint32_t id, size_t width)
{
	if ((int32_t)id < 0)
		str_addf(out, "%*" PRId32, (int)width, (int32_t)id);
	else
		str_add_decimal(out, id, width, ' ');
}

static void add_comm(const struct script_text *text, const char *comm, bool chain_follows,
		     struct str *out)
{
	enum { LATENCY_WIDTH = 8 };
	size_t begin = out->size;

	if (text->latency)
		str_addf(out, "%*.*s", LATENCY_WIDTH, LATENCY_WIDTH, comm);
	else
		str_add_right(out, comm, chain_follows ? 0 : 16);
	str_one_line(out, begin);
	str_add_char(out, ' ');
}

static void add_cpu(const struct script_text *text, uint32_t cpu, struct str *out)
{
	if (text->latency) {
		str_addf(out, "%3" PRId32 " ", (int32_t)cpu);
	} else if ((int32_t)cpu < 0) {
		str_addf(out, "[%03" PRId32 "] ", (int32_t)cpu);
	} else {
		str_add_char(out, '[');
		str_add_decimal(out, cpu, 3, '0');
		str_add(out, "] ");
	}
}

static void add_time_of_day(const struct script_text *text, uint64_t time_ns, struct str *out)
{
	uint64_t wall_ns = text->wall_ns + time_ns;
	time_t seconds = (time_t)(wall_ns / NSEC_PER_SEC);
	struct tm broken;
	char day[32];

	if (!localtime_r(&seconds, &broken) ||
	    strftime(day, sizeof(day), "%Y-%m-%d %H:%M:%S", &broken) == 0)
		return;
	str_addf(out, "%s.%06" PRIu64 " ", day, wall_ns % NSEC_PER_SEC / 1000);
}

static void add_time(const struct script_text *text, struct script_times *times, uint64_t time_ns,
		     struct str *out)
{
	uint64_t shown_ns = script_times_next(times, time_ns);

	str_add_decimal(out, shown_ns / NSEC_PER_SEC, 5, ' ');
	str_add_char(out, '.');
	if (text->nanoseconds)
		str_add_decimal(out, shown_ns % NSEC_PER_SEC, 9, '0');
	else
		str_add_decimal(out, shown_ns % NSEC_PER_SEC / 1000, 6, '0');
	str_add(out, ": ");
}

void script_start_add(const struct script_text *text, struct script_text_worker *worker,
		      enum script_kind kind, const struct script_start *start, struct str *out)
{
	const struct sample *sample = start->sample;
	bool pid = script_text_shows(text, kind, SCRIPT_PID),
	     tid = script_text_shows(text, kind, SCRIPT_TID);

	if (script_text_shows(text, kind, SCRIPT_COMM))
		add_comm(text, start->comm, start->chain_follows, out);
	if (pid && tid) {
		str_addf(out, "%7" PRId32 "/%-7" PRId32 " ", (int32_t)sample->pid,
			 (int32_t)sample->tid);
	} else if (pid || tid) {
		add_id(out, pid ? sample->pid : sample->tid, 7);
		str_add_char(out, ' ');
	}
	if (script_text_shows(text, kind, SCRIPT_CPU))
		add_cpu(text, sample->cpu, out);
	if (script_text_shows(text, kind, SCRIPT_MISC))
		add_misc(start->type, sample->misc, out);
	if (script_text_shows(text, kind, SCRIPT_TOD))
		add_time_of_day(text, sample->time, out);
	if (script_text_shows(text, kind, SCRIPT_TIME))
		add_time(text, &worker->times, sample->time, out);
}
