/*
 * recordbuf.h - records that are made here and not by the kernel, put together in memory.
 *
 * Begin, add the body's parts, end: the size is filled in, and the bytes are padded to 8. A record
 * that grew too large for its 16-bit size is taken back.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct writer;
struct strobe_err;

struct recordbuf {
	struct str bytes;
	size_t start;        /* of the record under way */
	size_t trailer_size; /* of what attr.sample_id_all puts behind records: zeros, as nobody
				was there to be sampled */
};

void recordbuf_begin(struct recordbuf *buf, uint32_t type, uint16_t misc);
void recordbuf_u16(struct recordbuf *buf, uint16_t value);
void recordbuf_u32(struct recordbuf *buf, uint32_t value);
void recordbuf_u64(struct recordbuf *buf, uint64_t value);
void recordbuf_bytes(struct recordbuf *buf, const void *bytes, size_t size);
/* With its NUL, padded to 8. */
void recordbuf_string(struct recordbuf *buf, const char *text);
/* As the kernel's records: with the trailer. */
void recordbuf_end_sideband(struct recordbuf *buf);
/* As a recorder's own: without. */
void recordbuf_end(struct recordbuf *buf);

/* Writes what there is and starts over. */
int recordbuf_flush(struct recordbuf *buf, struct writer *writer, struct strobe_err *err);
void recordbuf_done(struct recordbuf *buf);
