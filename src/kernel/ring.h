/*
 * ring.h - the buffer that an event's records come out of: perf_event_open(2), "MMAP layout".
 *
 * A page of the kernel's, then a power of two of data pages. The kernel writes at data_head, we
 * read at data_tail; records never overwrite what was not consumed, they are counted as lost
 * instead. One reader per ring.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

struct perf_event_mmap_page;

struct ring {
	struct perf_event_mmap_page *page; /* NULL: not open */
	char *base;                        /* of the data */
	size_t size;                       /* bytes of data, a power of two */
	int fd;                            /* the event's; not owned */
};

/* Maps the ring of an event. @size is bytes, a power of two of at least a page. -EPERM: more than
 * the user may lock; -ENOMEM. */
int ring_open(struct ring *ring, int fd, size_t size);
void ring_close(struct ring *ring);

/*
 * What is there and not yet consumed: 0, 1 or 2 spans (2 where it wraps), whose bytes put together
 * are whole records. Valid until ring_consume(). Returns the number of spans.
 */
size_t ring_spans(const struct ring *ring, struct iovec spans[2]);
/* Gives @size bytes from the front back to the kernel. */
void ring_consume(const struct ring *ring, size_t size);

/* Copies from the bytes of all spans; records may be cut where the ring wraps. */
static inline void ring_copy(const struct iovec *spans, size_t count, size_t at, void *to,
			     size_t size)
{
	for (size_t i = 0; i < count && size > 0; i++) {
		size_t part;

		if (at >= spans[i].iov_len) {
			at -= spans[i].iov_len;
			continue;
		}
		part = spans[i].iov_len - at < size ? spans[i].iov_len - at : size;
		memcpy(to, (const char *)spans[i].iov_base + at, part);
		to = (char *)to + part;
		size -= part;
		at = 0;
	}
}
