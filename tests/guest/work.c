/* work.c - what the guest records: a program that spends its time where it is told to.
 *
 *   work chain N   in leaf_hot() and leaf_cold(), 3 to 1, called by middle() called by outer()
 *   work plt N     calling a function of libc through its stub
 *   work vdso N    asking for the time, which the vdso tells
 *   work kernel N  in system calls
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
/* No tail calls: each caller stays in the chain. */
#define STAY() __asm__ volatile("" : : : "memory")

volatile unsigned long sink;
volatile unsigned long watched;

NOINLINE void leaf_hot(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		sink += i;
}

NOINLINE void leaf_cold(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		sink ^= i;
}

NOINLINE void middle(unsigned long count)
{
	leaf_hot(count * 3);
	leaf_cold(count);
	STAY();
}

NOINLINE void outer(unsigned long count)
{
	middle(count);
	STAY();
}

NOINLINE static void use_chain(unsigned long count)
{
	for (int i = 0; i < 10; i++) {
		outer(count / 10);
		watched = (unsigned long)i;
	}
}

NOINLINE static void use_plt(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		sink += (unsigned long)abs((int)i - 7);
}

NOINLINE static void use_vdso(unsigned long count)
{
	struct timespec now;

	for (unsigned long i = 0; i < count; i++) {
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
		sink += (unsigned long)now.tv_nsec;
	}
}

NOINLINE static void use_kernel(unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		sink += (unsigned long)syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;

	if (count == 0) {
		(void)fprintf(stderr, "usage: work chain|plt|vdso|kernel COUNT\n");
		return 2;
	}
	if (!strcmp(argv[1], "plt"))
		use_plt(count);
	else if (!strcmp(argv[1], "vdso"))
		use_vdso(count);
	else if (!strcmp(argv[1], "kernel"))
		use_kernel(count);
	else
		use_chain(count);
	return 0;
}
