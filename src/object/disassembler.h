/* disassembler.h - libcapstone, opened for the code of a machine: what reads instructions has one.
 */
#pragma once

#include <capstone/capstone.h>
#include <stdbool.h>

#include "object/insn.h"

/* Starts as { 0 }. Serves one thread at a time. */
struct disassembler {
	csh handle;
	cs_arch arch;
	cs_insn *room; /* for one instruction */
};

/* @details: also what each instruction reads and writes. False: such code is not known, or there is
 * no memory; to be done with all the same. */
bool disassembler_open(struct disassembler *disassembler, struct code_kind kind, bool details);
void disassembler_done(struct disassembler *disassembler);
