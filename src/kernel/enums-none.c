/* enums-none.c - where there is no libbpf: see enums.h. */
#include <errno.h>

#include "kernel/enums.h"

int enums_open(const char *path, struct enums **ret_enums)
{
	return -ENOSYS;
}

void enums_close(struct enums *enums)
{
}

int enums_each(const struct enums *enums, const char *name,
	       void (*each)(void *context, const char *name, uint64_t value), void *context)
{
	return -ENOENT;
}
