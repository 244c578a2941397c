/*
 * kinds.c - makes a system call with each kind of argument there is: flags, structs, sets, arrays,
 * addresses, as results and as arguments, also where it fails. For comparisons with other tracers.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buffer[4096];

static void files(void)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	struct timespec times[2] = { { 1000, 5 }, { .tv_nsec = UTIME_OMIT } };
	int fd = open("kinds.txt", O_RDWR | O_CREAT | O_EXCL, 0644), other;
	struct iovec parts[] = { { "abc", 3 }, { "defg", 4 } };
	struct flock lock = { .l_type = F_RDLCK, .l_len = 3 };
	struct statx stx;
	struct statfs fs;

	(void)!pwritev(fd, parts, 2, 1);
	(void)!preadv(fd, &(struct iovec){ buffer, 4 }, 1, 2);
	(void)fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 100);
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	(void)flock(fd, LOCK_SH | LOCK_NB);
	(void)fcntl(fd, F_SETLK, &lock);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)fcntl(fd, F_DUPFD_CLOEXEC, 50);
	(void)fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
	(void)utimensat(AT_FDCWD, "kinds.txt", times, AT_SYMLINK_NOFOLLOW);
	(void)statx(AT_FDCWD, "kinds.txt", AT_SYMLINK_NOFOLLOW, STATX_SIZE | STATX_MODE, &stx);
	(void)statfs("/proc", &fs);
	other = (int)syscall(SYS_openat2, AT_FDCWD, "kinds.txt", &how, sizeof(how));
	(void)renameat2(AT_FDCWD, "kinds.txt", AT_FDCWD, "kinds.txt", RENAME_NOREPLACE);
	(void)linkat(AT_FDCWD, "/does/not", AT_FDCWD, "exist", AT_SYMLINK_FOLLOW);
	(void)mknod("/does/not/exist", S_IFIFO | 0600, 0);
	(void)close(other);
	(void)dup3(fd, 60, O_CLOEXEC);
	(void)unlinkat(AT_FDCWD, "kinds.txt", 0);
	(void)close(fd);
	fd = memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	(void)fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK);
	(void)close(fd);
	fd = inotify_init1(IN_NONBLOCK);
	(void)inotify_add_watch(fd, "/", IN_CREATE | IN_DELETE);
	(void)close(fd);
}

static void memory(void)
{
	char *at = mmap((void *)0x10000000, 16384, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	(void)mremap(at, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x11000000);
	(void)msync(at + 4096, 4096, MS_SYNC);
	(void)mlock2(at + 4096, 4096, MLOCK_ONFAULT);
	(void)munmap(at + 4096, 12288);
	(void)munmap((void *)0x11000000, 8192);
}

static void sockets(void)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_in four = { .sin_family = AF_INET };
	struct linger linger = { 1, 2 };
	socklen_t size = sizeof(int);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), value;
	struct mmsghdr many[2] = { 0 };
	struct iovec part = { "part", 4 };

	four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	(void)bind(fd, (struct sockaddr *)&four, sizeof(four));
	(void)listen(fd, 5);
	(void)accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	(void)getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &size);
	(void)close(fd);
	fd = socket(AF_INET6, SOCK_DGRAM, 0);
	six.sin6_port = htons(7);
	(void)connect(fd, (struct sockaddr *)&six, sizeof(six));
	many[0].msg_hdr.msg_iov = many[1].msg_hdr.msg_iov = &part;
	many[0].msg_hdr.msg_iovlen = many[1].msg_hdr.msg_iovlen = 1;
	(void)sendmmsg(fd, many, 2, MSG_DONTWAIT);
	(void)close(fd);
	(void)socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 1 << 20);
}

static void waiting(void)
{
	struct timespec moment = { 0, 1000 };
	struct pollfd polled = { .fd = 0, .events = POLLPRI };
	struct timeval while_ = { 0, 1000 };
	struct epoll_event event;
	sigset_t set;
	fd_set fds;
	int fd = epoll_create1(0);

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	(void)ppoll(&polled, 1, &moment, &set);
	FD_ZERO(&fds);
	FD_SET(fd, &fds);
	(void)select(fd + 1, &fds, NULL, NULL, &while_);
	(void)epoll_pwait(fd, &event, 1, 1, &set);
	(void)close(fd);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	(void)close(fd);
	fd = eventfd(3, EFD_SEMAPHORE | EFD_CLOEXEC);
	(void)close(fd);
	(void)sigtimedwait(&set, NULL, &moment);
	(void)clock_gettime(CLOCK_BOOTTIME, &moment);
	(void)clock_getres(CLOCK_MONOTONIC_COARSE, &moment);
	(void)syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &moment);
}

static void *thread(void *nothing)
{
	return NULL;
}

/* What a command, an option or a child says that its argument is. */
static void dependents(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_END, .l_start = 7, .l_len = 5 };
	struct f_owner_ex owner = { .type = F_OWNER_PGRP };
	struct timeval timeout = { 2, 500000 };
	struct linger linger = { 0 };
	struct sigevent event = { .sigev_signo = SIGUSR2, .sigev_value.sival_int = 7 };
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
	socklen_t size = sizeof(linger), small = sizeof(timeout);
	int fd = open("kinds.lock", O_RDWR | O_CREAT, 0600), pair[2], timer;
	pid_t child;

	(void)fcntl(fd, F_OFD_SETLK, &lock);
	(void)fcntl(fd, F_GETLK, &lock);
	(void)fcntl(fd, F_GETLK, (void *)8);
	(void)socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	(void)fcntl(pair[0], F_SETOWN_EX, &owner);
	(void)fcntl(pair[0], F_GETOWN_EX, &owner);
	(void)setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	(void)getsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, &small);
	(void)getsockopt(pair[0], SOL_SOCKET, SO_LINGER, &linger, &size);
	(void)syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer);
	info.si_value.sival_int = 5;
	(void)syscall(SYS_rt_sigqueueinfo, 1 << 30, SIGUSR1, &info);
	(void)syscall(SYS_seccomp, 1, 0, NULL);
	(void)syscall(SYS_pkey_alloc, 0, 1);
	(void)unlink("kinds.lock");
	child = (pid_t)syscall(SYS_fork);
	if (child == 0)
		_exit(3);
	(void)waitid(P_ALL, 0, &info, WEXITED);
}

static void processes(void)
{
	static char stack[8192];
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sched_param priority = { .sched_priority = 200 };
	struct rlimit limit = { 100, 200 };
	struct sysinfo info;
	cpu_set_t cpus;
	pthread_t id;

	(void)sigaltstack(&alternative, NULL);
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	(void)sched_setaffinity(0, sizeof(cpus), &cpus);
	(void)sched_setscheduler(0, SCHED_FIFO, &priority);
	(void)setrlimit(RLIMIT_NPROC, &limit);
	(void)getrlimit(RLIMIT_NOFILE, &limit);
	(void)setpriority(PRIO_USER, 1 << 30, 5);
	(void)prctl(PR_SET_NAME, "renamed");
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	(void)sysinfo(&info);
	(void)syscall(SYS_tgkill, 1 << 30, 1 << 30, SIGWINCH);
	(void)syscall(SYS_capget, NULL, NULL);
	(void)ioctl(0, 0x5413, buffer);
	limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
	(void)pthread_create(&id, NULL, thread, NULL);
	(void)pthread_join(id, NULL);
}

int main(void)
{
	files();
	memory();
	sockets();
	waiting();
	dependents();
	processes();
	return 0;
}
