/*
 * regs.h - which registers --user-regs, -I and stacks ask for, as masks of attr.sample_regs_*.
 *
 * Names and bits are those of format/registers.h. x86-64 and arm64 are known, in every build, so
 * that both are tested; REGS_HERE is the machine that this was built for.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"

struct strobe_err;

enum regs_machine {
	REGS_X86_64,
	REGS_ARM64,
	REGS_OTHER, /* no names are known, and no stack can be unwound from a copy */
};

#if defined(__x86_64__)
#define REGS_HERE REGS_X86_64
#elif defined(__aarch64__)
#define REGS_HERE REGS_ARM64
#else
#define REGS_HERE REGS_OTHER
#endif

/* As uname -m has it; NULL of REGS_OTHER. */
const char *regs_arch(enum regs_machine machine);

/* "ax,bx,ip" in any case. -EINVAL: unknown; the hint lists those that there are. */
int regs_parse(enum regs_machine machine, const char *text, uint64_t *ret_mask,
	       struct strobe_err *err);

/* All that the kernel can always sample; 0 where none are known. */
uint64_t regs_all(enum regs_machine machine);
/* What every stack needs: instruction and stack pointer. */
uint64_t regs_least(enum regs_machine machine);
/*
 * What a chain of frame pointers lacks: on arm64 a function that calls none has no frame, and its
 * caller is known from the link register alone. 0 where the chain is whole.
 */
uint64_t regs_leaf(enum regs_machine machine);

/* Adds the names, as "--user-regs=?" shows them: "AX BX CX". */
void regs_list(enum regs_machine machine, struct str *names);
