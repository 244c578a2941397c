/* binary-places.c - see binary-places.h. */
#include "symbol/binary-places.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/str.h"
#include "model/dso.h"
#include "object/elf-file.h"
#include "symbol/buildid-cache.h"
#include "symbol/debuginfod.h"
#include "symbol/regular-file.h"
#include "symbol/resolve.h"

static void say(const struct binary_source *source, enum binary_role role, const char *place,
		enum debugfile_verdict verdict)
{
	if (source->tried)
		source->tried(source->context, role, place, verdict);
}

bool binary_places_same_id(const struct dso *dso, const struct elf_file *file)
{
	const uint8_t *id = NULL;
	size_t size = elf_file_build_id(file, &id);

	return dso_has_build_id(dso, id, size);
}

/* Whether a file found by its name, which is @as_mapped or without DSO_DELETED, is what was mapped;
 * else the reason. */
static enum reason foreign_reason(const struct dso *dso, const struct elf_file *file,
				  const struct stat *status, bool as_mapped)
{
	if (dso->build_id_size > 0)
		return binary_places_same_id(dso, file) ? REASON_NONE : REASON_OTHER_BUILD;
	if (dso->ino != 0 && dso->ino == status->st_ino)
		return REASON_NONE;
	if (dso->deleted && (dso->ino != 0 || !as_mapped))
		return REASON_DELETED;
	if (dso->shared_name)
		return REASON_REPLACED;
	return REASON_NONE;
}

static enum reason open_reason(int code)
{
	switch (code) {
	case -EACCES:
	case -EPERM:
		return REASON_NO_PERMISSION;
	case -EBADF:
		return REASON_NOT_A_FILE;
	case -ENOEXEC:
		return REASON_NOT_ELF;
	case -ENOENT:
	case -ENOTDIR:
		return REASON_NO_FILE;
	default:
		return REASON_UNREADABLE;
	}
}

struct elf_file *binary_places_named(const struct binary_source *source, const char *path,
				     bool as_mapped, enum reason *ret_reason)
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

struct elf_file *binary_places_held(const struct binary_source *source)
{
	const struct resolver_options *options = source->options;
	const struct dso *dso = source->dso;
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;
	int fd = options->open_held ? options->open_held(options->held_context, dso) : -ENOENT;

	if (fd < 0 || elf_file_open_fd(fd, dso->name, &file, NULL) < 0 ||
	    (dso->build_id_size > 0 && !binary_places_same_id(dso, file)))
		return NULL;
	say(source, BINARY_FILE, dso->name, DEBUGFILE_FITS);
	return take(file);
}

static enum debugfile_verdict compare(const struct binary_source *source,
				      const struct binary_wanted *wanted,
				      const struct elf_file *found)
{
	const uint8_t *id = NULL;
	size_t size = elf_file_build_id(found, &id);
	bool fits;

	if (wanted->role == BINARY_DEBUG)
		return debugfile_compare(wanted->of, found);
	if (wanted->role == BINARY_FILE)
		fits = binary_places_same_id(source->dso, found);
	else
		fits = size == wanted->id_size && memcmp(id, wanted->id, size) == 0;
	return fits ? DEBUGFILE_FITS : DEBUGFILE_OTHER_BUILD_ID;
}

/* Takes a descriptor, or a negative error of opening one. @place is where it was looked for. */
static struct elf_file *take_opened(const struct binary_source *source,
				    const struct binary_wanted *wanted, int fd, const char *path,
				    const char *place)
{
	_cleanup_(elf_file_freep) struct elf_file *found = NULL;
	int r = fd < 0 ? fd : elf_file_open_fd(fd, path, &found, NULL);
	enum debugfile_verdict verdict =
		r < 0 ? debugfile_verdict_of(r) : compare(source, wanted, found);

	say(source, wanted->role, verdict == DEBUGFILE_FITS ? path : place, verdict);
	return verdict == DEBUGFILE_FITS ? take(found) : NULL;
}

struct elf_file *binary_places_cached(const struct binary_source *source,
				      const struct binary_wanted *wanted, const char *name)
{
	_cleanup_(str_done) struct str path = { 0 };
	int fd = buildid_cache_open(source->cache, wanted->id, wanted->id_size, name, &path);

	return path.size ? take_opened(source, wanted, fd, path.text, path.text) : NULL;
}

struct elf_file *binary_places_fetch(const struct binary_source *source,
				     const struct binary_wanted *wanted)
{
	struct debuginfod *servers = source->options->debuginfod;
	enum debuginfod_kind kind =
		wanted->role == BINARY_FILE ? DEBUGINFOD_EXECUTABLE : DEBUGINFOD_DEBUG;
	_cleanup_(str_done) struct str path = { 0 }, place = { 0 };
	struct stat status;
	int r;

	if (!servers || wanted->id_size == 0)
		return NULL;
	debuginfod_place(servers, kind, wanted->id, wanted->id_size, &place);
	r = debuginfod_find(servers, kind, wanted->id, wanted->id_size, source->dso->name, &path);
	if (r < 0 && r != -ENOENT) {
		say(source, wanted->role, place.text, DEBUGFILE_UNREACHABLE);
		return NULL;
	}
	if (r == 0)
		r = regular_file_open(path.text, &status, 0);
	return take_opened(source, wanted, r, str_text(&path), place.text);
}

struct elf_file *binary_places_at(const struct binary_source *source,
				  const struct binary_wanted *wanted, const char *path)
{
	struct stat status;

	return take_opened(source, wanted, regular_file_open(path, &status, 0), path, path);
}
