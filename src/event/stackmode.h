/*
 * stackmode.h - what --call-graph and the term call-graph= ask for.
 *
 *	fp[,FRAMES]	frame pointers, walked by the kernel; at most FRAMES
 *	fp,defer	the user's part when the kernel is about to return there, once for many
 *			samples
 *	dwarf[,SIZE]	registers and a copy of the top of the stack (8192 bytes)
 *	auto[,SIZE]	both: frame pointers where functions have them, behind a small copy (4096
 *			bytes)
 *	lbr		the CPU's branch records
 *	no		none
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct strobe_err;

enum stackmode_kind {
	STACKMODE_NONE,
	STACKMODE_FP,
	STACKMODE_DWARF,
	STACKMODE_AUTO,
	STACKMODE_LBR,
};

enum {
	STACKMODE_SIZE_DEFAULT = 8192, /* bytes: dwarf */
	STACKMODE_SIZE_SMALL = 4096,   /* auto */
	STACKMODE_SIZE_MAX = 65528,    /* the kernel's: a multiple of 8 in 16 bits */
};

struct stackmode {
	enum stackmode_kind kind;
	uint32_t stack_size; /* dwarf, auto: bytes, a multiple of 8 */
	uint16_t max_frames; /* fp: 0: sysctl kernel.perf_event_max_stack */
	bool is_deferred;    /* fp: struct attr's defer_callchain */
};

/* Whether the stack is copied. */
static inline bool stackmode_copies(const struct stackmode *stackmode)
{
	return stackmode->kind == STACKMODE_DWARF || stackmode->kind == STACKMODE_AUTO;
}

int stackmode_parse(const char *text, struct stackmode *ret_stackmode, struct strobe_err *err);

/* A stack copy of @size bytes: rounded up to 8; 0: too large or nothing. */
uint32_t stackmode_size(uint64_t size);
