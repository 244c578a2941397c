/*
 * stream.h - a recording that comes piece by piece and need not end: of its records a window is
 * kept.
 *
 *	come and gone | the window, a datafile            | to come
 *	              ^ stream_forget()       stream_feed() ^
 *
 * Offsets of records go on counting over the whole stream; what is kept of it is up to who reads
 * it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct datafile;
struct strobe_err;
struct stream;

enum { STREAM_HEADER_SIZE = 16 };

/* True if such a recording may begin like this; else it is a file, with sections to be sought. */
bool stream_may_begin(const void *bytes, size_t size);

/* @name is for messages, and borrowed. */
struct stream *stream_new(const char *name);
void stream_free(struct stream *stream);
CLEANUP(stream_free, struct stream)

/* The next bytes of the stream, cut anywhere; the first are its header: -EINVAL if they are not. */
int stream_feed(struct stream *stream, const void *bytes, size_t size, struct strobe_err *err);
/* Nothing comes for a while: what looks whole is so. */
int stream_pause(struct stream *stream, struct strobe_err *err);
/* Nothing more comes. -EINVAL or -ENODATA if not even the header did. */
int stream_end(struct stream *stream, struct strobe_err *err);

/* The window; the same until stream_free(). What is borrowed of a record lives until the next
 * call; events and features stay. */
const struct datafile *stream_file(const struct stream *stream);
/* Records before @offset go. */
void stream_forget(struct stream *stream, uint64_t offset);
