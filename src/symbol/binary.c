/* binary.c - see binary.h. */
#include "symbol/binary.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/dso.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
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

static struct binary_wanted wanted_file(const struct binary_source *source)
{
	return (struct binary_wanted){ .role = BINARY_FILE,
				       .id = source->dso->build_id,
				       .id_size = source->dso->build_id_size };
}

static struct binary_wanted wanted_debug(const struct binary *binary)
{
	struct binary_wanted wanted = { .role = BINARY_DEBUG, .of = binary->file };

	wanted.id_size = elf_file_build_id(binary->file, &wanted.id);
	return wanted;
}

static void open_mapped(struct binary *binary, const struct binary_source *source)
{
	const struct binary_wanted wanted = wanted_file(source);
	const struct dso *dso = source->dso;

	binary->file = binary_places_held(source);
	if (binary->file) {
		str_add(&binary->path, dso->name);
		return;
	}
	if (dso->deleted) { /* that may be the file's own name, and not the kernel's word */
		symfs_add_path(source->options, dso->name, &binary->path);
		str_add(&binary->path, DSO_DELETED);
		binary->file =
			binary_places_named(source, binary->path.text, true, &binary->reason);
	}
	if (!binary->file) {
		str_clear(&binary->path);
		symfs_add_path(source->options, dso->name, &binary->path);
		binary->file =
			binary_places_named(source, binary->path.text, false, &binary->reason);
	}
	if (!binary->file)
		binary->file = binary_places_cached(source, &wanted, "elf");
	if (!binary->file)
		binary->file = binary_places_fetch(source, &wanted);
}

static struct elf_file *open_running_vdso(const struct binary_source *source)
{
	const struct resolver_options *options = source->options;
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;

	if (!options->vdso ||
	    elf_file_from_memory(options->vdso, options->vdso_size, "[vdso]", &file, NULL) < 0)
		return NULL;
	if (source->dso->build_id_size > 0 ? !binary_places_same_id(source->dso, file)
					   : !source->same_kernel)
		return NULL;
	return take(file);
}

struct elf_file *binary_file(struct binary *binary, const struct binary_source *source)
{
	const struct binary_wanted wanted = wanted_file(source);

	if (binary->searched)
		return binary->file;
	binary->searched = true;
	if (source->dso->kind != DSO_VDSO) {
		open_mapped(binary, source);
		return binary->file;
	}
	binary->reason = REASON_NO_VDSO;
	binary->file = open_running_vdso(source);
	if (!binary->file)
		binary->file = binary_places_cached(source, &wanted, "vdso");
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
	const struct binary_wanted wanted = wanted_debug(binary);
	size_t place = binary->next++;

	if (place < binary->places.count)
		return binary_places_at(source, &wanted, binary->places.items[place]);
	return binary_places_cached(source, &wanted, cached[place - binary->places.count]);
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

/* Whether to have a debug file sent for that: they are large. */
static bool is_worth_fetching(const struct binary *binary, const struct binary_source *source,
			      enum binary_want want)
{
	if (binary->has_asked || source->dso->kind == DSO_VDSO)
		return false;
	switch (want) {
	case BINARY_SYMBOLS:
		return !elf_file_section_find(binary->file, ".gnu_debugdata");
	case BINARY_FRAMES:
		return !elf_file_section_find(binary->file, ".eh_frame");
	case BINARY_LINES:
		return true;
	}
	return false;
}

/* The next debug file that fits, whatever it has; NULL if there is none any more. */
static struct elf_file *next_debug(struct binary *binary, const struct binary_source *source,
				   enum binary_want want)
{
	struct elf_file *debug = NULL;

	if (!binary->has_places)
		list_places(binary, source);
	binary->has_places = true;
	while (!debug && binary->next < binary->places.count + CACHED)
		debug = open_next(binary, source);
	if (!debug && is_worth_fetching(binary, source, want)) {
		const struct binary_wanted wanted = wanted_debug(binary);

		binary->has_asked = true;
		debug = binary_places_fetch(source, &wanted);
	}
	return debug;
}

struct elf_file *binary_find(struct binary *binary, const struct binary_source *source,
			     enum binary_want want)
{
	struct elf_file *file = binary_file(binary, source), *debug;

	if (!file || is_there(file, want))
		return file;
	for (size_t i = 0; i < binary->debugs.count; i++) {
		if (is_there(binary->debugs.items[i], want))
			return binary->debugs.items[i];
	}
	while ((debug = next_debug(binary, source, want))) {
		grow(&binary->debugs);
		binary->debugs.items[binary->debugs.count++] = debug;
		if (is_there(debug, want))
			return debug;
	}
	return NULL;
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
	struct binary_wanted wanted = { .role = BINARY_ALT };
	const char *name = debuginfo_alt(debuginfo, &wanted.id, &wanted.id_size);
	struct elf_file *alt = NULL;

	if (!name)
		return NULL;
	find_roots(&roots, source);
	debugfile_alt_candidates(file, name, wanted.id, wanted.id_size, roots.items, roots.count,
				 &places);
	for (size_t i = 0; i < places.count && !alt; i++)
		alt = binary_places_at(source, &wanted, places.items[i]);
	if (!alt && name[0] == '/' && source->options->symfs) {
		symfs_add_path(source->options, name, &below_symfs);
		alt = binary_places_at(source, &wanted, below_symfs.text);
	}
	if (!alt)
		alt = binary_places_fetch(source, &wanted);
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
