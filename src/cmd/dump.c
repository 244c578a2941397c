/* dump.c - see dump.h. */
#include "cmd/dump.h"

#include "analyze/rounds.h"
#include "cmd/reading.h"
#include "view/record-dump.h"

void dump_records(const struct reading *reading, bool in_file_order, FILE *out)
{
	struct record_dump dump = {
		.profile = reading->profile,
		.name = reading->input,
		.arch = reading_arch(reading->file),
		.in_file_order = in_file_order,
		.out = out,
	};

	rounds_walk(reading->profile, in_file_order, record_dump_print, &dump);
	record_dump_done(&dump);
}
