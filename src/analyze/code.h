/*
 * code.h - one worker's way to the code that ran: its bytes, and its instructions.
 *
 * Starts with code_init(). Not for several threads at a time; the profile is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object/insn.h"

struct place;
struct profile;
struct str;

enum { CODE_KINDS = 4 }; /* a process runs code of one machine, at most of 32 and of 64 bits */

struct code {
	struct profile *profile; /* borrowed */
	bool intel;              /* instructions as Intel writes them: set before the first */
	struct {
		struct code_kind kind;
		struct insn_reader *reader; /* NULL: such code is not known */
	} known[CODE_KINDS];
	size_t known_count;
};

void code_init(struct code *code, struct profile *profile);
void code_done(struct code *code);

/*
 * Copies the code from a place on: how many bytes, and what reads them. 0 if there is no file that
 * has it, or nothing that reads it.
 */
size_t code_copy(struct code *code, const struct place *place, uint8_t *buffer, size_t size,
		 struct insn_reader **ret_reader);

/*
 * Reads the instruction at a place, and adds its text: @bytes has room for INSN_SIZE_MAX. Without
 * one that can be read its size is 0.
 */
struct insn code_insn(struct code *code, const struct place *place, uint8_t *bytes,
		      struct str *text);
