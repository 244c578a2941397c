/* loads.c - see loads.h. */
#include "workload/loads.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/suggest.h"

const struct load loads_table[] = {
	{ "noploop", "[SECONDS]", noploop },
	{ "thloop", "[SECONDS]", thloop },
	{ "named_threads", "[THREADS [LOOPS]]", named_threads },
	{ "leafloop", "[SECONDS]", leafloop },
	{ "sqrtloop", "[SECONDS]", sqrtloop },
	{ "brstack", "[LOOPS]", brstack },
	{ "datasym", "[SECONDS]", datasym },
	{ "landlock", "", landlock },
	{ "traploop", "[LOOPS]", traploop },
	{ "inlineloop", "[SECONDS]", inlineloop },
	{ "jitdump", "", jitdump },
	{ "context_switch_loop", "[LOOPS]", context_switch_loop },
	{ "deterministic", "", deterministic },
	{ .name = NULL },
};

const struct load *loads_find(const char *name, struct strobe_err *err)
{
	struct suggest suggest = { .typed = name };

	for (const struct load *load = loads_table; load->name; load++) {
		if (strcmp(load->name, name) == 0)
			return load;
		suggest_try(&suggest, load->name);
	}
	err_set(err, -EINVAL, "there is no workload '%s'", name);
	if (suggest.name)
		err_hint(err, -EINVAL, "did you mean '%s'?", suggest.name);
	else
		err_hint(err, -EINVAL, "--list-workloads shows them");
	return NULL;
}
