/* userpage.c - see userpage.h. */
#include "kernel/userpage.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/sysctl.h"

bool userpage_allowed(void)
{
	int64_t access = 1;

	/* x86 has none. */
	(void)sysctl_read(NULL, SYSCTL_USER_ACCESS, &access);
	return access != 0;
}

int userpage_map(int fd, const struct perf_event_mmap_page **ret_page)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return -errno;
	*ret_page = page;
	return 0;
}

void userpage_unmap(const struct perf_event_mmap_page *page)
{
	(void)munmap((void *)(uintptr_t)page, (size_t)sysconf(_SC_PAGESIZE));
}
