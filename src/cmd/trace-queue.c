/* trace-queue.c - see trace-queue.h. */
#include "cmd/trace-queue.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { PIECE = 1 << 20 }; /* bytes: a hundredth of a second's work, or less */

struct trace_piece {
	struct trace_piece *next;
	size_t size;
	uint8_t bytes[PIECE];
};

/* Behind the last; one that was used before, if there is one. */
static struct trace_piece *add_piece(struct trace_queue *queue)
{
	struct trace_piece *piece = queue->spare ? queue->spare : xnew(struct trace_piece);

	queue->spare = NULL;
	piece->next = NULL;
	piece->size = 0;
	if (queue->last)
		queue->last->next = piece;
	else
		queue->first = piece;
	queue->last = piece;
	return piece;
}

void trace_queue_add(struct trace_queue *queue, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	queue->size += size;
	while (size > 0) {
		struct trace_piece *piece = queue->last;
		size_t part;

		if (!piece || piece->size == PIECE)
			piece = add_piece(queue);
		part = PIECE - piece->size < size ? PIECE - piece->size : size;
		memcpy(piece->bytes + piece->size, from, part);
		piece->size += part;
		from += part;
		size -= part;
	}
}

size_t trace_queue_first(const struct trace_queue *queue, const void **ret_bytes)
{
	if (!queue->first)
		return 0;
	*ret_bytes = queue->first->bytes;
	return queue->first->size;
}

void trace_queue_drop(struct trace_queue *queue)
{
	struct trace_piece *piece = queue->first;

	queue->size -= piece->size;
	queue->first = piece->next;
	if (!queue->first)
		queue->last = NULL;
	free(queue->spare);
	queue->spare = piece;
}

void trace_queue_done(struct trace_queue *queue)
{
	while (queue->first)
		trace_queue_drop(queue);
	free(queue->spare);
	queue->spare = NULL;
}
