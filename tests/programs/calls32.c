/*
 * calls32.c - makes system calls of 32 bits, without a C library, for comparisons with other
 * tracers. x86 alone.
 */
#include <asm/unistd_32.h>
#include <linux/fcntl.h>

struct lock64 {
	short type, whence;
	long long start, length;
	int pid;
} __attribute__((packed, aligned(4)));

static int call(int number, long a, long b, long c, long d, long e)
{
	int result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory");
	return result;
}

#define TO(pointer) ((long)(pointer))

void _start(void);
void _start(void)
{
	static const struct {
		const char *base;
		long size;
	} parts[] = { { "one\n", 4 }, { "two\n", 4 } };
	static const char path[] = "calls32.txt";
	static struct lock64 lock = { .type = F_WRLCK, .start = 1LL << 33, .length = 5 };
	static long old_lock[4] = { F_RDLCK, 3, 4 };
	static const long nap[] = { 0, 5 };
	static long limit[2], set[2] = { 1 << 9 };
	static char buffer[256];
	int fd = call(__NR_openat, AT_FDCWD, TO(path), O_RDWR | O_CREAT | O_TRUNC, 0640, 0);

	call(__NR_writev, fd, TO(parts), 2, 0, 0);
	call(__NR_pread64, fd, TO(buffer), 6, 1, 0);
	call(__NR_fcntl64, fd, F_OFD_SETLK, TO(&lock), 0, 0);
	call(__NR_fcntl64, fd, F_SETLK, TO(old_lock), 0, 0);
	call(__NR_fcntl64, fd, F_GETFD, 0, 0, 0);
	call(__NR__llseek, fd, 0, 3, TO(buffer), 0);
	call(__NR_ftruncate64, fd, 2, 0, 0, 0);
	call(__NR_fstat64, fd, TO(buffer), 0, 0, 0);
	call(__NR_mmap2, 0, 4096, 3, 0x22, -1);
	call(__NR_nanosleep, TO(nap), 0, 0, 0, 0);
	call(__NR_ugetrlimit, 3, TO(limit), 0, 0, 0);
	call(__NR_rt_sigprocmask, 0, TO(set), 0, 8, 0);
	call(__NR_open, TO("/does/not/exist"), 0, 0, 0, 0);
	call(__NR_unlink, TO(path), 0, 0, 0, 0);
	call(__NR_exit_group, 5, 0, 0, 0, 0);
}
