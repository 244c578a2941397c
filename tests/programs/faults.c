/*
 * faults.c - touches memory for the first time, page by page: a page fault each, in two functions.
 */
#include "freestanding.h"

enum { PAGE = 4096, PAGES = 24 };

NOINLINE void fill(volatile char *memory, int count)
{
	for (int i = 0; i < count; i++)
		memory[i * PAGE] = 1;
}

NOINLINE int look(volatile const char *memory, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += memory[i * PAGE];
	return sum;
}

int main(int argc, char **argv)
{
	char *memory = (char *)CALL(mmap, NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	fill(memory, PAGES / 3);
	return look(memory + PAGES / 3 * PAGE, PAGES - PAGES / 3);
}
