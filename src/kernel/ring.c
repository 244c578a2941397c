/* ring.c - see ring.h. */
#include "kernel/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

int ring_open(struct ring *ring, int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *map = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	*ring = (struct ring){ .page = map, .base = (char *)map + page, .size = size, .fd = fd };
	return 0;
}

void ring_close(struct ring *ring)
{
	if (ring->page)
		(void)munmap(ring->page, ring->size + (size_t)sysconf(_SC_PAGESIZE));
	*ring = (struct ring){ .fd = -1 };
}

size_t ring_spans(const struct ring *ring, struct iovec spans[2])
{
	/* Pairs with the barrier in the kernel's perf_output_put_handle(): what lies before the
	 * head was written before the head. */
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_RELAXED);
	size_t size = head - tail > ring->size ? 0 : (size_t)(head - tail);
	size_t at = (size_t)(tail & (ring->size - 1));
	size_t first = size < ring->size - at ? size : ring->size - at;

	if (size == 0)
		return 0;
	spans[0] = (struct iovec){ ring->base + at, first };
	if (first == size)
		return 1;
	spans[1] = (struct iovec){ ring->base, size - first };
	return 2;
}

void ring_consume(const struct ring *ring, size_t size)
{
	uint64_t tail = __atomic_load_n(&ring->page->data_tail, __ATOMIC_RELAXED);

	/* What we read of the ring, we read before the kernel may write there again. */
	__atomic_store_n(&ring->page->data_tail, tail + size, __ATOMIC_RELEASE);
}
