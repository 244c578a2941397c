/* fuzz-report.c - any bytes as a recording, reported: with call graphs, with branches in them, and
 * as flat rows. */
#include <stdio.h>

#include "analyze/report.h"
#include "fuzz-recording.h"
#include "view/report-text.h"

static void print(const struct report *report, bool chains)
{
	const struct report_text text = { .style = chains ? CALLGRAPH_GRAPH : CALLGRAPH_NONE,
					  .chain_percent = 0.5 };
	FILE *out = fopen("/dev/null", "we");

	if (!out)
		return;
	report_text_print(report, &text, out);
	(void)fclose(out);
}

static void report(struct profile *profile, const struct tracepoint_set *tracepoints, bool chains,
		   bool branches)
{
	const struct report_options options = { .max_stack = REPORT_MAX_STACK,
						.no_chains = !chains,
						.no_children = !chains,
						.mode = CALLTREE_GRAPH,
						.min_percent = 0.5,
						.branches = -1,
						.branch_history = branches,
						.links = branches ? SITES_BY_ADDR
								  : SITES_BY_FUNCTION,
						.stitch_lbr = branches,
						.tracepoints = tracepoints };
	struct report *made;

	if (report_new(profile, &options, &made, NULL) < 0)
		return;
	print(made, chains);
	report_free(made);
}

static void report_all(struct profile *profile, const struct tracepoint_set *tracepoints)
{
	report(profile, tracepoints, true, false);
	report(profile, tracepoints, true, true);
	report(profile, tracepoints, false, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_recording(bytes, size, report_all);
	return 0;
}
