/* fuzz-live.c - any bytes as a stream, in pieces, counted while they come: what was told is
 * forgotten at once, and the report shown again and again. */
#include <stdio.h>

#include "analyze/live.h"
#include "analyze/profile.h"
#include "analyze/report-live.h"
#include "analyze/report.h"
#include "base/hash.h"
#include "data/datafile.h"
#include "fuzz-pieces.h"
#include "symbol/resolve.h"
#include "view/report-text.h"

static void print(const struct report *report)
{
	const struct report_text text = { .style = CALLGRAPH_GRAPH, .chain_percent = 0.5 };
	FILE *out = fopen("/dev/null", "we");

	if (!out)
		return;
	report_text_print(report, &text, out);
	(void)fclose(out);
}

static void show(struct report *report)
{
	report_live_finish(report);
	print(report);
	report_live_reopen(report);
	report_live_decay(report);
}

static void forget(struct live *live, struct report *report)
{
	struct hash dsos = { 0 };

	report_live_forget(report, &dsos);
	live_forget(live, &dsos);
	hash_done(&dsos);
}

static void count(struct live *live, struct report *report, struct fuzz_pieces *pieces,
		  struct stream *stream)
{
	bool more = true;

	while (more) {
		more = fuzz_pieces_feed(pieces, stream);
		if (!more)
			(void)live_take_all(live);
		else if (pieces->next % 5 == 0)
			(void)live_pause(live);
		else
			(void)live_take(live);
		if (pieces->next % 4 == 0)
			forget(live, report);
		/* Often enough, where it is done twice: it takes long. */
		if (pieces->next == 3 || pieces->next == 16)
			show(report);
	}
	show(report);
}

/* The events are told. */
static void begin(struct fuzz_pieces *pieces, struct stream *stream)
{
	/* Nothing of this machine: what names addresses must not differ from run to run. */
	const struct resolver_options names = { .symfs = "/nonexistent",
						.kallsyms = "/dev/null",
						.vmlinux = "/dev/null" };
	const struct report_options options = {
		.fields.sort = pieces->size_count % 2 ? "comm,dso,sym,srcline" : "pid,comm,dso,sym",
		.mode = CALLTREE_GRAPH,
		.min_percent = 0.5,
		.branches = -1,
		.max_stack = REPORT_MAX_STACK,
	};
	struct live *live = live_new(stream, &names);
	struct live_options handlers = {
		.each = report_live_take,
		.changed = report_live_changed,
		.settled = report_live_settled,
	};
	struct report *report;

	if (report_live_new(live_profile(live), &options, &report, NULL) == 0) {
		handlers.context = report;
		live_start(live, &handlers);
		count(live, report, pieces, stream);
		report_free(report);
	}
	live_free(live);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fuzz_pieces pieces = fuzz_pieces_of(bytes, size);
	struct stream *stream;
	bool more = true;

	if (pieces.size_count == 0)
		return 0;
	stream = stream_new("fuzz");
	while (more && !(stream_file(stream) && datafile_is_told(stream_file(stream))))
		more = fuzz_pieces_feed(&pieces, stream);
	if (stream_file(stream) && datafile_is_told(stream_file(stream)))
		begin(&pieces, stream);
	stream_free(stream);
	return 0;
}
