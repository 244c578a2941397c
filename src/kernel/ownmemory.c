/* ownmemory.c - see ownmemory.h. */
#include "kernel/ownmemory.h"

#include <sys/mman.h>

void *ownmemory_new(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	(void)madvise(memory, size, MADV_WIPEONFORK);
	return memory;
}

void ownmemory_free(void *memory, size_t size)
{
	(void)munmap(memory, size);
}
