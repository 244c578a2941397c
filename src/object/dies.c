/* dies.c - see dies.h. */
#include "object/dies.h"

#include <dwarf.h>
#include <gelf.h>

#include "object/dwarf-reader.h"

enum {
	CODES_MAX = 1 << 16,   /* numbers of kinds of entries, which count from 1 */
	ATTRIBUTES_MAX = 1024, /* of one kind */
};

/* How to get over a value. */
enum step_kind {
	STEP_BYTES,  /* so many */
	STEP_NUMBER, /* of varying length */
	STEP_STRING, /* up to its NUL */
	STEP_BLOCK,  /* so many as a number of @size bytes says (0: of varying length) */
	STEP_FORM,   /* what it is, stands before it */
};

struct step {
	enum step_kind kind;
	uint32_t size;
};

/* What all entries of one code have in common. */
struct kind {
	bool known, has_children;
	int tag;
	size_t first, count; /* steps */
};

struct dies {
	Dwarf_Die unit;
	struct dwarf_reader reader;
	size_t size;
	size_t depth;      /* of what is read next */
	bool has_children; /* the last entry */
	uint8_t address_size, offset_size;
	uint16_t version;
	struct {
		struct kind *items;
		size_t count, capacity;
	} kinds; /* by code */
	struct {
		struct step *items;
		size_t count, capacity;
	} steps;
};

/* The end of the section that has the unit: what the unit says of its own length may go beyond. */
static const uint8_t *section_end(Dwarf_Die *unit)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(unit->cu));
	const uint8_t *at = unit->addr;
	Elf_Scn *section = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;
		const Elf_Data *data =
			name && strstr(name, "debug_info") ? elf_getdata(section, NULL) : NULL;
		const uint8_t *begin = data ? data->d_buf : NULL;

		if (begin && at >= begin && at < begin + data->d_size)
			return begin + data->d_size;
	}
	return NULL;
}

static bool find_extent(struct dies *dies)
{
	Dwarf_Die *unit = &dies->unit;
	Dwarf_Off here = dwarf_dieoffset(unit), before = dwarf_cuoffset(unit), next;
	const uint8_t *at = unit->addr, *end = section_end(unit);
	size_t header_size;

	if (!end || here == (Dwarf_Off)-1 || before == (Dwarf_Off)-1 || here < before ||
	    dwarf_next_unit(dwarf_cu_getdwarf(unit->cu), here - before, &next, &header_size, NULL,
			    NULL, NULL, NULL, NULL, NULL) != 0 ||
	    next < here)
		return false;
	if (next - here < (Dwarf_Off)(end - at))
		end = at + (next - here);
	dies->reader = (struct dwarf_reader){ .at = at, .end = end };
	dies->size = (size_t)(end - at);
	return true;
}

struct dies *dies_new(const Dwarf_Die *unit)
{
	_cleanup_(dies_freep) struct dies *dies = xnew(struct dies);
	struct dies_entry own;
	Dwarf_Die ignored;

	dies->unit = *unit;
	if (!dwarf_diecu(&dies->unit, &ignored, &dies->address_size, &dies->offset_size) ||
	    dwarf_cu_info(dies->unit.cu, &dies->version, NULL, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    !find_extent(dies) || !dies_next(dies, &own) || !dies->has_children)
		return NULL;
	return take(dies);
}

void dies_free(struct dies *dies)
{
	if (!dies)
		return;
	free(dies->kinds.items);
	free(dies->steps.items);
	free(dies);
}

size_t dies_size(const struct dies *dies)
{
	return dies->size;
}

/* False of a form that nobody knows. */
static bool step_of(const struct dies *dies, unsigned form, struct step *ret_step)
{
	static const struct {
		unsigned form;
		struct step step;
	} steps[] = {
		{ DW_FORM_data1, { STEP_BYTES, 1 } },
		{ DW_FORM_data2, { STEP_BYTES, 2 } },
		{ DW_FORM_data4, { STEP_BYTES, 4 } },
		{ DW_FORM_data8, { STEP_BYTES, 8 } },
		{ DW_FORM_data16, { STEP_BYTES, 16 } },
		{ DW_FORM_flag, { STEP_BYTES, 1 } },
		{ DW_FORM_flag_present, { STEP_BYTES, 0 } },
		{ DW_FORM_implicit_const, { STEP_BYTES, 0 } },
		{ DW_FORM_ref1, { STEP_BYTES, 1 } },
		{ DW_FORM_ref2, { STEP_BYTES, 2 } },
		{ DW_FORM_ref4, { STEP_BYTES, 4 } },
		{ DW_FORM_ref8, { STEP_BYTES, 8 } },
		{ DW_FORM_ref_sig8, { STEP_BYTES, 8 } },
		{ DW_FORM_ref_sup4, { STEP_BYTES, 4 } },
		{ DW_FORM_ref_sup8, { STEP_BYTES, 8 } },
		{ DW_FORM_strx1, { STEP_BYTES, 1 } },
		{ DW_FORM_strx2, { STEP_BYTES, 2 } },
		{ DW_FORM_strx3, { STEP_BYTES, 3 } },
		{ DW_FORM_strx4, { STEP_BYTES, 4 } },
		{ DW_FORM_addrx1, { STEP_BYTES, 1 } },
		{ DW_FORM_addrx2, { STEP_BYTES, 2 } },
		{ DW_FORM_addrx3, { STEP_BYTES, 3 } },
		{ DW_FORM_addrx4, { STEP_BYTES, 4 } },
		{ DW_FORM_sdata, { STEP_NUMBER, 0 } },
		{ DW_FORM_udata, { STEP_NUMBER, 0 } },
		{ DW_FORM_ref_udata, { STEP_NUMBER, 0 } },
		{ DW_FORM_strx, { STEP_NUMBER, 0 } },
		{ DW_FORM_addrx, { STEP_NUMBER, 0 } },
		{ DW_FORM_loclistx, { STEP_NUMBER, 0 } },
		{ DW_FORM_rnglistx, { STEP_NUMBER, 0 } },
		{ DW_FORM_GNU_addr_index, { STEP_NUMBER, 0 } },
		{ DW_FORM_GNU_str_index, { STEP_NUMBER, 0 } },
		{ DW_FORM_string, { STEP_STRING, 0 } },
		{ DW_FORM_block1, { STEP_BLOCK, 1 } },
		{ DW_FORM_block2, { STEP_BLOCK, 2 } },
		{ DW_FORM_block4, { STEP_BLOCK, 4 } },
		{ DW_FORM_block, { STEP_BLOCK, 0 } },
		{ DW_FORM_exprloc, { STEP_BLOCK, 0 } },
		{ DW_FORM_indirect, { STEP_FORM, 0 } },
	};

	switch (form) {
	case DW_FORM_addr:
		*ret_step = (struct step){ STEP_BYTES, dies->address_size };
		return true;
	case DW_FORM_ref_addr:
		*ret_step = (struct step){ STEP_BYTES, dies->version < 3 ? dies->address_size
									 : dies->offset_size };
		return true;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		*ret_step = (struct step){ STEP_BYTES, dies->offset_size };
		return true;
	default:
		break;
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (steps[i].form == form) {
			*ret_step = steps[i].step;
			return true;
		}
	}
	return false;
}

/* Steps over a fixed number of bytes, one after another, are one. */
static void add_step(struct dies *dies, const struct kind *kind, struct step step)
{
	grow(&dies->steps);
	if (step.kind == STEP_BYTES && dies->steps.count > kind->first &&
	    dies->steps.items[dies->steps.count - 1].kind == STEP_BYTES)
		dies->steps.items[dies->steps.count - 1].size += step.size;
	else
		dies->steps.items[dies->steps.count++] = step;
}

/* Of a code that is seen for the first time. @die has it. */
static bool read_kind(struct dies *dies, Dwarf_Die *die, struct kind *kind)
{
	unsigned form;

	kind->tag = dwarf_tag(die);
	if (kind->tag <= 0 || !die->abbrev)
		return false;
	kind->has_children = dwarf_abbrevhaschildren(die->abbrev);
	kind->first = dies->steps.count;
	for (size_t i = 0; dwarf_getabbrevattr(die->abbrev, i, NULL, &form, NULL) == 0; i++) {
		struct step step;

		if (i >= ATTRIBUTES_MAX || !step_of(dies, form, &step))
			return false;
		add_step(dies, kind, step);
	}
	kind->count = dies->steps.count - kind->first;
	kind->known = true;
	return true;
}

static const struct kind *kind_of(struct dies *dies, uint64_t code, Dwarf_Die *die)
{
	if (code >= CODES_MAX)
		return NULL;
	while (dies->kinds.count <= code) {
		grow(&dies->kinds);
		dies->kinds.items[dies->kinds.count++] = (struct kind){ 0 };
	}
	if (!dies->kinds.items[code].known && !read_kind(dies, die, &dies->kinds.items[code]))
		return NULL;
	return &dies->kinds.items[code];
}

static uint64_t number(struct dwarf_reader *reader, uint32_t size)
{
	return size ? dwarf_number(reader, size) : dwarf_uleb(reader);
}

static void skip_string(struct dwarf_reader *reader)
{
	const uint8_t *end = memchr(reader->at, 0, dwarf_left(reader));

	dwarf_skip(reader, end ? (uint64_t)(end - reader->at) + 1 : UINT64_MAX);
}

static void take_step(struct dies *dies, struct step step)
{
	struct dwarf_reader *reader = &dies->reader;

	/* A form may say that the next number is the form, which may say so again. */
	while (step.kind == STEP_FORM) {
		uint64_t form = dwarf_uleb(reader);

		if (form > UINT32_MAX || !step_of(dies, (unsigned)form, &step)) {
			reader->failed = true;
			return;
		}
	}
	switch (step.kind) {
	case STEP_BYTES:
		dwarf_skip(reader, step.size);
		break;
	case STEP_NUMBER:
		(void)dwarf_uleb(reader);
		break;
	case STEP_STRING:
		skip_string(reader);
		break;
	case STEP_BLOCK:
		dwarf_skip(reader, number(reader, step.size));
		break;
	case STEP_FORM:
		break;
	}
}

/* To the code of the next entry; 0: there is none. */
static uint64_t next_code(struct dies *dies, const uint8_t **ret_at)
{
	uint64_t code;

	if (dies->has_children)
		dies->depth++;
	dies->has_children = false;
	for (;;) {
		*ret_at = dies->reader.at;
		code = dwarf_uleb(&dies->reader);
		if (code != 0 || dies->reader.failed)
			return dies->reader.failed ? 0 : code;
		if (dies->depth <= 1) /* the end of what is below the unit */
			return 0;
		dies->depth--;
	}
}

bool dies_next(struct dies *dies, struct dies_entry *ret_entry)
{
	Dwarf_Die die = { .cu = dies->unit.cu };
	const struct kind *kind;
	const uint8_t *at;
	uint64_t code = next_code(dies, &at);
	size_t depth = dies->depth;

	die.addr = (void *)at;
	kind = code ? kind_of(dies, code, &die) : NULL;
	if (!kind)
		return false;
	for (size_t i = 0; i < kind->count; i++)
		take_step(dies, dies->steps.items[kind->first + i]);
	if (dies->reader.failed)
		return false;
	dies->has_children = kind->has_children;
	*ret_entry = (struct dies_entry){ die, kind->tag, depth };
	return true;
}
