/*
 * jit-dumps.h - the code that processes of a recording made at run time, as their JIT dumps tell
 * it: from when on it was where, what it is called, and what else is known of it.
 *
 * A process says by mapping "jit-PID.dump" that it writes one. What code the dumps tell of goes to
 * the timeline, before that settles; in it code has a place in the dump ("offset"), by which more
 * can be asked here. Dumps of running processes grow, and are read on.
 *
 * Times: those of a dump are of CLOCK_MONOTONIC. If the recording's are not, code cannot be told
 * from what was at its address before or later: then what was last at each address is taken to have
 * been there since the dump was mapped (in a stream: since it was read).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "symbol/reason.h"

struct cfi;
struct code_kind;
struct dso;
struct jit_dumps;
struct resolver_options;
struct source_line;
struct timeline;

/* @options must outlive it. @same_clock: the recording's times are of CLOCK_MONOTONIC. */
struct jit_dumps *jit_dumps_new(const struct resolver_options *options, bool same_clock);
void jit_dumps_free(struct jit_dumps *dumps);
CLEANUP(jit_dumps_free, struct jit_dumps)

/* Reads what is new, and tells the timeline. Not while others ask. */
void jit_dumps_update(struct jit_dumps *dumps, struct timeline *timeline);

/* Those whose marks the timeline has forgotten go. */
void jit_dumps_forget(struct jit_dumps *dumps, const struct timeline *timeline);

/* Why code of a process has no name in spite of a dump that it wrote: the dump is not used, or does
 * not tell of it. REASON_NONE if it wrote none. */
enum reason jit_dumps_reason(const struct jit_dumps *dumps, uint32_t pid);

/* What is to be said of one dump. */
struct jit_dumps_state {
	const char *path;     /* as mapped; as long as the dumps */
	enum reason reason;   /* why it is not used; REASON_NONE if it is */
	uint64_t code_count;  /* pieces of code that it told of */
	uint64_t damaged;     /* records that made no sense */
	uint64_t rest;        /* bytes at its end that are no whole record */
	bool has_other_clock; /* its times say nothing of the recording's */
};
size_t jit_dumps_count(const struct jit_dumps *dumps);
struct jit_dumps_state jit_dumps_at(const struct jit_dumps *dumps, size_t i);

/*
 * The source line of code at an offset of the dump of a dso (DSO_JITDUMP); false if it is not told.
 * Safe in many threads; the text lives as long as the dumps.
 */
bool jit_dumps_line(struct jit_dumps *dumps, const struct dso *dso, uint64_t offset,
		    struct source_line *ret_line);

/*
 * How to get from code at an offset to its caller, if its compiler told that; else NULL.
 * *ret_vaddr: what cfi_find() is to be asked for. As above.
 */
const struct cfi *jit_dumps_cfi(struct jit_dumps *dumps, const struct dso *dso, uint64_t offset,
				uint64_t *ret_vaddr);

/* Copies code from an offset on: how many bytes. */
size_t jit_dumps_code(struct jit_dumps *dumps, const struct dso *dso, uint64_t offset, void *buffer,
		      size_t size, struct code_kind *ret_kind);
