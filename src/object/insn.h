/*
 * insn.h - machine code read instruction by instruction: x86 and arm64, by libcapstone.
 *
 * A build without the library reads none, see insn_is_there().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct insn_reader;
struct str;

/* What code is for: EM_* of <elf.h>. */
struct code_kind {
	uint16_t machine;
	bool is_64bit;
};

enum {
	INSN_SIZE_MAX = 15, /* bytes of the longest, x86's */
};

/* Whether this build reads code at all. */
bool insn_is_there(void);

/* NULL: such code is not known. Serves one thread at a time. */
struct insn_reader *insn_reader_new(struct code_kind kind);
/* Texts as Intel's manuals have them from now on; there is no other way to write arm64's. */
void insn_reader_use_intel(struct insn_reader *reader);
void insn_reader_free(struct insn_reader *reader);
CLEANUP(insn_reader_free, struct insn_reader)

struct insn {
	size_t size;     /* bytes */
	bool departs;    /* never goes on with the next one: a jump, a call, a return, a trap */
	bool has_target; /* a jump or call that says where it goes: */
	uint64_t target;
};

/*
 * Reads the instruction at the begin of @bytes, which lies at @addr; adds its text, as assemblers
 * take it (AT&T's for x86), where @text is not NULL. False if there is none.
 */
bool insn_read(struct insn_reader *reader, const uint8_t *bytes, size_t size, uint64_t addr,
	       struct insn *ret_insn, struct str *text);
