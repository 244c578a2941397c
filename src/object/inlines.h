/*
 * inlines.h - which functions the compiler has put into others at an address, as DWARF has it.
 *
 *	main()                         the function that is there
 *	  DW_TAG_inlined_subroutine    sort(), called in main.c:12      inlined_find(): this one's
 *	    DW_TAG_inlined_subroutine  swap(), called in sort.h:40  <-- innermost, and what is
 *around
 *
 * The entries of a compilation unit are read when an address of it is first asked for: what is at
 * which address becomes a sorted list, so that an address is one search. Names are read when
 * something is first said of them. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "object/lines.h"

struct debuginfo;
struct inlines;

/* A function that was put into another one, at one place. Lives as long as the debuginfo. */
struct inlined {
	const struct inlined *outer; /* into which it was put; NULL: a function of its own */
	const char *name;            /* NULL: not known */
	bool is_linkage; /* the name is that for linkers, mangled; else as its source has it */
	struct source_line call; /* in what is around it; file NULL: not known */
};

/* The innermost one at an address, NULL if there is none. */
const struct inlined *inlines_find(struct debuginfo *debuginfo, uint64_t vaddr);

/*
 * An address that stands for all where the same instances of functions are within each other as at
 * @vaddr: it is the same for all of those. False if no function is known there.
 */
bool inlines_begin(struct debuginfo *debuginfo, uint64_t vaddr, uint64_t *ret_vaddr);

/* What a debuginfo keeps of it. */
struct inlines *inlines_new(struct debuginfo *debuginfo);
void inlines_free(struct inlines *inlines);
CLEANUP(inlines_free, struct inlines)
