/*
 * own-path-arm.c - hands out its own registers and its stack, as a sample would have them, and
 * where it is loaded. It is built for 32-bit Arm; a test compares the path that leads to look(),
 * main to varargs to floats to dynamic to big to look, with what was unwound. With an argument big
 * raises a signal, and its handler looks.
 *
 * What it writes: where it is loaded, r0 to r15, and its stack from r13 up.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

enum { BEHIND_MAIN = 1024 };

extern const char __executable_start;

static struct {
	uint32_t base, registers[16];
} seen;
static const char *outermost;
static volatile int sink = 3;
static int signals;

NOINLINE int look(int number)
{
	volatile int kept = number;
	uint32_t sp, pc;

	__asm__ volatile("stmia %2, {r0-r12}\n\tmov %0, sp\n\tmov %1, pc"
			 : "=&r"(sp), "=&r"(pc)
			 : "r"(seen.registers)
			 : "memory");
	seen.base = (uint32_t)(uintptr_t)&__executable_start;
	seen.registers[13] = sp;
	seen.registers[15] = pc;
	(void)!write(STDOUT_FILENO, &seen, sizeof(seen));
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	(void)!write(STDOUT_FILENO, (const void *)(uintptr_t)sp,
		     (size_t)(outermost + BEHIND_MAIN - (const char *)(uintptr_t)sp));
	return kept + sink;
}

static void handler(int number)
{
	sink = look(number);
}

NOINLINE int big(int number)
{
	volatile char room[5000];

	room[number & 7] = 1;
	if (signals)
		sink += raise(SIGUSR1);
	else
		sink += look(number);
	return room[number & 3] + sink;
}

NOINLINE int dynamic(int size)
{
	volatile char room[size];

	room[0] = 1;
	return big(size) + room[size - 1];
}

NOINLINE double floats(double x, int number)
{
	double y = x * sink;

	return y + x * dynamic(number);
}

NOINLINE int varargs(int count, ...)
{
	double sum = 0;
	va_list list;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += floats(va_arg(list, int), count + 40);
	va_end(list);
	return (int)sum + count;
}

int main(int argc, char **argv)
{
	outermost = __builtin_frame_address(0);
	signals = argc > 1;
	(void)signal(SIGUSR1, handler);
	return varargs(1, 2) == 0;
}
