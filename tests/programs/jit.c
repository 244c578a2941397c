/*
 * jit.c - code that no file holds: made in memory, and told of in /tmp/perf-PID.map.
 *
 * Two functions, one after the other in a page, each a loop that counts down. With an argument, it
 * is a digit: so many times as long.
 */
#include "freestanding.h"

enum { PAGE = 4096, SPACE = 64 };

#if defined(__x86_64__)
/* push %rbp; mov %rsp, %rbp; 1: dec %rdi; jnz 1b; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff,
				      0xcf, 0x75, 0xfb, 0x5d, 0xc3 };
#else
/* 1: subs x0, x0, 1; b.ne 1b; ret */
static const unsigned char code[] = { 0x00, 0x04, 0x00, 0xf1, 0xe1, 0xff,
				      0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6 };
#endif

typedef void made(unsigned long turns);

static char *add_number(char *end, unsigned long number, unsigned base)
{
	if (number >= base)
		end = add_number(end, number / base, base);
	*end = "0123456789abcdef"[number % base];
	return end + 1;
}

static char *add_text(char *end, const char *text)
{
	while (*text)
		*end++ = *text++;
	return end;
}

static char *add_function(char *end, const unsigned char *begin, const char *name)
{
	end = add_number(end, (unsigned long)begin, 16);
	end = add_text(end, " ");
	end = add_number(end, SPACE, 16);
	end = add_text(end, " ");
	end = add_text(end, name);
	return add_text(end, "\n");
}

static void tell(const unsigned char *page)
{
	char path[64], text[256], *end = add_text(path, "/tmp/perf-");
	long file;

	end = add_text(add_number(end, (unsigned long)CALL(getpid, 0), 10), ".map");
	*end = '\0';
	file = CALL(openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	end = add_function(text, page, "made::outer(int)");
	end = add_function(end, page + SPACE, "made::inner");
	(void)CALL(write, file, text, end - text);
	(void)CALL(close, file);
}

NOINLINE void run(const unsigned char *page, int times)
{
	for (int i = 0; i < 24 * times; i++) {
		((made *)(unsigned long)page)(4000000);
		((made *)(unsigned long)(page + SPACE))(12000000);
	}
}

int main(int argc, char **argv)
{
	unsigned char *page = (unsigned char *)CALL(mmap, NULL, PAGE, PROT_READ | PROT_WRITE,
						    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; i < sizeof(code); i++)
		page[i] = page[i + SPACE] = code[i];
	(void)CALL(mprotect, page, PAGE, PROT_READ | PROT_EXEC);
	__builtin___clear_cache((char *)page, (char *)page + PAGE);
	tell(page);
	run(page, argc > 1 ? argv[1][0] - '0' : 1);
	return 0;
}
