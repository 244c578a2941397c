/*
 * family.c - a process that works, a child that only works, and one that becomes another program.
 *
 *     family CHILD [ARGS]
 */
#include "freestanding.h"

NOINLINE void parent_works(void)
{
	work(4);
}

NOINLINE void child_works(void)
{
	work(6);
}

int main(int argc, char **argv)
{
	long child = fork_child(), program;

	if (child == 0) {
		child_works();
		return 0;
	}
	program = argc > 1 ? fork_child() : -1;
	if (program == 0) {
		static char *const environment[] = { NULL };

		(void)CALL(execve, argv[1], argv + 1, environment);
		return 127;
	}
	parent_works();
	await(child);
	if (program > 0)
		await(program);
	return 0;
}
