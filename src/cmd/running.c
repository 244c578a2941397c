/* running.c - see running.h. */
#include "cmd/running.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "data/datafile.h"
#include "data/feature.h"
#include "kernel/proc.h"
#include "kernel/vdso.h"
#include "symbol/resolve.h"

enum said { NOTHING, SAME, OTHER };

/* What a text in the recording's header says of this machine. */
static enum said says(const struct datafile *file, enum feature feature, const char *here)
{
	size_t size;
	const void *bytes = datafile_feature(file, feature, &size);
	const char *there;

	if (!bytes ||
	    feature_string_decode(bytes, size, datafile_header(file)->foreign, &there) < 0)
		return NOTHING;
	return strcmp(there, here) == 0 ? SAME : OTHER;
}

/* The file was written after the machine was booted; nothing is known of a pipe. */
static bool is_of_this_boot(const struct datafile *file)
{
	struct timespec up;

	return clock_gettime(CLOCK_BOOTTIME, &up) == 0 &&
	       datafile_header(file)->captured_on > (int64_t)time(NULL) - up.tv_sec;
}

static int open_tmp(pid_t pid, pid_t *ret_pid)
{
	return proc_open_tmp(NULL, pid, ret_pid);
}

void running_describe(struct running *running, const struct datafile *file,
		      struct resolver_options *options)
{
	enum said host, release, arch;
	struct utsname here;
	bool is_here;

	options->running_build_id = running->build_id;
	options->running_build_id_size = kerneltext_build_id(NULL, running->build_id);
	options->running_kallsyms = kerneltext_kallsyms();
	options->vdso = vdso_image(&options->vdso_size);
	options->foreign = uname(&here) < 0;
	if (options->foreign)
		return;
	host = says(file, FEATURE_HOSTNAME, here.nodename);
	release = says(file, FEATURE_OSRELEASE, here.release);
	arch = says(file, FEATURE_ARCH, here.machine);
	options->foreign = host == OTHER || release == OTHER || arch == OTHER;
	is_here = host == SAME && release == SAME && arch == SAME;
	options->same_boot = is_here && is_of_this_boot(file);
	/* What comes through a pipe happens now, as far as anyone can tell. */
	if (options->same_boot || (is_here && datafile_header(file)->pipe))
		options->open_tmp = open_tmp;
}
