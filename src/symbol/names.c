/* names.c - see names.h. */
#include "symbol/names.h"

#include "base/mem.h"
#include "model/timeline.h"
#include "object/elf-file.h"
#include "object/elf-symbols.h"

void names_done(struct names *names)
{
	symtab_free(names->own_table);
	free(names->segments);
	*names = (struct names){ 0 };
}

void names_set_table(struct names *names, enum names_kind kind, struct symtab *table)
{
	names->kind = kind;
	names->table = names->own_table = table;
	names->reason = symtab_count(table) > 0 ? REASON_NONE : REASON_STRIPPED;
}

void names_set_file(struct names *names, const struct elf_file *file, const struct elf_file *debug)
{
	names_set_table(names, NAMES_FILE, elf_symbols_load(file, debug, NULL));
	if (names->reason == REASON_NONE && !elf_file_has_symtab(file) && !debug)
		names->gap_reason = REASON_PARTLY_STRIPPED;
	names->mangled = true;
	names->segment_count = elf_file_segment_count(file);
	names->segments = xcalloc(names->segment_count + 1, sizeof(*names->segments));
	for (size_t i = 0; i < names->segment_count; i++)
		names->segments[i] = *elf_file_segment(file, i);
}

/* As elf_file_offset_to_vaddr(), but the file need not stay open; NULL if none has the offset. */
static const struct elf_file_segment *segment_of(const struct names *names, uint64_t offset)
{
	const struct elf_file_segment *best = NULL;

	for (size_t i = 0; i < names->segment_count; i++) {
		const struct elf_file_segment *segment = &names->segments[i];

		if (offset < segment->offset || offset - segment->offset >= segment->file_size)
			continue;
		if (!best || (segment->executable && !best->executable))
			best = segment;
	}
	return best;
}

static uint64_t vaddr_of(const struct names *names, uint64_t offset)
{
	const struct elf_file_segment *segment = segment_of(names, offset);

	return segment ? offset - segment->offset + segment->vaddr : offset;
}

bool names_has(const struct names *names, const struct map *map, uint64_t addr)
{
	const struct elf_file_segment *segment;

	if (names->kind != NAMES_FILE || names->segment_count == 0)
		return true;
	segment = segment_of(names, addr - map->start + map->pgoff);
	return segment && (segment->executable || !map->remapped);
}

uint64_t names_address(const struct names *names, const struct map *map, uint64_t addr)
{
	switch (names->kind) {
	case NAMES_FILE:
		return vaddr_of(names, addr - map->start + map->pgoff);
	case NAMES_CODE:
		return addr - map->start + map->pgoff;
	case NAMES_MODULE:
		return addr - map->start + names->text_offset;
	default:
		return addr;
	}
}

const struct symbol *names_find(const struct names *names, const struct map *map,
				uint64_t object_addr)
{
	const struct symbol *symbol;

	if (!names->table)
		return NULL;
	if (names->kind == NAMES_MODULE && object_addr - names->text_offset >= names->text_size)
		return NULL;
	symbol = symtab_find(names->table, object_addr - names->moved_by);
	if (symbol && names->only_group && symbol->group != names->group)
		return NULL;
	return symbol;
}
