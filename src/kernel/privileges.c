/* privileges.c - see privileges.h. */
#include "kernel/privileges.h"

#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

bool privileges_has_cap(unsigned cap)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (cap / 32 >= _LINUX_CAPABILITY_U32S_3 || syscall(SYS_capget, &header, sets) < 0)
		return false;
	return sets[cap / 32].effective & (1u << (cap % 32));
}

static size_t open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t count = 0;

	if (!dir)
		return 64;
	while (readdir(dir))
		count++;
	(void)closedir(dir);
	return count;
}

bool privileges_raise_files(size_t count)
{
	struct rlimit limit;
	rlim_t wanted = count + open_files() + 16;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return false;
	if (limit.rlim_cur >= wanted)
		return true;
	if (limit.rlim_max < wanted) {
		struct rlimit higher = { wanted, wanted };

		if (setrlimit(RLIMIT_NOFILE, &higher) == 0)
			return true;
		wanted = limit.rlim_max;
	}
	limit.rlim_cur = wanted;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0 && wanted >= count + open_files();
}

size_t privileges_spare_files(void)
{
	size_t open = open_files();
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur < open)
		return 0;
	return limit.rlim_cur - open;
}

int privileges_realtime(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) < 0 ? -errno : 0;
}
