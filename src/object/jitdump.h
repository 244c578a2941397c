/*
 * jitdump.h - JIT dumps: what compilers at run time write to jit-PID.dump of the code that they
 * make.
 *
 * The format is described in jitdump-specification.txt of the kernel's tools/perf/Documentation: a
 * header, then records, in the byte order of the machine that wrote them. Times are of one clock
 * that the header does not name; compilers use CLOCK_MONOTONIC (or, as a flag says, the CPU's own
 * counter).
 *
 *   LOAD   code is at an address, and has a name; its bytes follow
 *   MOVE   what was loaded is elsewhere now
 *   DEBUG  source lines of the code that is loaded next
 *   UNWIND call frame information of the code that is loaded next
 *   CLOSE  nothing follows
 *
 * A dump grows while it is read. It is read from the beginning to the last record that is whole,
 * and later from there on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct arena;
struct jitdump;
struct strobe_err;

struct jitdump_header {
	bool foreign;     /* of the other byte order */
	uint32_t machine; /* EM_* */
	uint32_t pid;     /* as the process knows itself */
	uint64_t time_ns; /* when the dump was begun */
	bool has_ticks;   /* times are the CPU's counter, not ns */
};

enum jitdump_type { JITDUMP_LOAD, JITDUMP_MOVE };

struct jitdump_record {
	enum jitdump_type type;
	uint64_t time_ns;
	uint32_t pid, tid;
	uint64_t index;    /* of the code; a MOVE has that of its LOAD */
	uint64_t addr;     /* where it is (now) */
	uint64_t old_addr; /* MOVE: where it was */
	uint64_t size;     /* of the code, bytes */
	/* LOAD: */
	const char *name;                     /* until the next call */
	uint64_t code_offset;                 /* where its bytes are in the file */
	uint64_t debug_offset, unwind_offset; /* of records before it that are about it; or 0 */
};

/*
 * A dump is a regular file whose descriptor @fd is given each time that something is read, and
 * stays the caller's: there may be more dumps than one can have open.
 *
 * -EINVAL, with a sentence that names it @name, if it is no dump, or one of a version that is not
 * known.
 */
int jitdump_new(int fd, const char *name, struct jitdump **ret_dump, struct strobe_err *err);
void jitdump_free(struct jitdump *dump);
CLEANUP(jitdump_free, struct jitdump)

const struct jitdump_header *jitdump_header(const struct jitdump *dump);

/* The next record of interest: false if no more are there, yet. */
bool jitdump_next(struct jitdump *dump, int fd, struct jitdump_record *ret_record);
/* How many records made no sense; behind one whose size does not nothing can be read. */
uint64_t jitdump_damaged(const struct jitdump *dump);
/* How many bytes there are behind the last whole record. */
uint64_t jitdump_rest(const struct jitdump *dump);

struct jitdump_line {
	uint64_t addr;    /* of the code, where it was loaded; ascending */
	const char *file; /* in the arena */
	uint32_t line;
};
/*
 * The lines of code that was loaded at @addr, as its DEBUG record has them; how many, 0 if it is
 * damaged. *ret_lines is in the arena.
 *
 * Some compilers (V8) add the size of an ELF header to all addresses of lines, as if these were
 * offsets in a file that begins with one. No line of such a dump is at the very beginning of code:
 * then that is taken off again.
 */
size_t jitdump_lines(const struct jitdump *dump, int fd, const struct jitdump_record *load,
		     struct arena *arena, struct jitdump_line **ret_lines);

struct jitdump_unwind {
	uint64_t size;        /* of .eh_frame, and .eh_frame_hdr behind it */
	uint64_t header_size; /* of the latter alone */
	uint64_t mapped_size; /* how much of it is in the process's memory, behind the code */
	const uint8_t *bytes; /* in the arena */
};
/* False if it is damaged. */
bool jitdump_unwind(const struct jitdump *dump, int fd, uint64_t unwind_offset, struct arena *arena,
		    struct jitdump_unwind *ret_unwind);

/* Reads at most @size bytes from an offset on: how many. */
size_t jitdump_read(int fd, uint64_t offset, void *buffer, size_t size);
