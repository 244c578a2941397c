/*
 * path.c - a program that knows its own call path; a test compares it with what was unwound.
 *
 *	path MODE PATHS [SECONDS]
 *
 * MODE "pages": each path is random, and ends in touch(), which writes to a page of its own for the
 * first time. What is printed is the address of page 0, and a line for each path: its functions,
 * outermost first. A page fault at page N is a sample of path N.
 *
 * MODE "mixed": the same, with paths that lead through the C library, which calls back.
 *
 * MODE "cycle": one() calls two() calls three() calls one() ..., as deep as PATHS says, for a
 * quarter of a second of CPU time or for SECONDS. Wherever a sample is, no function of that row may
 * be missing.
 *
 * As C++ it leaves every path by an exception.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define NOINLINE __attribute__((noinline, noclone))

enum { PAGE = 4096, DEEPEST = 24 };

static char *pages;
static int letters = 4; /* of which paths are made */
static char path[DEEPEST + 1];
static volatile unsigned long sink;

#ifdef __cplusplus
#define C_NAMES extern "C"
#define TRY try
#define CATCH catch (int)
#define LEAVE throw 1
#else
#define C_NAMES
#define TRY
#define CATCH if (0)
#define LEAVE (void)0
#endif

C_NAMES void step(int depth, long page);
C_NAMES void cycle(int depth);

C_NAMES NOINLINE void touch(long page)
{
	pages[page * PAGE] = 1;
}

/* Many registers are kept. */
C_NAMES NOINLINE void a(int depth, long page)
{
	unsigned long kept[6];

	for (int i = 0; i < 6; i++)
		kept[i] = sink * (unsigned)(i + 1);
	step(depth, page);
	for (int i = 0; i < 6; i++)
		sink += kept[i];
}

/* The frame's size is known at run time only. */
C_NAMES NOINLINE void b(int depth, long page)
{
	volatile char *room = (volatile char *)__builtin_alloca((size_t)depth * 8 + 16);

	room[0] = 0;
	step(depth, page);
	sink += (unsigned long)room[0];
}

/* A frame that is larger than most. */
C_NAMES NOINLINE void c(int depth, long page)
{
	volatile char room[900];

	room[depth] = 1;
	step(depth, page);
	sink += (unsigned long)room[depth];
}

/* The stack is aligned. */
C_NAMES NOINLINE void d(int depth, long page)
{
	volatile char room[64] __attribute__((aligned(64)));

	room[depth] = 1;
	step(depth, page);
	sink += (unsigned long)room[depth];
}

static int called_depth;
static long called_page;

C_NAMES NOINLINE int compare(const void *left, const void *right)
{
	step(called_depth, called_page);
	sink++;
	return 0;
}

/* Libraries may have been built in another way. */
C_NAMES NOINLINE void e(int depth, long page)
{
	char two[2] = { 1, 2 };

	called_depth = depth;
	called_page = page;
	qsort(two, 2, 1, compare);
	sink += (unsigned long)two[0];
}

C_NAMES NOINLINE void step(int depth, long page)
{
	static void (*const functions[])(int, long) = { a, b, c, d, e };

	if (path[depth] == '\0') {
		touch(page);
		LEAVE;
	} else {
		functions[path[depth] - 'a'](depth + 1, page);
	}
	sink++;
}

static void make_path(void)
{
	int size = 1 + rand() % (DEEPEST - 1);

	for (int i = 0; i < size; i++)
		path[i] = (char)('a' + rand() % letters);
	path[size] = '\0';
}

static int run_pages(long count)
{
	pages = (char *)mmap(NULL, (size_t)count * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		return 1;
	(void)madvise(pages, (size_t)count * PAGE, MADV_NOHUGEPAGE);
	printf("%lx\n", (unsigned long)(uintptr_t)pages);
	for (long i = 0; i < count; i++) {
		make_path();
		TRY
		{
			step(0, i);
		}
		CATCH
		{
		}
		puts(path);
	}
	return 0;
}

/* Leaves without frames, and frames that come and go all the time. */
C_NAMES NOINLINE void leaf(void)
{
	sink++;
}

#define CYCLE(name, next)                                                                          \
	C_NAMES NOINLINE void name(int depth)                                                      \
	{                                                                                          \
		leaf();                                                                            \
		if (depth > 0)                                                                     \
			next(depth - 1);                                                           \
		leaf();                                                                            \
	}
C_NAMES void two(int depth);
C_NAMES void three(int depth);
C_NAMES void one(int depth);
CYCLE(three, one)
CYCLE(two, three)
CYCLE(one, two)

static double seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int run_cycle(int depth, double how_long)
{
	double end = seconds() + how_long;

	while (seconds() < end)
		for (int i = 0; i < 200; i++)
			one(depth);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "mixed") == 0)
		letters++;
	if (strcmp(argv[1], "cycle") != 0)
		return run_pages(atol(argv[2]));
	return run_cycle(atoi(argv[2]), argc > 3 ? atof(argv[3]) : 0.25);
}
