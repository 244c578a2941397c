/* debugfile.c - see debugfile.h. */
#include "object/debugfile.h"

#include <errno.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/str.h"
#include "object/elf-file.h"

__attribute__((format(printf, 2, 3))) static void add(struct debugfile_paths *paths,
						      const char *fmt, ...)
{
	char *path = NULL;
	va_list ap;
	int size;

	va_start(ap, fmt);
	size = vasprintf(&path, fmt, ap);
	va_end(ap);
	if (size < 0)
		return;
	grow(paths);
	paths->items[paths->count++] = path;
}

static void add_by_build_id(struct debugfile_paths *paths, const uint8_t *id, size_t size,
			    const char *const *roots, size_t root_count)
{
	_cleanup_(str_done) struct str hex = { 0 };

	if (size < 2)
		return;
	str_add_hex(&hex, id, size);
	for (size_t i = 0; i < root_count; i++)
		add(paths, "%s/.build-id/%.2s/%s.debug", roots[i], hex.text, hex.text + 2);
}

static void add_by_link(struct debugfile_paths *paths, const struct elf_file *file,
			const char *path, const char *const *roots, size_t root_count)
{
	uint32_t crc = 0;
	const char *name = elf_file_debuglink(file, &crc);
	const char *slash = strrchr(path, '/');
	int size = slash ? (int)(slash - path) : 1;
	const char *folder = slash ? path : ".";

	if (!name || strlen(path) > INT32_MAX)
		return;
	add(paths, "%.*s/%s", size, folder, name);
	add(paths, "%.*s/.debug/%s", size, folder, name);
	for (size_t i = 0; i < root_count && path[0] == '/'; i++)
		add(paths, "%s%.*s/%s", roots[i], size, folder, name);
}

void debugfile_candidates(const struct elf_file *file, const char *path, const char *const *roots,
			  size_t root_count, struct debugfile_paths *ret_paths)
{
	const uint8_t *id = NULL;
	size_t size = elf_file_build_id(file, &id);

	add_by_build_id(ret_paths, id, size, roots, root_count);
	add_by_link(ret_paths, file, path, roots, root_count);
}

void debugfile_alt_candidates(const struct elf_file *file, const char *name, const uint8_t *id,
			      size_t id_size, const char *const *roots, size_t root_count,
			      struct debugfile_paths *ret_paths)
{
	/* The file may be known by a link to it, as those by build-id are. */
	_cleanup_(freep) char *real = realpath(elf_file_name(file), NULL);
	const char *path = real ? real : elf_file_name(file);
	const char *slash = strrchr(path, '/');

	add_by_build_id(ret_paths, id, id_size, roots, root_count);
	if (name[0] == '/' || !slash || slash - path > INT32_MAX)
		add(ret_paths, "%s", name);
	else
		add(ret_paths, "%.*s/%s", (int)(slash - path), path, name);
}

void debugfile_paths_done(struct debugfile_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->items[i]);
	free(paths->items);
	*paths = (struct debugfile_paths){ 0 };
}

static bool has_crc(const struct elf_file *debug, uint32_t crc)
{
	size_t size = 0;
	const char *bytes = elf_rawfile(elf_file_handle(debug), &size);

	return bytes && crc32_z(0, (const Bytef *)bytes, size) == crc;
}

enum debugfile_verdict debugfile_verdict_of(int code)
{
	switch (code) {
	case -ENOENT:
	case -ENOTDIR:
		return DEBUGFILE_ABSENT;
	case -EACCES:
	case -EPERM:
		return DEBUGFILE_FORBIDDEN;
	case -ENOEXEC:
		return DEBUGFILE_NOT_ELF;
	default:
		return DEBUGFILE_UNREADABLE;
	}
}

enum debugfile_verdict debugfile_compare(const struct elf_file *file, const struct elf_file *debug)
{
	const uint8_t *id = NULL, *other = NULL;
	size_t size = elf_file_build_id(file, &id), other_size = elf_file_build_id(debug, &other);
	uint32_t crc = 0;

	if (elf_file_machine(file) != elf_file_machine(debug) ||
	    elf_file_is_64bit(file) != elf_file_is_64bit(debug))
		return DEBUGFILE_OTHER_MACHINE;
	if (size > 0 && other_size > 0)
		return size == other_size && !memcmp(id, other, size) ? DEBUGFILE_FITS
								      : DEBUGFILE_OTHER_BUILD_ID;
	if (!elf_file_debuglink(file, &crc))
		return DEBUGFILE_UNPROVEN;
	return has_crc(debug, crc) ? DEBUGFILE_FITS : DEBUGFILE_OTHER_CRC;
}

enum debugfile_verdict debugfile_open(const struct elf_file *file, const char *path,
				      struct elf_file **ret_debug)
{
	_cleanup_(elf_file_freep) struct elf_file *debug = NULL;
	int r = elf_file_open(path, &debug, NULL);
	enum debugfile_verdict verdict =
		r < 0 ? debugfile_verdict_of(r) : debugfile_compare(file, debug);

	if (verdict == DEBUGFILE_FITS)
		*ret_debug = take(debug);
	return verdict;
}

int debugfile_find(const struct elf_file *file, const char *path, const char *const *roots,
		   size_t root_count, struct elf_file **ret_debug)
{
	struct debugfile_paths paths = { 0 };
	int found = 0;

	debugfile_candidates(file, path, roots, root_count, &paths);
	for (size_t i = 0; i < paths.count && !found; i++)
		found = debugfile_open(file, paths.items[i], ret_debug) == DEBUGFILE_FITS;
	debugfile_paths_done(&paths);
	return found;
}
