/* thread-memory.c - see thread-memory.h. */
#include "stage/thread-memory.h"

#include <string.h>

#include "unwind/unwinder.h"

static bool is_inside(const struct thread_memory *memory, uint64_t addr, size_t size)
{
	uint64_t offset = addr - memory->window_addr;

	return memory->window_pid == memory->pid && memory->window_size >= size &&
	       offset <= memory->window_size - size;
}

/* From there on: stacks are read from the inside out. */
static void move_window(struct thread_memory *memory, uint64_t addr)
{
	memory->window_pid = memory->pid;
	memory->window_addr = addr & ~UINT64_C(7);
	memory->window_size =
		memory->read ? memory->read(memory->context, memory->pid, memory->window_addr,
					    memory->window, sizeof(memory->window))
			     : 0;
}

bool thread_memory_get(void *context, uint64_t addr, void *bytes, size_t size)
{
	struct thread_memory *memory = context;

	if (!is_inside(memory, addr, size))
		move_window(memory, addr);
	if (!is_inside(memory, addr, size))
		return false;
	memcpy(bytes, memory->window + (addr - memory->window_addr), size);
	return true;
}

bool thread_memory_word(struct thread_memory *memory, uint64_t addr, size_t size,
			uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!thread_memory_get(memory, addr, &value, size))
		return false;
	*ret_value = value;
	return true;
}

bool thread_memory_pc(struct thread_memory *memory, const struct unwind_machine *machine,
		      const struct unwind_frame *frame, uint64_t *ret_pc)
{
	uint64_t pc;

	if (frame->home == 0 ||
	    !thread_memory_word(memory, frame->home, machine->address_size, &pc))
		return false;
	*ret_pc = pc & machine->address_mask;
	return true;
}

void thread_memory_forget(struct thread_memory *memory)
{
	memory->window_size = 0;
}
