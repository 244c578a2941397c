/*
 * trace-queue.h - bytes that came and wait to be made lines of: in pieces, which go as they are
 * taken, so that memory follows what waits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct trace_piece;

/* Starts as { 0 }. */
struct trace_queue {
	struct trace_piece *first, *last, *spare;
	size_t size; /* bytes that wait */
};

void trace_queue_add(struct trace_queue *queue, const void *bytes, size_t size);
/* What has waited longest, borrowed until trace_queue_drop(); 0: nothing waits. */
size_t trace_queue_first(const struct trace_queue *queue, const void **ret_bytes);
/* It was taken. */
void trace_queue_drop(struct trace_queue *queue);
void trace_queue_done(struct trace_queue *queue);
