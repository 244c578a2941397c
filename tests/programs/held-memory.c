/* held-memory.c - calls with memory that stays as it is until the program ends, and with some that
 * is not there. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
	static struct iovec parts[] = { { "one\n", 4 }, { "t\033wo\n", 5 } };
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("held.txt", O_RDWR | O_CREAT, 0640);

	munmap(pages + 4096, 4096);
	memset(pages, 'x', 4096);
	syscall(SYS_openat, AT_FDCWD, (char *)8, O_WRONLY);
	syscall(SYS_openat, AT_FDCWD, pages + 4090, O_WRONLY);
	pages[4000] = 0;
	syscall(SYS_openat, AT_FDCWD, pages + 3990, O_WRONLY);
	if (writev(fd, parts, 2) != 9)
		return 1;
	poll(NULL, 0, 300);
	return 7;
}
