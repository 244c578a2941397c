/* named-file.c - see named-file.h. */
#include "stage/named-file.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/dso.h"
#include "symbol/regular-file.h"

/* Mappings have a build-id, or an inode where the file has none. */
static bool can_tell(const struct dso *dso)
{
	return dso->build_id_size > 0 || (dso->ino != 0 && !dso->deleted);
}

int named_file_open(const struct dso *dso)
{
	_cleanup_(closep) int fd = -1;
	struct stat status;

	if (!can_tell(dso))
		return -1;
	fd = regular_file_open(dso->name, &status, 0);
	if (fd < 0 || (dso->ino != 0 && dso->ino != status.st_ino))
		return -1;
	return take_fd(fd);
}
