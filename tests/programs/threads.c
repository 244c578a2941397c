/*
 * threads.c - three threads beside the first: each names itself late, works and sleeps.
 */
#include "freestanding.h"

enum { THREADS = 3, STACK_SIZE = 16384 };

static char stacks[THREADS][STACK_SIZE] __attribute__((aligned(16)));
static int
	done[THREADS]; /* the kernel writes 0 there, and wakes who waits, when a thread is gone */

NOINLINE void before(int number)
{
	work(1 + (unsigned long)number);
}

NOINLINE void after(int number)
{
	work(2 + 2 * (unsigned long)number);
}

/* Its caller never returns: a thread that does has no stack to return to. */
_Noreturn NOINLINE void worker(int number)
{
	static char names[THREADS][8] = { "first", "second", "third" };

	before(number);
	(void)CALL(prctl, PR_SET_NAME, names[number]);
	sleep_ms(1);
	after(number);
	for (;;)
		(void)CALL(exit, 0);
}

static void begin(int number)
{
	long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		     CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;

	done[number] = 1;
	(void)start_thread(flags, stacks[number] + STACK_SIZE, &done[number], worker, number);
}

int main(int argc, char **argv)
{
	for (int i = 0; i < THREADS; i++)
		begin(i);
	for (int i = 0; i < THREADS; i++) {
		while (*(volatile int *)&done[i])
			(void)CALL(futex, &done[i], 0 /* FUTEX_WAIT */, 1, NULL);
	}
	return 0;
}
