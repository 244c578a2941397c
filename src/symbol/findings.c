/* findings.c - see findings.h. */
#include "symbol/findings.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/dso.h"
#include "object/debuginfo.h"
#include "object/elf-file.h"
#include "object/minidebug.h"

static const char mini_section[] = ".gnu_debugdata";

static const char *keep(struct findings *findings, const char *text)
{
	return arena_strdup(&findings->arena, text);
}

static void add_try(void *context, enum binary_role role, const char *place,
		    enum debugfile_verdict verdict)
{
	struct findings *findings = context;

	grow(&findings->tries);
	findings->tries.items[findings->tries.count++] =
		(struct findings_try){ role, keep(findings, place), verdict };
}

static void add_table(struct findings *findings, struct findings_tables *tables,
		      const char *section, const struct elf_file *file, size_t count)
{
	grow(tables);
	tables->items[tables->count++] =
		(struct findings_table){ section, keep(findings, elf_file_name(file)), count };
}

/* The first entry stands for no symbol. */
static size_t count_symbols(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 1; i < elf_file_section_count(file); i++) {
		const struct elf_file_section *section = elf_file_section(file, i);

		if (section->type == type && section->entry_size > 0 && section->size > 0)
			return (size_t)(section->size / section->entry_size) - 1;
	}
	return 0;
}

static void find_symbols(struct findings *findings, const struct elf_file *file,
			 const struct elf_file *full)
{
	_cleanup_(elf_file_freep) struct elf_file *mini = NULL;

	if (full && elf_file_has_symtab(full))
		add_table(findings, &findings->symbols, ".symtab", full,
			  count_symbols(full, SHT_SYMTAB));
	else if (minidebug_load(file, &mini, NULL) > 0)
		add_table(findings, &findings->symbols, mini_section, file,
			  count_symbols(mini, SHT_SYMTAB));
	if (count_symbols(file, SHT_DYNSYM) > 0)
		add_table(findings, &findings->symbols, ".dynsym", file,
			  count_symbols(file, SHT_DYNSYM));
}

static void find_frames(struct findings *findings, const struct elf_file *file,
			const struct elf_file *debug)
{
	static const char *const sections[] = { ".eh_frame", ".debug_frame", ".ARM.exidx" };
	size_t size;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct elf_file_section *section = elf_file_section_find(file, sections[i]);

		if (section && elf_file_section_bytes(file, section, &size))
			add_table(findings, &findings->frames, sections[i], file, 0);
	}
	if (debug && debug != file && elf_file_section_find(debug, ".debug_frame"))
		add_table(findings, &findings->frames, ".debug_frame", debug, 0);
}

static void find_dwarf(struct findings *findings, const struct binary_source *source)
{
	struct findings_dwarf *dwarf = &findings->dwarf;
	struct debuginfo *debuginfo = binary_debuginfo(&findings->binary, source);
	const struct elf_file *file =
		debuginfo ? binary_find(&findings->binary, source, BINARY_LINES) : NULL;

	if (!file)
		return;
	dwarf->path = keep(findings, elf_file_name(file));
	dwarf->packing = elf_file_section_find(file, ".debug_info")->packing;
	dwarf_traits_find(debuginfo, &dwarf->traits);
	dwarf->alt_name = debuginfo_alt(debuginfo, &dwarf->alt_id, &dwarf->alt_id_size);
	if (findings->binary.alt)
		dwarf->alt_path = keep(findings, elf_file_name(findings->binary.alt));
}

void findings_find(struct findings *findings, const struct binary_source *source)
{
	struct binary_source mine = *source;
	struct binary *binary = &findings->binary;
	const struct elf_file *file;

	mine.tried = add_try;
	mine.context = findings;
	file = binary_file(binary, &mine);
	if (!file) {
		findings->reason = reason_text(binary->reason);
		findings->build_id = source->dso->build_id;
		findings->build_id_size = source->dso->build_id_size;
		return;
	}
	findings->path = keep(findings, elf_file_name(file));
	findings->build_id_size = elf_file_build_id(file, &findings->build_id);
	find_symbols(findings, file, binary_find(binary, &mine, BINARY_SYMBOLS));
	find_frames(findings, file, binary_find(binary, &mine, BINARY_FRAMES));
	find_dwarf(findings, &mine);
}

void findings_done(struct findings *findings)
{
	binary_done(&findings->binary);
	free(findings->symbols.items);
	free(findings->frames.items);
	free(findings->tries.items);
	arena_done(&findings->arena);
}

enum findings_names findings_names(const struct findings *findings)
{
	enum findings_names names = FINDINGS_NO_NAMES;

	for (size_t i = 0; i < findings->symbols.count; i++) {
		const struct findings_table *table = &findings->symbols.items[i];

		if (table->count > 0 && strcmp(table->section, ".dynsym") != 0)
			return FINDINGS_ALL_NAMES;
		if (table->count > 0)
			names = FINDINGS_EXPORTED_NAMES;
	}
	return names;
}
