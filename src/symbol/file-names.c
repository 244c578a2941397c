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
#include "object/cfi.h"
#include "object/debugfile.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/perfmap.h"
#include "symbol/buildid-cache.h"
#include "symbol/names.h"
#include "symbol/regular-file.h"
#include "symbol/resolve.h"
#include "symbol/symfs.h"

static bool same_build_id(const struct dso *dso, const struct elf_file *file)
{
	const uint8_t *id = NULL;
	size_t size = elf_file_build_id(file, &id);

	return dso_has_build_id(dso, id, size);
}

/* Whether a file found by its name, which is @as_mapped or without DSO_DELETED, is what was mapped;
 * else the reason. */
static const char *foreign_reason(const struct dso *dso, const struct elf_file *file,
				  const struct stat *status, bool as_mapped)
{
	if (dso->build_id_size > 0)
		return same_build_id(dso, file) ? NULL : "build-id mismatch";
	if (dso->ino != 0 && dso->ino == status->st_ino)
		return NULL;
	if (dso->deleted && (dso->ino != 0 || !as_mapped))
		return "deleted, and no build-id to know it by";
	if (dso->shared_name)
		return "replaced, and no build-id to know it by";
	return NULL;
}

static const char *open_reason(int code)
{
	switch (code) {
	case -EACCES:
	case -EPERM:
		return "no permission to read the file";
	case -EBADF:
		return "not a file";
	case -ENOEXEC:
		return "not an ELF file";
	case -ENOENT:
	case -ENOTDIR:
		return "no such file";
	default:
		return "the file cannot be read";
	}
}

/* By name, below symfs if there is one. NULL, and why. */
static struct elf_file *open_named(const struct dso *dso, const char *path, bool as_mapped,
				   const char **ret_reason)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	struct stat status;
	int fd = dso->name[0] == '/' ? regular_file_open(path, &status, 0) : -ENOENT;
	int r = fd < 0 ? fd : elf_file_open_fd(fd, path, &file, NULL);

	if (r < 0) {
		*ret_reason = open_reason(r);
		return NULL;
	}
	*ret_reason = foreign_reason(dso, file, &status, as_mapped);
	return *ret_reason ? NULL : take(file);
}

/* From the build-id cache. NULL if it is not there or not what it should be. */
static struct elf_file *open_cached(const struct dso *dso, const char *folder, const char *name)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	_cleanup_(str_done) struct str path = { 0 };
	int fd = buildid_cache_open(folder, dso->build_id, dso->build_id_size, name, &path);

	if (fd < 0 || elf_file_open_fd(fd, path.text, &file, NULL) < 0)
		return NULL;
	return same_build_id(dso, file) ? take(file) : NULL;
}

/* The debug file of a file that lies at @path. */
static struct elf_file *find_debug(const struct resolver_options *options, const char *folder,
				   const struct dso *dso, const struct elf_file *file,
				   const char *path)
{
	_cleanup_(str_done) struct str below_symfs = { 0 };
	const char *roots[2] = { DEBUGFILE_ROOT };
	struct elf_file *debug = NULL;
	size_t count = 1;

	if (options->symfs) {
		str_addf(&below_symfs, "%s" DEBUGFILE_ROOT, options->symfs);
		roots[0] = below_symfs.text;
		roots[count++] = DEBUGFILE_ROOT;
	}
	if (debugfile_find(file, path, roots, count, &debug) > 0)
		return debug;
	/* Elsewhere than where it ran: debug roots know it by its place there. */
	if (strcmp(path, dso->name) != 0 &&
	    debugfile_find(file, dso->name, roots, count, &debug) > 0)
		return debug;
	if (dso->build_id_size == 0)
		return NULL;
	debug = open_cached(dso, folder, "debug");
	return debug ? debug : open_cached(dso, folder, "elf"); /* as it was before strip */
}

/* The file that was mapped, and where it would lie; NULL, and why. */
static struct elf_file *open_mapped(const struct resolver_options *options, const char *folder,
				    const struct dso *dso, struct str *path,
				    const char **ret_reason)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;

	if (dso->deleted) { /* that may be the file's own name, and not the kernel's word */
		symfs_add_path(options, dso->name, path);
		str_add(path, DSO_DELETED);
		file = open_named(dso, path->text, true, ret_reason);
	}
	if (!file) {
		str_clear(path);
		symfs_add_path(options, dso->name, path);
		file = open_named(dso, path->text, false, ret_reason);
	}
	if (!file && dso->build_id_size > 0)
		file = open_cached(dso, folder, "elf");
	return take(file);
}

/* The file that was mapped, and where it has not all that is wanted its debug file, or NULL. */
static struct elf_file *open_with_debug(const struct resolver_options *options, const char *folder,
					const struct dso *dso,
					bool (*has_all)(const struct elf_file *file),
					struct elf_file **ret_debug, const char **ret_reason)
{
	_cleanup_(str_done) struct str path = { 0 };
	struct elf_file *file = open_mapped(options, folder, dso, &path, ret_reason);

	*ret_debug = NULL;
	if (file && !has_all(file))
		*ret_debug = find_debug(options, folder, dso, file, path.text);
	return file;
}

void file_names_load(const struct resolver_options *options, const char *folder,
		     const struct dso *dso, struct names *ret_names)
{
	_cleanup_(elf_file_freep) struct elf_file *debug = NULL;
	const char *reason = NULL;
	_cleanup_(elf_file_freep) struct elf_file *file =
		open_with_debug(options, folder, dso, elf_file_has_symtab, &debug, &reason);

	if (file)
		names_set_file(ret_names, file, debug);
	else
		ret_names->reason = reason;
}

struct debuginfo *file_names_load_debuginfo(const struct resolver_options *options,
					    const char *folder, const struct dso *dso)
{
	_cleanup_(elf_file_freep) struct elf_file *debug = NULL;
	const char *reason = NULL;
	_cleanup_(elf_file_freep) struct elf_file *file =
		open_with_debug(options, folder, dso, debuginfo_has, &debug, &reason);

	if (!file || (!debug && !debuginfo_has(file)))
		return NULL;
	return debuginfo_new(debug ? take(debug) : take(file));
}

struct cfi *file_names_load_cfi(const struct resolver_options *options, const char *folder,
				const struct dso *dso)
{
	struct elf_file *debug = NULL;
	const char *reason = NULL;
	/* What was stripped of symbols was stripped of .debug_frame, too. */
	struct elf_file *file =
		open_with_debug(options, folder, dso, elf_file_has_symtab, &debug, &reason);

	return file ? cfi_new(file, debug) : NULL;
}

struct elf_file *file_names_open(const struct resolver_options *options, const char *folder,
				 const struct dso *dso)
{
	_cleanup_(str_done) struct str path = { 0 };
	const char *reason = NULL;

	return open_mapped(options, folder, dso, &path, &reason);
}

static struct elf_file *open_vdso(const struct resolver_options *options, const struct dso *dso,
				  bool same_kernel)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;

	if (!options->vdso ||
	    elf_file_from_memory(options->vdso, options->vdso_size, "[vdso]", &file, NULL) < 0)
		return NULL;
	if (dso->build_id_size > 0 ? !same_build_id(dso, file) : !same_kernel)
		return NULL;
	return take(file);
}

struct elf_file *file_names_open_vdso(const struct resolver_options *options, const char *folder,
				      const struct dso *dso, bool same_kernel)
{
	struct elf_file *file = open_vdso(options, dso, same_kernel);

	return file || dso->build_id_size == 0 ? file : open_cached(dso, folder, "vdso");
}

void file_names_load_vdso(const struct resolver_options *options, const char *folder,
			  const struct dso *dso, bool same_kernel, struct names *ret_names)
{
	_cleanup_(elf_file_freep) struct elf_file *file =
		file_names_open_vdso(options, folder, dso, same_kernel);

	if (file)
		names_set_file(ret_names, file, NULL);
	else
		ret_names->reason = "no image of the vdso of that kernel";
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
