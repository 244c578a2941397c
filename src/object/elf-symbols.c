/* elf-symbols.c - see elf-symbols.h. */
#include "object/elf-symbols.h"

#include <gelf.h>
#include <stdbool.h>
#include <string.h>

#include "object/elf-file.h"
#include "object/elf-plt.h"
#include "object/minidebug.h"
#include "object/symtab.h"

/* How far a symbol without a size reaches in a stripped file. */
enum { STRIPPED_REACH = 4096 };

/* Tail-merged names may share bytes of the string table, so a small hostile file could ask for an
 * endless amount of copies. Real ones stay below four times the string table.
 */
enum { NAMES_FREE = 16 * 1024 * 1024, NAMES_FACTOR = 4 };

struct symbol_source {
	struct symtab_builder *builder;
	const struct elf_file *file; /* that the table is in */
	const struct elf_file *home; /* whose addresses are wanted */
	uint64_t move;               /* to be added, modulo 2^64 */
	bool stripped;
	const char *names;
	size_t names_size;
	size_t names_budget;
	Elf_Data *indexes; /* SHT_SYMTAB_SHNDX or NULL */
	size_t damaged;
};

static const char *symbol_name(struct symbol_source *source, GElf_Word at)
{
	const char *name = source->names + at;
	size_t size;

	if (at >= source->names_size)
		return NULL;
	size = strnlen(name, source->names_size - at);
	if (size == source->names_size - at || size + 1 > source->names_budget)
		return NULL;
	source->names_budget -= size + 1;
	return name;
}

/* $a, $d, $t, $x, perhaps followed by .anything: where ARM code and data begin. RISC-V's $x may be
 * followed by the name of an instruction set.
 */
static bool is_mapping_symbol(const struct symbol_source *source, const char *name)
{
	uint16_t machine = elf_file_machine(source->file);

	if (name[0] != '$' || name[1] == '\0')
		return false;
	if (machine == EM_ARM || machine == EM_AARCH64)
		return strchr("adtx", name[1]) && (name[2] == '\0' || name[2] == '.');
	return machine == EM_RISCV && strchr("dx", name[1]);
}

static bool is_wanted(const GElf_Sym *sym, const struct elf_file_section *section)
{
	unsigned char visibility = GELF_ST_VISIBILITY(sym->st_other);

	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	case STT_NOTYPE:
		return (section->flags & SHF_EXECINSTR) && visibility != STV_HIDDEN &&
		       visibility != STV_INTERNAL;
	default:
		return false;
	}
}

static enum symbol_type type_of(const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_OBJECT:
		return SYMBOL_OBJECT;
	case STT_NOTYPE:
		return SYMBOL_LABEL;
	default:
		return SYMBOL_FUNC;
	}
}

static enum symbol_binding binding_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
		return SYMBOL_GLOBAL;
	case STB_WEAK:
		return SYMBOL_WEAK;
	default: /* STB_GNU_UNIQUE too: perf sees it as not global */
		return SYMBOL_LOCAL;
	}
}

/* The section the symbol is in, or NULL: undefined, absolute, common or damaged. */
static const struct elf_file_section *section_of(const struct symbol_source *source,
						 const GElf_Sym *sym, GElf_Word extended)
{
	size_t index = sym->st_shndx;

	if (index == SHN_XINDEX && source->indexes)
		index = extended;
	else if (index >= SHN_LORESERVE)
		return NULL;
	if (index == SHN_UNDEF || index >= elf_file_section_count(source->file))
		return NULL;
	return elf_file_section(source->file, index);
}

/* Where a relocatable file's section is in the file that was loaded. */
static uint64_t section_base(const struct symbol_source *source,
			     const struct elf_file_section *section)
{
	const struct elf_file_section *same = NULL;

	if (source->file != source->home)
		same = elf_file_section_find(source->home, section->name);
	return same ? same->vaddr : section->vaddr;
}

static uint64_t limit_of(const struct symbol_source *source, uint64_t start, uint64_t section_end)
{
	uint64_t limit = section_end > start ? section_end : start;

	if (source->stripped && limit - start > STRIPPED_REACH)
		limit = start + STRIPPED_REACH;
	return limit;
}

static void add_symbol(struct symbol_source *source, const GElf_Sym *sym, GElf_Word extended)
{
	const struct elf_file_section *section = section_of(source, sym, extended);
	struct symbol symbol = { 0 };
	uint64_t base = 0, section_end;

	/* what is not loaded has no address: .gnu.warning.* is full of "variables" at 0 */
	if (!section || !(section->flags & SHF_ALLOC) || sym->st_name == 0 ||
	    !is_wanted(sym, section))
		return;
	symbol.name = symbol_name(source, sym->st_name);
	if (!symbol.name) {
		source->damaged++;
		return;
	}
	if (!symbol.name[0] || is_mapping_symbol(source, symbol.name) ||
	    !strncmp(symbol.name, ".L", 2))
		return;
	if (elf_file_type(source->file) == ET_REL) {
		base = section_base(source, section);
		section_end = base + section->size;
	} else {
		section_end = section->vaddr + section->size + source->move;
	}
	symbol.start = sym->st_value + base + source->move;
	if (elf_file_machine(source->file) == EM_ARM && GELF_ST_TYPE(sym->st_info) != STT_OBJECT)
		symbol.start &= ~(uint64_t)1; /* the Thumb bit */
	symbol.end =
		sym->st_size > UINT64_MAX - symbol.start ? UINT64_MAX : symbol.start + sym->st_size;
	symbol.binding = (uint8_t)binding_of(sym);
	symbol.type = (uint8_t)type_of(sym);
	symtab_builder_add(source->builder, &symbol, limit_of(source, symbol.start, section_end));
}

/* Extended section numbers, for files with more than 65279 sections. */
static Elf_Data *find_indexes(const struct elf_file *file, size_t symtab)
{
	for (size_t i = 1; i < elf_file_section_count(file); i++) {
		const struct elf_file_section *section = elf_file_section(file, i);

		if (section->type == SHT_SYMTAB_SHNDX && section->link == symtab)
			return elf_getdata(elf_getscn(elf_file_handle(file), i), NULL);
	}
	return NULL;
}

static bool find_names(struct symbol_source *source, const struct elf_file_section *table)
{
	const struct elf_file_section *strings;

	if (table->link == 0 || table->link >= elf_file_section_count(source->file))
		return false;
	strings = elf_file_section(source->file, table->link);
	if (strings->type != SHT_STRTAB)
		return false;
	source->names = elf_file_section_bytes(source->file, strings, &source->names_size);
	if (!source->names)
		return false;
	source->names_budget = NAMES_FREE;
	if (source->names_size < (SIZE_MAX - NAMES_FREE) / NAMES_FACTOR)
		source->names_budget += NAMES_FACTOR * source->names_size;
	return true;
}

static void add_table(struct symbol_source *source, size_t index)
{
	const struct elf_file_section *table = elf_file_section(source->file, index);
	Elf *elf = elf_file_handle(source->file);
	size_t entry = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT), raw_size = 0;
	Elf_Data *symbols;

	if (!elf_file_section_bytes(source->file, table, &raw_size) || !find_names(source, table))
		return;
	symbols = elf_getdata(elf_getscn(elf, index), NULL);
	if (!symbols || !symbols->d_buf || symbols->d_type != ELF_T_SYM || entry == 0)
		return;
	source->indexes = find_indexes(source->file, index);
	for (size_t i = 1; i < symbols->d_size / entry && i <= INT32_MAX; i++) {
		GElf_Word extended = 0;
		GElf_Sym sym;

		if (!gelf_getsymshndx(symbols, source->indexes, (int)i, &sym, &extended)) {
			/* an index table that is too short fails for all that follow */
			source->damaged++;
			break;
		}
		add_symbol(source, &sym, extended);
	}
}

/* Prelink moves all sections of a file, but not those of its debug file. */
static uint64_t moved_by(const struct elf_file *home, const struct elf_file *file)
{
	const struct elf_file_section *here, *there;

	if (home == file || elf_file_type(file) == ET_REL)
		return 0;
	here = elf_file_section_find(home, ".text");
	there = elf_file_section_find(file, ".text");
	return here && there ? here->vaddr - there->vaddr : 0;
}

/* Adds the tables of the type that the file has; returns how many symbols were damaged. */
static size_t add_tables(struct symtab_builder *builder, const struct elf_file *file,
			 const struct elf_file *home, uint32_t type, bool stripped)
{
	struct symbol_source source = { .builder = builder,
					.file = file,
					.home = home,
					.move = moved_by(home, file),
					.stripped = stripped };

	/* An object has at most one of each: more would be hostile. */
	for (size_t i = 1; i < elf_file_section_count(file); i++) {
		if (elf_file_section(file, i)->type != type)
			continue;
		add_table(&source, i);
		break;
	}
	return source.damaged;
}

/* The number of damaged symbols that were left out. */
static size_t add_symbols(struct symtab_builder *builder, const struct elf_file *file,
			  const struct elf_file *debug)
{
	_cleanup_(elf_file_freep) struct elf_file *mini = NULL;
	const struct elf_file *full = NULL;
	size_t damaged = 0;

	if (elf_file_has_symtab(file))
		full = file;
	else if (debug && elf_file_has_symtab(debug))
		full = debug;
	else if (minidebug_load(file, &mini, NULL) > 0)
		full = mini;
	if (full)
		damaged += add_tables(builder, full, file, SHT_SYMTAB, false);
	damaged += add_tables(builder, file, file, SHT_DYNSYM, !full);
	damaged += elf_plt_add(builder, file);
	return damaged;
}

struct symtab *elf_symbols_load(const struct elf_file *file, const struct elf_file *debug,
				size_t *ret_damaged)
{
	struct symtab_builder *builder = symtab_builder_new();
	size_t damaged = add_symbols(builder, file, debug);

	if (ret_damaged)
		*ret_damaged = damaged;
	return symtab_build(builder, SYMTAB_INNERMOST);
}
