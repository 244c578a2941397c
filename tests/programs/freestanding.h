/*
 * freestanding.h - what a program needs that stands on the kernel alone.
 *
 * The programs here are recorded, and a recording is worth nothing without the executable that ran:
 * without a C library this is a few KiB, the same on every machine, and its functions are ours.
 *
 *     cc -O1 -fno-omit-frame-pointer -nostdlib -static -o NAME NAME.c
 *
 * x86-64 and arm64.
 */
#pragma once

#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/time.h>
#include <linux/wait.h>
#include <stddef.h>
#include <sys/syscall.h>

/* Also keeps a function from being made into several (.constprop) or moved into its caller. */
#define NOINLINE __attribute__((noinline, noclone))

#if defined(__x86_64__)
static inline long call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* argc and argv lie where the stack begins; the outermost frame is marked by a pointer of 0. */
__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"	xor %ebp, %ebp\n"
	"	mov (%rsp), %rdi\n"
	"	lea 8(%rsp), %rsi\n"
	"	and $-16, %rsp\n"
	"	call start\n"
	"	hlt\n"
	".size _start, . - _start\n");

/*
 * Begins function(argument) in a new thread, which never returns. @done: where the kernel writes 0
 * when the thread is gone, with CLONE_CHILD_CLEARTID.
 */
static inline long start_thread(long flags, char *stack_end, int *done, void (*function)(int),
				int argument)
{
	long *stack = (long *)stack_end - 2;
	register long r10 __asm__("r10") = (long)done;
	long result;

	stack[0] = argument;
	stack[1] = (long)function;
	__asm__ volatile("	syscall\n"
			 "	test %%rax, %%rax\n"
			 "	jnz 1f\n"
			 "	xor %%ebp, %%ebp\n"
			 "	pop %%rdi\n"
			 "	pop %%rax\n"
			 "	call *%%rax\n"
			 "	hlt\n"
			 "1:\n"
			 : "=a"(result)
			 : "a"(SYS_clone), "D"(flags), "S"(stack), "d"(0), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
static inline long call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}

__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"	mov x29, xzr\n"
	"	mov x30, xzr\n"
	"	ldr x0, [sp]\n"
	"	add x1, sp, 8\n"
	"	bl start\n"
	"	brk 0\n"
	".size _start, . - _start\n");

static inline long start_thread(long flags, char *stack_end, int *done, void (*function)(int),
				int argument)
{
	long *stack = (long *)stack_end - 2;
	register long x8 __asm__("x8") = SYS_clone;
	register long x0 __asm__("x0") = flags;
	register long x1 __asm__("x1") = (long)stack;
	register long x2 __asm__("x2") = 0;
	register long x3 __asm__("x3") = 0;
	register long x4 __asm__("x4") = (long)done;

	stack[0] = argument;
	stack[1] = (long)function;
	__asm__ volatile("	svc 0\n"
			 "	cbnz x0, 1f\n"
			 "	mov x29, xzr\n"
			 "	mov x30, xzr\n"
			 "	ldp x0, x9, [sp]\n"
			 "	blr x9\n"
			 "	brk 0\n"
			 "1:\n"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "x9", "memory");
	return x0;
}
#else
#error "no system calls for this machine here"
#endif

#define CALL(number, ...) CALL_(number, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(number, a, b, c, d, e, f, ...)                                                       \
	call(SYS_##number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

int main(int argc, char **argv);

_Noreturn static inline void leave(int code)
{
	for (;;)
		CALL(exit_group, code);
}

__attribute__((used)) static void start(long argc, char **argv)
{
	leave(main((int)argc, argv));
}

static inline long fork_child(void)
{
	return CALL(clone, 17 /* SIGCHLD */, 0);
}

static inline void await(long pid)
{
	(void)CALL(wait4, pid, NULL, 0, NULL);
}

static inline void sleep_ms(long ms)
{
	struct {
		long seconds, nanoseconds;
	} time = { ms / 1000, ms % 1000 * 1000000 };

	(void)CALL(nanosleep, &time, NULL);
}

static volatile unsigned long sink;

/* The time that a program takes is spent here, by whoever calls it: about a millisecond a turn. */
static inline void work(unsigned long turns)
{
	for (unsigned long i = 0; i < turns * 500000; i++)
		sink += i;
}
