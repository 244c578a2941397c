/* fuzz-report.c - any bytes as a recording, reported: with call graphs, and as flat rows. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/profile.h"
#include "analyze/report.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "format/tracepoint.h"
#include "fuzz.h"
#include "symbol/resolve.h"
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

static void report(struct profile *profile, const struct tracepoint_set *tracepoints, bool chains)
{
	const struct report_options options = { .no_chains = !chains,
						.no_children = !chains,
						.mode = CALLTREE_GRAPH,
						.min_percent = 0.5,
						.branches = -1,
						.tracepoints = tracepoints };
	struct report *made;

	if (report_new(profile, &options, &made, NULL) < 0)
		return;
	print(made, chains);
	report_free(made);
}

static void report_file(const struct datafile *file)
{
	/* Nothing of this machine: what names addresses must not differ from run to run. */
	const struct resolver_options names = { .symfs = "/nonexistent",
						.kallsyms = "/dev/null",
						.vmlinux = "/dev/null",
						.demangle = true };
	struct tracepoint_set *tracepoints = NULL;
	struct profile *profile;
	size_t size;
	const void *formats = datafile_feature(file, FEATURE_TRACING_DATA, &size);

	if (formats)
		(void)tracepoint_set_new(formats, size, &tracepoints, NULL);
	if (profile_new(file, &names, &profile, NULL) == 0) {
		report(profile, tracepoints, true);
		report(profile, tracepoints, false);
		profile_free(profile);
	}
	tracepoint_set_free(tracepoints);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct datafile *file;

	if (fd < 0)
		return 0;
	if (write(fd, bytes, size) == (ssize_t)size &&
	    datafile_open_fd(fd, "fuzz", &file, NULL) == 0) {
		report_file(file);
		datafile_close(file);
	}
	(void)close(fd);
	return 0;
}
