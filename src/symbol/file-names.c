/* file-names.c - see file-names.h. */
#include "symbol/file-names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/dso.h"
#include "object/perfmap.h"
#include "symbol/binary.h"
#include "symbol/names.h"
#include "symbol/regular-file.h"
#include "symbol/resolve.h"
#include "symbol/symfs.h"

void file_names_load(struct binary *binary, const struct binary_source *source,
		     struct names *ret_names)
{
	const struct elf_file *file = binary_file(binary, source), *symbols;

	if (!file) {
		ret_names->reason = binary->reason;
		return;
	}
	symbols = binary_find(binary, source, BINARY_SYMBOLS);
	names_set_file(ret_names, file, symbols == file ? NULL : symbols);
}

/* Of a process in a container, the map is there. */
static int open_inner_map(const struct resolver_options *options, const struct dso *dso,
			  struct stat *ret_status)
{
	_cleanup_(closep) int folder = -1;
	char name[32];
	pid_t pid;

	if (!options->open_tmp || options->symfs)
		return -ENOENT;
	folder = options->open_tmp((pid_t)dso->jit_pid, &pid);
	if (folder < 0)
		return folder;
	(void)snprintf(name, sizeof(name), "perf-%d.map", (int)pid);
	return regular_file_open_at(folder, name, ret_status, O_NOFOLLOW);
}

static int open_map(const struct resolver_options *options, const struct dso *dso, struct str *path,
		    struct stat *ret_status)
{
	int fd = open_inner_map(options, dso, ret_status);

	symfs_add_path(options, dso->name, path);
	if (fd < 0)
		fd = regular_file_open(path->text, ret_status, O_NOFOLLOW);
	if (fd < 0 && options->symfs) {
		str_clear(path);
		str_add(path, dso->name);
		fd = regular_file_open(path->text, ret_status, O_NOFOLLOW);
	}
	return fd;
}

void file_names_load_jit(const struct resolver_options *options, const struct dso *dso,
			 struct names *ret_names)
{
	_cleanup_(closep) int fd = -1;
	_cleanup_(str_done) struct str path = { 0 };
	struct symtab *table = NULL;
	struct stat status;

	ret_names->kind = NAMES_IDENTITY;
	ret_names->reason = "no perf map of its JIT compiler";
	if (dso->jit_pid == 0)
		return;
	fd = open_map(options, dso, &path, &status);
	if (fd < 0)
		return;
	if (!options->force && status.st_uid != geteuid() && status.st_uid != 0) {
		ret_names->reason = "its perf map is neither ours nor root's (use -f)";
		return;
	}
	if (perfmap_load(fd, path.text, &table, NULL, NULL) == 0)
		names_set_table(ret_names, NAMES_IDENTITY, table);
}
