/*
 * body.h - the body of a header feature: numbers and strings, read and written one after another.
 *
 * Numbers are 32 or 64 bits in the byte order of the machine that recorded. A string is its size
 * as 32 bits, then that many bytes: a NUL and padding of NULs up to a multiple of 64 (that
 * padding is what recorders write; nothing relies on it).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading. What lies beyond the end reads as 0 or "", and makes it bad for good: so a decoder
 * reads straight on and looks at @bad once.
 */
struct body_in {
	const uint8_t *at;
	size_t left;
	bool swap, bad;
};

struct body_in body_begin(const void *bytes, size_t size, bool foreign);
uint32_t body_u32(struct body_in *in);
uint64_t body_u64(struct body_in *in);
/* Borrowed from the body; "" where it is bad: one without a NUL in it is. */
const char *body_string(struct body_in *in);
/* The next @size bytes, or NULL. */
const void *body_bytes(struct body_in *in, size_t size);
/* True if @count items of at least @size bytes can follow; bad if not. To be asked before memory
 * is taken for a count that the file gives. */
bool body_has(struct body_in *in, uint64_t count, size_t size);

/* Writing, in this machine's order. Starts as { 0 }; body_done() frees. */
struct body_out {
	uint8_t *bytes;
	size_t size, capacity;
};

void body_put_u32(struct body_out *out, uint32_t value);
void body_put_u64(struct body_out *out, uint64_t value);
void body_put_string(struct body_out *out, const char *text);
void body_put_bytes(struct body_out *out, const void *bytes, size_t size);
void body_done(struct body_out *out);
