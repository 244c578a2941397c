/*
 * fuzz-recording.h - any bytes as a recording that is opened and prepared as report and script do;
 * for targets that differ in what they make of it.
 */
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include "analyze/profile.h"
#include "data/datafile.h"
#include "data/feature.h"
#include "format/tracepoint.h"
#include "fuzz.h"
#include "symbol/resolve.h"

typedef void fuzz_recording_use(struct profile *profile, const struct tracepoint_set *tracepoints);

static inline void fuzz_recording_file(const struct datafile *file, fuzz_recording_use *use)
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
		use(profile, tracepoints);
		profile_free(profile);
	}
	tracepoint_set_free(tracepoints);
}

static inline void fuzz_recording(const uint8_t *bytes, size_t size, fuzz_recording_use *use)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct datafile *file;

	if (fd < 0)
		return;
	if (write(fd, bytes, size) == (ssize_t)size &&
	    datafile_open_fd(fd, "fuzz", &file, NULL) == 0) {
		fuzz_recording_file(file, use);
		datafile_close(file);
	}
	(void)close(fd);
}
