/*
 * jit-dump.h - one JIT dump of a recording: see jit-dumps.h, which has all of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/jit-dumps.h"

struct cfi;
struct code_kind;
struct dso;
struct jit_dump;
struct jitdump;
struct jitdump_record;
struct resolver_options;
struct source_line;
struct timeline;
struct timeline_dump;

/* @options must outlive it, @marker is borrowed until this returns. */
struct jit_dump *jit_dump_new(const struct resolver_options *options,
			      const struct timeline_dump *marker, bool same_clock);
void jit_dump_free(struct jit_dump *dump);

/* Reads on, and tells the timeline. The dso of its code, NULL if nothing new was told. */
const struct dso *jit_dump_read(struct jit_dump *dump, const struct timeline_dump *marker,
				struct timeline *timeline);

/*
 * Hands out all records of a dump that was never read, as long as @each returns 0, and returns what
 * it did. Nothing comes of a dump that is not used: jit_dump_state() says why.
 */
typedef int jit_dump_take(void *context, const struct jitdump *reader, int fd,
			  const struct jitdump_record *record);
int jit_dump_each(struct jit_dump *dump, const struct timeline_dump *marker, jit_dump_take *each,
		  void *context);

struct jit_dumps_state jit_dump_state(const struct jit_dump *dump);

/* See jit_dumps_line(), jit_dumps_cfi() and jit_dumps_code(). */
bool jit_dump_line(struct jit_dump *dump, uint64_t offset, struct source_line *ret_line);
const struct cfi *jit_dump_cfi(struct jit_dump *dump, uint64_t offset, uint64_t *ret_vaddr);
size_t jit_dump_code(struct jit_dump *dump, uint64_t offset, void *buffer, size_t size,
		     struct code_kind *ret_kind);
