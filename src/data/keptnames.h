/*
 * keptnames.h - strobe's own feature STROBE_NAMES: the names of code that was sampled, of objects
 * that may not be there any more when the recording is read, as those of containers, files that
 * were deleted, and what JIT compilers made.
 *
 * Entries, one behind the other, each a multiple of 8 bytes. What one has beyond what is told here
 * is passed over.
 *
 *	u32	size of the entry, without this
 *	u32	flags: 1 the addresses are the process's own, and later symbols go before earlier
 *		ones (of JIT compilers); else those of the object's file
 *	u64	inode of the file; 0: the recording does not tell it
 *	u32	size of the build-id, 0 to 20; 0: there is none
 *	u8[20]	the build-id
 *	u32	number of segments: u64 offset in the file, u64 size, u64 address of each
 *	u32	number of symbols
 *	...	the object's name as mappings have it, without " (deleted)", ending in a NUL
 *	...	the symbols: u64 address, u64 size, u32 flags (1: the size is a guess), the name as
 *		the object has it, ending in a NUL
 *
 * An object with many symbols has several entries. In a pipe, where a record has 64 KiB, it comes
 *in several, each of whole entries: RECORD_UPDATE_NAMES.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct body_out;

enum { KEPTNAMES_BUILD_ID = 20, KEPTNAMES_RECORD = 60 << 10 /* bytes: what fits in a record */ };

struct keptnames_segment {
	uint64_t offset, size, vaddr;
};

struct keptnames_symbol {
	uint64_t start, size;
	bool is_guess; /* the size */
	const char *name;
};

struct keptnames_object {
	const char *name;
	bool is_jit;
	uint64_t ino;
	size_t build_id_size;
	uint8_t build_id[KEPTNAMES_BUILD_ID];
	size_t segment_count, symbol_count;
};

/* Writing, one object behind the other: no entry is longer than KEPTNAMES_RECORD; a symbol whose
 * name is too long for that is left out. */
void keptnames_encode(const struct keptnames_object *object,
		      const struct keptnames_segment *segments,
		      const struct keptnames_symbol *symbols, struct body_out *out);
/* What a section has: an object of several entries is one. 0, or -EBADMSG if some is damaged. */
int keptnames_count(const void *bytes, size_t size, bool foreign, size_t *ret_objects,
		    size_t *ret_symbols);
/* How many bytes of a section are whole entries that fit in a record. */
size_t keptnames_record(const void *bytes, size_t size);

/* Reading: damaged entries are passed over. */
struct keptnames_walk {
	const uint8_t *at, *end;
	bool foreign, damaged; /* some was passed over */
	/* Of the entry at hand. */
	const uint8_t *segments, *symbols, *symbols_end;
	size_t segments_left, symbols_left;
};

struct keptnames_walk keptnames_begin(const void *bytes, size_t size, bool foreign);
/* Names are borrowed from the section. */
bool keptnames_next(struct keptnames_walk *walk, struct keptnames_object *ret_object);
bool keptnames_next_segment(struct keptnames_walk *walk, struct keptnames_segment *ret_segment);
bool keptnames_next_symbol(struct keptnames_walk *walk, struct keptnames_symbol *ret_symbol);
