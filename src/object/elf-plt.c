/* elf-plt.c - see elf-plt.h. */
#include "object/elf-plt.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "object/elf-file.h"
#include "object/symtab.h"

/* Longer names are damaged: no compiler makes them for what another object exports. */
enum { NAME_MAX_SIZE = 4096 };

/* Of all names: a hostile file may have a stub of 8 bytes for one long name a million times. */
enum { NAMES_MAX_SIZE = 64 * 1024 * 1024 };

/* One slot of the GOT and who fills it. */
struct slot {
	uint64_t addr;
	uint64_t resolver; /* of an IFUNC without a symbol */
	const char *name;  /* NULL if only that is known */
};

struct plt {
	struct symtab_builder *builder;
	const struct elf_file *file;
	struct slot *items;
	size_t count, capacity;
	uint64_t got; /* what ebx holds in i386's position-independent stubs */
	size_t names_size;
	size_t damaged;
};

/* What was read of one stub. */
struct stub {
	uint64_t slot;
	size_t before; /* bytes of the stub before the place where it was found */
};

struct relocation_types {
	uint16_t machine;
	uint32_t jump_slot, glob_dat, irelative;
};

static const struct relocation_types known_types[] = {
	{ EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE },
	{ EM_386, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE },
	{ EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE },
};

static const struct relocation_types *types_of(const struct elf_file *file)
{
	for (size_t i = 0; i < sizeof(known_types) / sizeof(*known_types); i++)
		if (known_types[i].machine == elf_file_machine(file))
			return &known_types[i];
	return NULL;
}

/* Reads relocation i; a REL has its addend in the slot, which is of no use here. */
static bool read_relocation(Elf_Data *bytes, bool has_addend, int i, GElf_Rela *ret_rela)
{
	GElf_Rel rel;

	if (has_addend)
		return gelf_getrela(bytes, i, ret_rela);
	if (!gelf_getrel(bytes, i, &rel))
		return false;
	*ret_rela = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
	return true;
}

static const char *function_name(Elf *elf, const struct elf_file_section *dynsym, Elf_Data *symbols,
				 uint64_t index)
{
	const char *name;
	GElf_Sym sym;

	if (index > INT32_MAX || !gelf_getsym(symbols, (int)index, &sym))
		return NULL;
	name = elf_strptr(elf, dynsym->link, sym.st_name);
	return name && name[0] && strnlen(name, NAME_MAX_SIZE) < NAME_MAX_SIZE ? name : NULL;
}

static void add_slots(struct plt *plt, size_t index, const struct relocation_types *types)
{
	const struct elf_file_section *table = elf_file_section(plt->file, index);
	Elf *elf = elf_file_handle(plt->file);
	bool has_addend = table->type == SHT_RELA;
	size_t entry = gelf_fsize(elf, has_addend ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	const struct elf_file_section *dynsym = NULL;
	Elf_Data *bytes = elf_getdata(elf_getscn(elf, index), NULL), *symbols = NULL;

	if (!bytes || !bytes->d_buf || entry == 0)
		return;
	if (table->link > 0 && table->link < elf_file_section_count(plt->file)) {
		dynsym = elf_file_section(plt->file, table->link);
		if (dynsym->type == SHT_DYNSYM)
			symbols = elf_getdata(elf_getscn(elf, table->link), NULL);
	}
	for (size_t i = 0; i < bytes->d_size / entry && i < INT32_MAX; i++) {
		struct slot slot = { 0 };
		GElf_Rela rela;
		uint32_t type;

		if (!read_relocation(bytes, has_addend, (int)i, &rela))
			break;
		type = (uint32_t)GELF_R_TYPE(rela.r_info);
		if (type != types->jump_slot && type != types->glob_dat && type != types->irelative)
			continue;
		slot.addr = rela.r_offset;
		slot.resolver = (uint64_t)rela.r_addend;
		if (type != types->irelative) {
			slot.name = symbols ? function_name(elf, dynsym, symbols,
							    GELF_R_SYM(rela.r_info))
					    : NULL;
			if (!slot.name) {
				plt->damaged++;
				continue;
			}
		}
		grow(plt);
		plt->items[plt->count++] = slot;
	}
}

/* All before the first stub is added: each look-up after an addition sorts again. */
static void name_resolvers(struct plt *plt)
{
	for (size_t i = 0; i < plt->count; i++) {
		struct slot *slot = &plt->items[i];

		if (slot->name)
			continue;
		slot->name = symtab_builder_name_at(plt->builder, slot->resolver);
		if (slot->name && strnlen(slot->name, NAME_MAX_SIZE) == NAME_MAX_SIZE)
			slot->name = NULL;
	}
}

static int by_addr(const void *va, const void *vb)
{
	const struct slot *a = va, *b = vb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static uint32_t read_le32(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/* x86: [endbr] [bnd] jmp *slot, where the slot is relative to the next instruction (x86-64),
 * absolute, or relative to ebx (i386).
 */
static bool read_x86(const struct plt *plt, const uint8_t *code, size_t size, uint64_t pc,
		     struct stub *ret_stub)
{
	bool is_64bit = elf_file_machine(plt->file) == EM_X86_64;
	size_t at = 0;
	uint32_t operand;

	if (size >= 4 && code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e &&
	    (code[3] == 0xfa || code[3] == 0xfb))
		at = 4;
	if (at < size && code[at] == 0xf2)
		at++;
	if (size < at + 6 || code[at] != 0xff)
		return false;
	operand = read_le32(code + at + 2);
	*ret_stub = (struct stub){ 0 };
	if (code[at + 1] == 0x25 && is_64bit)
		ret_stub->slot = pc + at + 6 + (uint64_t)(int64_t)(int32_t)operand;
	else if (code[at + 1] == 0x25)
		ret_stub->slot = operand;
	else if (code[at + 1] == 0xa3 && !is_64bit)
		ret_stub->slot = (uint32_t)(plt->got + operand);
	else
		return false;
	return true;
}

/* AArch64: [bti c] adrp x16, slot's page; ldr x17, [x16, slot in page]; ... */
static bool read_aarch64(const uint8_t *code, size_t size, uint64_t pc, struct stub *ret_stub)
{
	uint32_t adrp, ldr;
	uint64_t page;

	if (size < 8)
		return false;
	adrp = read_le32(code);
	ldr = read_le32(code + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	page = (uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
	if (page & 1 << 20)
		page |= ~(uint64_t)0 << 21;
	ret_stub->slot = (pc & ~(uint64_t)4095) + (page << 12) + (uint64_t)(ldr >> 10 & 0xfff) * 8;
	ret_stub->before = 0;
	return true;
}

static bool read_stub(const struct plt *plt, const uint8_t *code, size_t size, size_t at,
		      uint64_t pc, struct stub *ret_stub)
{
	if (elf_file_machine(plt->file) != EM_AARCH64)
		return read_x86(plt, code + at, size - at, pc + at, ret_stub);
	if (!read_aarch64(code + at, size - at, pc + at, ret_stub))
		return false;
	if (at >= 4 && read_le32(code + at - 4) == 0xd503245f) /* bti c */
		ret_stub->before = 4;
	return true;
}

/* A stub ends where the next one starts, but is not longer than they are: with BTI they have 24
 * bytes, otherwise 16.
 */
static void add_stub(struct plt *plt, const struct slot *slot, uint64_t start, uint64_t next)
{
	uint64_t size_max = elf_file_machine(plt->file) == EM_AARCH64 ? 24 : 16;
	char name[NAME_MAX_SIZE + sizeof("@plt")];
	struct symbol symbol = { .start = start, .name = name, .type = SYMBOL_PLT };

	symbol.end = next - start < size_max ? next : start + size_max;
	if (slot->name)
		(void)snprintf(name, sizeof(name), "%s@plt", slot->name);
	else
		(void)snprintf(name, sizeof(name), "*ABS*+0x%" PRIx64 "@plt", slot->resolver);
	plt->names_size += strlen(name) + 1;
	if (plt->names_size > NAMES_MAX_SIZE)
		plt->damaged++;
	else
		symtab_builder_add(plt->builder, &symbol, symbol.end);
}

/* Stubs are found at their alignment: 4 on AArch64, 8 on x86. */
static void add_section(struct plt *plt, const struct elf_file_section *section)
{
	size_t step = elf_file_machine(plt->file) == EM_AARCH64 ? 4 : 8;
	const struct slot *found = NULL;
	uint64_t start = 0, base = section->vaddr;
	size_t size = 0;
	const uint8_t *code = elf_file_section_bytes(plt->file, section, &size);

	if (!code || base > UINT64_MAX - size)
		return;
	for (size_t at = 0; at < size; at += step) {
		const struct slot *slot = NULL;
		struct stub stub;

		if (read_stub(plt, code, size, at, base, &stub))
			slot = bsearch(&(struct slot){ .addr = stub.slot }, plt->items, plt->count,
				       sizeof(*plt->items), by_addr);
		if (!slot)
			continue;
		if (found)
			add_stub(plt, found, start, base + at - stub.before);
		found = slot;
		start = base + at - stub.before;
	}
	if (found)
		add_stub(plt, found, start, base + size);
}

static void add_rest(struct plt *plt, const struct elf_file_section *section)
{
	struct symbol symbol = { .start = section->vaddr,
				 .end = section->vaddr + section->size,
				 .name = ".plt",
				 .binding = SYMBOL_LOCAL,
				 .type = SYMBOL_PLT };

	if (symbol.end > symbol.start)
		symtab_builder_add(plt->builder, &symbol, symbol.end);
}

size_t elf_plt_add(struct symtab_builder *builder, const struct elf_file *file)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.bnd", ".plt.got", ".iplt" };
	const struct relocation_types *types = types_of(file);
	struct plt plt = { .builder = builder, .file = file };
	const struct elf_file_section *section;

	if (!types)
		return 0;
	for (size_t i = 1; i < elf_file_section_count(file); i++) {
		section = elf_file_section(file, i);
		if ((section->type == SHT_RELA || section->type == SHT_REL) &&
		    (section->flags & SHF_ALLOC))
			add_slots(&plt, i, types);
	}
	if (plt.count > 0)
		qsort(plt.items, plt.count, sizeof(*plt.items), by_addr);
	name_resolvers(&plt);
	section = elf_file_section_find(file, ".got.plt");
	if (!section)
		section = elf_file_section_find(file, ".got");
	plt.got = section ? section->vaddr : 0;

	for (size_t i = 0; plt.count > 0 && i < sizeof(names) / sizeof(*names); i++) {
		section = elf_file_section_find(file, names[i]);
		if (section)
			add_section(&plt, section);
	}
	section = elf_file_section_find(file, ".plt");
	if (section && section->type == SHT_PROGBITS)
		add_rest(&plt, section);
	free(plt.items);
	return plt.damaged;
}
