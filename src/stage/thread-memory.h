/*
 * thread-memory.h - the memory of processes that are recorded, as it is now, for what a copy of a
 * stack lacks.
 *
 * A sample is older than what is read here: whether that is still what it was, the reader has to
 * find out. Little is read at a time, and remembered until the next round.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unwind_frame;
struct unwind_machine;

/* Copies up to @size bytes of a process; returns how many there are from the first one on. */
typedef size_t thread_memory_read(void *context, uint32_t pid, uint64_t addr, void *bytes,
				  size_t size);

enum { THREAD_MEMORY_WINDOW = 16384 };

/* Starts as { 0 } but for what is said to be the caller's. */
struct thread_memory {
	thread_memory_read *read; /* the caller's, and so is this; NULL: nothing can be read */
	void *context;
	uint32_t pid; /* whose memory is asked for: the caller's */
	uint32_t window_pid;
	uint64_t window_addr;
	size_t window_size; /* 0: there is none */
	uint8_t window[THREAD_MEMORY_WINDOW];
};

/* Reads @size bytes (at most 8) at an address; @context is a struct thread_memory (unwind_read). */
bool thread_memory_get(void *context, uint64_t addr, void *bytes, size_t size);
/* A number of @size bytes (at most 8) of this machine's. */
bool thread_memory_word(struct thread_memory *memory, uint64_t addr, size_t size,
			uint64_t *ret_value);
/* The return address that is where a frame has it. False if that place or its memory is not known.
 */
bool thread_memory_pc(struct thread_memory *memory, const struct unwind_machine *machine,
		      const struct unwind_frame *frame, uint64_t *ret_pc);
void thread_memory_forget(struct thread_memory *memory);
