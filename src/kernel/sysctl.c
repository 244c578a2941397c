/* sysctl.c - see sysctl.h. */
#include "kernel/sysctl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"

int sysctl_read(const char *root, const char *name, int64_t *ret_value)
{
	char path[4096];
	int64_t value;

	(void)snprintf(path, sizeof(path), "%s/proc/sys/%s", root ? root : "", name);
	_cleanup_(fclosep) FILE *file = fopen(path, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%" SCNd64, &value) != 1)
		return -EINVAL;
	*ret_value = value;
	return 0;
}
