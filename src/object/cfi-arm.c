/* cfi-arm.c - see cfi-arm.h. */
#include "object/cfi-arm.h"

#include <elf.h>
#include <errno.h>

#include "object/cfi.h"
#include "object/dwarf-reader.h"
#include "object/elf-file.h"

enum { SP = 13, LINK = 14, PC = 15, WORD = 4, DOUBLE = 8, ITEM_SIZE = 2 * WORD };

/* The second word of what no frame can be found by. */
enum { CANNOT_UNWIND = 1 };

/* Stands at the end, and where there is no room for it goes without saying. */
enum { FINISH = 0xb0 };

#define COMPACT UINT32_C(0x80000000)

/* Instructions stand in words, highest byte first. */
struct arm_code {
	uint32_t word;
	unsigned left; /* bytes in it */
	struct dwarf_reader more;
	size_t more_count; /* words */
	bool is_over;      /* more was wanted than there is */
};

/*
 * What they do, worked out: they move a pointer up the stack, and take registers from where it is.
 * All of it is by one register, plus a number.
 */
struct arm_frame {
	uint8_t base;
	int64_t offset;     /* where the pointer is now */
	unsigned long kept; /* bit N: register N lies at places[N] */
	int64_t places[CFI_REGISTERS];
	bool failed;
};

/* A number of 31 bits, relative to where it stands. */
static uint64_t place(uint64_t vaddr, uint32_t word)
{
	return (uint32_t)(vaddr + (uint64_t)((int32_t)(word << 1) >> 1));
}

static uint32_t item_word(const struct cfi_arm *arm, size_t i, size_t which)
{
	struct dwarf_reader reader = { .at = arm->bytes + i * ITEM_SIZE + which * WORD };

	reader.end = reader.at + WORD;
	return (uint32_t)dwarf_number(&reader, WORD);
}

static uint64_t item_start(const struct cfi_arm *arm, size_t i)
{
	return place(arm->vaddr + i * ITEM_SIZE, item_word(arm, i, 0));
}

void cfi_arm_init(struct cfi_arm *arm, const struct elf_file *file)
{
	uint64_t size;
	size_t there = 0;

	*arm = (struct cfi_arm){ 0 };
	if (elf_file_machine(file) != EM_ARM ||
	    !elf_file_header(file, PT_ARM_EXIDX, &arm->vaddr, &size))
		return;
	arm->bytes = elf_file_loaded(file, arm->vaddr, &there);
	arm->count = (size_t)(size < there ? size : there) / ITEM_SIZE;
	arm->file = file;
}

static uint8_t next(struct arm_code *code)
{
	uint8_t byte;

	if (code->left == 0) {
		if (code->more_count == 0) {
			code->is_over = true;
			return FINISH;
		}
		code->word = (uint32_t)dwarf_number(&code->more, WORD);
		code->left = WORD;
		code->more_count--;
	}
	byte = (uint8_t)(code->word >> 24);
	code->word <<= 8;
	code->left--;
	return byte;
}

/* The lowest lies lowest. */
static void take_registers(struct arm_frame *frame, unsigned long mask)
{
	for (unsigned i = 0; i <= PC; i++) {
		if (!(mask >> i & 1))
			continue;
		frame->kept |= 1UL << i;
		frame->places[i] = frame->offset;
		frame->offset += WORD;
	}
}

/* What was taken by another register before cannot be said by this one. */
static void rebase(struct arm_frame *frame, uint8_t base)
{
	frame->failed |= frame->kept != 0 || base == SP || base == PC;
	frame->base = base;
	frame->offset = 0;
}

static void move_far(struct arm_frame *frame, struct arm_code *code)
{
	uint64_t number = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = next(code);
		number |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 32);
	frame->offset += 0x204 + (int64_t)(number << 2);
}

/* 0x80 to 0x8f, with a byte more: r4 to r15. No register at all: there is no way. */
static void take_high(struct arm_frame *frame, unsigned long high, uint8_t low)
{
	unsigned long mask = high << 8 | low;

	frame->failed |= mask == 0;
	take_registers(frame, mask << 4);
}

/* Floating point and vectors are not followed: how many bytes they take is all that counts. */
static void skip_doubles(struct arm_frame *frame, unsigned count, unsigned more)
{
	frame->offset += (int64_t)count * DOUBLE + more;
}

/* A byte of two halves: the first register, and how many behind it. */
static unsigned counted(struct arm_code *code)
{
	return (next(code) & 0x0fU) + 1;
}

/* 0xb1 to 0xbf. */
static void run_other(struct arm_frame *frame, struct arm_code *code, uint8_t opcode)
{
	uint8_t mask;

	switch (opcode) {
	case 0xb1:
		mask = next(code);
		frame->failed |= mask == 0 || mask > 0x0f;
		take_registers(frame, mask);
		return;
	case 0xb2:
		move_far(frame, code);
		return;
	case 0xb3: /* as FSTMX stored them, with a word behind */
		skip_doubles(frame, counted(code), WORD);
		return;
	case 0xb4: /* the return address's authentication code */
		frame->offset += WORD;
		return;
	case 0xb5: /* which is made with the pointer as it is here */
		return;
	default:
		frame->failed |= opcode < 0xb8;
		skip_doubles(frame, (opcode & 7U) + 1, WORD);
	}
}

/* 0xc0 to 0xff: registers of coprocessors. */
static void run_vector(struct arm_frame *frame, struct arm_code *code, uint8_t opcode)
{
	uint8_t mask;

	if (opcode < 0xc6) {
		skip_doubles(frame, (opcode & 7U) + 1, 0);
	} else if (opcode == 0xc7) {
		mask = next(code);
		frame->failed |= mask == 0 || mask > 0x0f;
		frame->offset += (int64_t)__builtin_popcount(mask) * WORD;
	} else if (opcode < 0xca) {
		skip_doubles(frame, counted(code), 0);
	} else {
		frame->failed |= opcode < 0xd0 || opcode > 0xd7;
		skip_doubles(frame, (opcode & 7U) + 1, 0);
	}
}

static void run_one(struct arm_frame *frame, struct arm_code *code, uint8_t opcode)
{
	switch (opcode >> 4) {
	case 0x0:
	case 0x1:
	case 0x2:
	case 0x3:
		frame->offset += ((opcode & 0x3f) << 2) + 4;
		return;
	case 0x4:
	case 0x5:
	case 0x6:
	case 0x7:
		frame->offset -= ((opcode & 0x3f) << 2) + 4;
		return;
	case 0x8:
		take_high(frame, opcode & 0x0f, next(code));
		return;
	case 0x9:
		rebase(frame, opcode & 0x0f);
		return;
	case 0xa: /* from r4 on, with or without the link register */
		take_registers(frame,
			       ((2UL << (opcode & 7)) - 1) << 4 | (opcode & 8 ? 1UL << LINK : 0));
		return;
	case 0xb:
		run_other(frame, code, opcode);
		return;
	default:
		run_vector(frame, code, opcode);
	}
}

static int run(struct arm_code *code, struct cfi_row *ret_row)
{
	struct arm_frame frame = { .base = SP };
	uint8_t opcode;

	while ((opcode = next(code)) != FINISH) {
		run_one(&frame, code, opcode);
		/* Also what an instruction consists of. */
		if (frame.failed || code->is_over)
			return -EBADMSG;
	}
	if (code->more.failed)
		return -EBADMSG;
	ret_row->cfa.reg = frame.base;
	ret_row->cfa_offset = frame.offset;
	for (unsigned i = 0; i <= PC; i++) {
		if (frame.kept >> i & 1)
			ret_row->registers[i] =
				(struct cfi_rule){ .kind = CFI_OFFSET,
						   .offset = frame.places[i] - frame.offset };
	}
	if (frame.kept >> PC & 1)
		ret_row->return_column = PC;
	/* Who has a stack pointer from memory, too, goes on with what was interrupted. */
	ret_row->signal_frame = frame.kept >> PC & frame.kept >> SP & 1;
	return 0;
}

/*
 * Where the instructions are that belong to a word: in it, and in some behind it. A word that has
 * none names the function that understands what follows; those of all compilers expect the same
 * there, but for the first byte.
 */
static bool find_code(const struct cfi_arm *arm, uint64_t vaddr, struct arm_code *ret_code)
{
	size_t size = 0;
	const uint8_t *bytes = elf_file_loaded(arm->file, vaddr, &size);
	struct dwarf_reader reader = { .at = bytes, .end = bytes ? bytes + size : NULL };
	uint32_t word = (uint32_t)dwarf_number(&reader, WORD);
	unsigned kind = word >> 24 & 0x7f;

	*ret_code = (struct arm_code){ .word = word << 8, .left = 3 };
	if (!(word & COMPACT)) {
		word = (uint32_t)dwarf_number(&reader, WORD);
		*ret_code =
			(struct arm_code){ .word = word << 8, .left = 3, .more_count = word >> 24 };
	} else if (kind == 1 || kind == 2) {
		*ret_code = (struct arm_code){ .word = word << 16,
					       .left = 2,
					       .more_count = word >> 16 & 0xff };
	} else if (kind != 0) {
		return false;
	}
	ret_code->more = reader;
	return !reader.failed;
}

static bool find_item(const struct cfi_arm *arm, uint64_t vaddr, size_t *ret_i)
{
	size_t low = 0, high = arm->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (item_start(arm, middle) <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_i = low - 1;
	return low > 0;
}

int cfi_arm_find(const struct cfi_arm *arm, uint64_t vaddr, struct cfi_row *ret_row)
{
	struct arm_code code;
	uint64_t at;
	uint32_t word;
	size_t i;

	if (!find_item(arm, vaddr, &i))
		return -ENOENT;
	word = item_word(arm, i, 1);
	if (word == CANNOT_UNWIND)
		return -ENOENT;
	*ret_row = (struct cfi_row){ .function = item_start(arm, i),
				     .cfa = { .kind = CFI_REGISTER, .reg = SP },
				     .return_column = LINK };
	if (vaddr == ret_row->function)
		return 0;
	at = arm->vaddr + i * ITEM_SIZE + WORD;
	if (!find_code(arm, word & COMPACT ? at : place(at, word), &code))
		return -EBADMSG;
	return run(&code, ret_row);
}
