/* running.c - see running.h. */
#include "cmd/running.h"

#include <string.h>
#include <sys/utsname.h>

#include "data/datafile.h"
#include "data/feature.h"
#include "kernel/vdso.h"
#include "symbol/resolve.h"

/* A recording that says nothing may be of this machine. */
static bool says_other(const struct datafile *file, enum feature feature, const char *here)
{
	size_t size;
	const void *bytes = datafile_feature(file, feature, &size);
	const char *there;

	return bytes &&
	       feature_string_decode(bytes, size, datafile_header(file)->foreign, &there) == 0 &&
	       strcmp(there, here) != 0;
}

void running_describe(struct running *running, const struct datafile *file,
		      struct resolver_options *options)
{
	struct utsname here;

	options->running_build_id = running->build_id;
	options->running_build_id_size = kerneltext_build_id(NULL, running->build_id);
	options->running_kallsyms = kerneltext_kallsyms();
	options->vdso = vdso_image(&options->vdso_size);
	options->foreign = uname(&here) < 0 || says_other(file, FEATURE_HOSTNAME, here.nodename) ||
			   says_other(file, FEATURE_OSRELEASE, here.release) ||
			   says_other(file, FEATURE_ARCH, here.machine);
}
