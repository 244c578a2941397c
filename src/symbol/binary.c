/* binary.c - see binary.h. */
#include "symbol/binary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/dso.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "symbol/buildid-cache.h"
#include "symbol/regular-file.h"
#include "symbol/resolve.h"
#include "symbol/symfs.h"

void binary_done(struct binary *binary)
{
	debuginfo_free(binary->debuginfo);
	elf_file_free(binary->alt);
	for (size_t i = 0; i < binary->debugs.count; i++)
		elf_file_free(binary->debugs.items[i]);
	free(binary->debugs.items);
	debugfile_paths_done(&binary->places);
	elf_file_free(binary->file);
	str_done(&binary->path);
	*binary = (struct binary){ 0 };
}

bool binary_is_of(const struct dso *dso)
{
	return dso->kind == DSO_USER || dso->kind == DSO_UNKNOWN || dso->kind == DSO_VDSO;
}

static void say(const struct binary_source *source, enum binary_role role, const char *place,
		enum debugfile_verdict verdict)
{
	if (source->tried)
		source->tried(source->context, role, place, verdict);
}

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
static struct elf_file *open_named(const struct binary_source *source, const char *path,
				   bool as_mapped, const char **ret_reason)
{
	const struct dso *dso = source->dso;
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	enum debugfile_verdict verdict = DEBUGFILE_FITS;
	struct stat status;
	int fd = dso->name[0] == '/' ? regular_file_open(path, &status, 0) : -ENOENT;
	int r = fd < 0 ? fd : elf_file_open_fd(fd, path, &file, NULL);

	*ret_reason = r < 0 ? open_reason(r) : foreign_reason(dso, file, &status, as_mapped);
	if (r < 0)
		verdict = debugfile_verdict_of(r);
	else if (*ret_reason)
		verdict = dso->build_id_size > 0 ? DEBUGFILE_OTHER_BUILD_ID : DEBUGFILE_UNPROVEN;
	say(source, BINARY_FILE, path, verdict);
	return *ret_reason ? NULL : take(file);
}

/* From the build-id cache: the file itself, or, of a file that is known, a debug file. NULL if it
 * is not there or not what it should be. */
static struct elf_file *open_cached(const struct binary_source *source, const struct elf_file *of,
				    const char *name)
{
	const struct dso *dso = source->dso;
	const uint8_t *id = dso->build_id;
	size_t id_size = of ? elf_file_build_id(of, &id) : dso->build_id_size;
	_cleanup_(elf_file_freep) struct elf_file *found = NULL;
	_cleanup_(str_done) struct str path = { 0 };
	enum debugfile_verdict verdict;
	int r = buildid_cache_open(source->cache, id, id_size, name, &path);

	if (path.size == 0)
		return NULL;
	r = r < 0 ? r : elf_file_open_fd(r, path.text, &found, NULL);
	if (r < 0)
		verdict = debugfile_verdict_of(r);
	else if (of)
		verdict = debugfile_compare(of, found);
	else
		verdict = same_build_id(dso, found) ? DEBUGFILE_FITS : DEBUGFILE_OTHER_BUILD_ID;
	say(source, of ? BINARY_DEBUG : BINARY_FILE, path.text, verdict);
	return verdict == DEBUGFILE_FITS ? take(found) : NULL;
}

static void open_mapped(struct binary *binary, const struct binary_source *source)
{
	const struct dso *dso = source->dso;

	if (dso->deleted) { /* that may be the file's own name, and not the kernel's word */
		symfs_add_path(source->options, dso->name, &binary->path);
		str_add(&binary->path, DSO_DELETED);
		binary->file = open_named(source, binary->path.text, true, &binary->reason);
	}
	if (!binary->file) {
		str_clear(&binary->path);
		symfs_add_path(source->options, dso->name, &binary->path);
		binary->file = open_named(source, binary->path.text, false, &binary->reason);
	}
	if (!binary->file)
		binary->file = open_cached(source, NULL, "elf");
}

static struct elf_file *open_running_vdso(const struct binary_source *source)
{
	const struct resolver_options *options = source->options;
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;

	if (!options->vdso ||
	    elf_file_from_memory(options->vdso, options->vdso_size, "[vdso]", &file, NULL) < 0)
		return NULL;
	if (source->dso->build_id_size > 0 ? !same_build_id(source->dso, file)
					   : !source->same_kernel)
		return NULL;
	return take(file);
}

struct elf_file *binary_file(struct binary *binary, const struct binary_source *source)
{
	if (binary->searched)
		return binary->file;
	binary->searched = true;
	if (source->dso->kind != DSO_VDSO) {
		open_mapped(binary, source);
		return binary->file;
	}
	binary->reason = "no image of the vdso of that kernel";
	binary->file = open_running_vdso(source);
	if (!binary->file)
		binary->file = open_cached(source, NULL, "vdso");
	return binary->file;
}

/* The folders of debug files. */
struct roots {
	const char *items[2];
	size_t count;
	struct str below_symfs;
};

static void roots_done(struct roots *roots)
{
	str_done(&roots->below_symfs);
}

static void find_roots(struct roots *roots, const struct binary_source *source)
{
	if (source->options->symfs) {
		str_addf(&roots->below_symfs, "%s" DEBUGFILE_ROOT, source->options->symfs);
		roots->items[roots->count++] = roots->below_symfs.text;
	}
	roots->items[roots->count++] = DEBUGFILE_ROOT;
}

/* The places of the debug file of a file that lies at binary->path. */
static void list_places(struct binary *binary, const struct binary_source *source)
{
	_cleanup_(roots_done) struct roots roots = { .count = 0 };
	const char *path = str_text(&binary->path);

	if (source->dso->kind == DSO_VDSO)
		return;
	find_roots(&roots, source);
	debugfile_candidates(binary->file, path, roots.items, roots.count, &binary->places);
	/* Elsewhere than where it ran: debug roots know it by its place there. */
	if (strcmp(path, source->dso->name) != 0)
		debugfile_candidates(binary->file, source->dso->name, roots.items, roots.count,
				     &binary->places);
}

/* What the cache may have of the file, behind those places: also as it was before strip. */
static const char *const cached[] = { "debug", "elf" };
enum { CACHED = sizeof(cached) / sizeof(cached[0]) };

/* Looks at the next place; NULL if what is there is not it. */
static struct elf_file *open_next(struct binary *binary, const struct binary_source *source)
{
	size_t place = binary->next++;
	struct elf_file *debug = NULL;
	const char *path;

	if (place >= binary->places.count)
		return open_cached(source, binary->file, cached[place - binary->places.count]);
	path = binary->places.items[place];
	say(source, BINARY_DEBUG, path, debugfile_open(binary->file, path, &debug));
	return debug;
}

static bool is_there(const struct elf_file *file, enum binary_want want)
{
	switch (want) {
	case BINARY_SYMBOLS:
		return elf_file_has_symtab(file);
	case BINARY_FRAMES: /* what was stripped of symbols was stripped of it, too */
		return elf_file_has_symtab(file) || elf_file_section_find(file, ".debug_frame");
	case BINARY_LINES:
		return debuginfo_has(file);
	}
	return false;
}

struct elf_file *binary_find(struct binary *binary, const struct binary_source *source,
			     enum binary_want want)
{
	struct elf_file *file = binary_file(binary, source);

	if (!file || is_there(file, want))
		return file;
	for (size_t i = 0; i < binary->debugs.count; i++) {
		if (is_there(binary->debugs.items[i], want))
			return binary->debugs.items[i];
	}
	if (!binary->has_places)
		list_places(binary, source);
	binary->has_places = true;
	while (binary->next < binary->places.count + CACHED) {
		struct elf_file *debug = open_next(binary, source);

		if (!debug)
			continue;
		grow(&binary->debugs);
		binary->debugs.items[binary->debugs.count++] = debug;
		if (is_there(debug, want))
			return debug;
	}
	return NULL;
}

/* What has that build-id, or NULL. */
static struct elf_file *open_alt(const struct binary_source *source, const char *path,
				 const uint8_t *id, size_t size)
{
	_cleanup_(elf_file_freep) struct elf_file *alt = NULL;
	enum debugfile_verdict verdict = DEBUGFILE_FITS;
	const uint8_t *own = NULL;
	struct stat status;
	int fd = regular_file_open(path, &status, 0);
	int r = fd < 0 ? fd : elf_file_open_fd(fd, path, &alt, NULL);

	if (r < 0)
		verdict = debugfile_verdict_of(r);
	else if (elf_file_build_id(alt, &own) != size || memcmp(own, id, size) != 0)
		verdict = DEBUGFILE_OTHER_BUILD_ID;
	say(source, BINARY_ALT, path, verdict);
	return verdict == DEBUGFILE_FITS ? take(alt) : NULL;
}

static void say_alt_is_missing(const struct binary_source *source, const char *name)
{
	const struct resolver_options *options = source->options;
	_cleanup_(str_done) struct str text = { 0 };

	if (!options->notice)
		return;
	str_addf(&text,
		 "debug information refers to '%s', which is not here: some names of inlined "
		 "functions are missing",
		 name);
	options->notice(options->notice_context, text.text,
			"strobe debuginfo FILE shows where it was looked for");
}

/* By the debug information of @file, where it refers to another. */
static struct elf_file *find_alt(const struct debuginfo *debuginfo, const struct elf_file *file,
				 const struct binary_source *source)
{
	_cleanup_(roots_done) struct roots roots = { .count = 0 };
	_cleanup_(debugfile_paths_done) struct debugfile_paths places = { 0 };
	_cleanup_(str_done) struct str below_symfs = { 0 };
	const uint8_t *id = NULL;
	size_t size = 0;
	const char *name = debuginfo_alt(debuginfo, &id, &size);
	struct elf_file *alt = NULL;

	if (!name)
		return NULL;
	find_roots(&roots, source);
	debugfile_alt_candidates(file, name, id, size, roots.items, roots.count, &places);
	for (size_t i = 0; i < places.count && !alt; i++)
		alt = open_alt(source, places.items[i], id, size);
	if (!alt && name[0] == '/' && source->options->symfs) {
		symfs_add_path(source->options, name, &below_symfs);
		alt = open_alt(source, below_symfs.text, id, size);
	}
	if (!alt)
		say_alt_is_missing(source, name);
	return alt;
}

struct debuginfo *binary_debuginfo(struct binary *binary, const struct binary_source *source)
{
	const struct elf_file *file;

	if (binary->debuginfo_searched)
		return binary->debuginfo;
	binary->debuginfo_searched = true;
	file = binary_find(binary, source, BINARY_LINES);
	binary->debuginfo = file ? debuginfo_new(file) : NULL;
	if (binary->debuginfo)
		binary->alt = find_alt(binary->debuginfo, file, source);
	if (binary->alt)
		debuginfo_set_alt(binary->debuginfo, binary->alt);
	return binary->debuginfo;
}
