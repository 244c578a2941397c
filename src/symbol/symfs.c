/* symfs.c - see symfs.h. */
#include "symbol/symfs.h"

#include <string.h>

#include "base/str.h"
#include "symbol/resolve.h"

void symfs_add_path(const struct resolver_options *options, const char *name, struct str *path)
{
	const char *base = strrchr(name, '/');

	if (options->symfs)
		str_add(path, options->symfs);
	str_add(path, options->symfs && options->symfs_is_flat && base ? base : name);
}
