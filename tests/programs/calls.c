/*
 * calls.c - makes system calls of many kinds, one after another, always the same, for tests that
 * compare what is said of them. Without libc's help where that would make other calls.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buffer[4096];

static void on_signal(int number)
{
}

static void files(void)
{
	int fd = open("calls.txt", O_RDWR | O_CREAT | O_TRUNC, 0640), folder;
	struct iovec vector[] = { { "one\n", 4 }, { "two\t\1\377", 6 } };
	struct stat st;

	(void)!write(fd, "hello, world\n", 13);
	(void)!writev(fd, vector, 2);
	(void)lseek(fd, 0, SEEK_SET);
	(void)!read(fd, buffer, sizeof(buffer));
	(void)!read(fd, buffer, sizeof(buffer));
	(void)!pread(fd, buffer, 5, 7);
	(void)fstat(fd, &st);
	(void)stat("calls.txt", &st);
	(void)!ftruncate(fd, 3);
	(void)fsync(fd);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)fcntl(fd, F_GETFL);
	(void)dup(fd);
	(void)dup2(fd, 20);
	(void)close(20);
	(void)close(fd);
	folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	(void)faccessat(folder, "etc", R_OK | X_OK, 0);
	(void)close(folder);
	(void)mkdir("calls.dir", 0755);
	(void)rename("calls.txt", "calls.dir/moved");
	(void)chmod("calls.dir/moved", 0600);
	(void)symlink("moved", "calls.dir/link");
	(void)!readlink("calls.dir/link", buffer, sizeof(buffer));
	(void)unlink("calls.dir/link");
	(void)unlink("calls.dir/moved");
	(void)rmdir("calls.dir");
	(void)!getcwd(buffer, sizeof(buffer));
	(void)umask(022);
}

static void failures(void)
{
	(void)open("/does/not/exist", O_RDONLY);
	(void)close(1234);
	(void)!read(-1, buffer, 1);
	(void)open((const char *)8, O_WRONLY);
	(void)mkdir("/proc/x", 0700);
	(void)kill(1 << 30, SIGTERM);
	(void)mmap(NULL, 0, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void memory(void)
{
	void *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)mprotect(at, 4096, PROT_READ);
	(void)madvise(at, 8192, MADV_DONTNEED);
	(void)munmap(at, 8192);
}

static void sockets(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDP), pair[2], one = 1, stream;
	struct iovec vector = { "message", 7 };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };

	(void)inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	(void)connect(fd, (struct sockaddr *)&address, sizeof(address));
	(void)getpeername(fd, (struct sockaddr *)&address, &size);
	(void)close(fd);
	stream = socket(AF_INET, SOCK_STREAM, 0);
	(void)setsockopt(stream, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	(void)close(stream);
	strcpy(local.sun_path, "/does/not/exist");
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	(void)connect(fd, (struct sockaddr *)&local, sizeof(local));
	(void)close(fd);
	(void)socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	(void)send(pair[0], "over", 4, MSG_NOSIGNAL);
	(void)recv(pair[1], buffer, sizeof(buffer), MSG_DONTWAIT);
	(void)sendmsg(pair[0], &message, 0);
	(void)recvfrom(pair[1], buffer, 3, MSG_PEEK, NULL, NULL);
	(void)shutdown(pair[0], SHUT_RDWR);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void waiting(void)
{
	struct timespec short_time = { 0, 1000000 };
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.u64 = 0x1234 };
	struct itimerspec timer = { .it_value = { 0, 1000000 } };
	struct pollfd polls[2] = { { .events = POLLIN }, { .events = POLLOUT } };
	uint64_t number = 1;
	int pipes[2], epoll, fd;

	(void)nanosleep(&short_time, NULL);
	(void)!pipe2(pipes, O_CLOEXEC | O_NONBLOCK);
	polls[0].fd = pipes[0];
	polls[1].fd = pipes[1];
	(void)poll(polls, 2, 0);
	(void)!write(pipes[1], "x", 1);
	epoll = epoll_create1(EPOLL_CLOEXEC);
	(void)epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event);
	(void)epoll_wait(epoll, &event, 1, 100);
	(void)close(epoll);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	(void)timerfd_settime(fd, 0, &timer, NULL);
	(void)!read(fd, &number, sizeof(number));
	(void)close(fd);
	fd = eventfd(5, EFD_NONBLOCK);
	(void)!write(fd, &number, sizeof(number));
	(void)close(fd);
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	sigset_t set;

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGINT);
	(void)sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)kill(getpid(), SIGUSR1);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void processes(void)
{
	struct rlimit limit = { 1024, RLIM_INFINITY };
	struct rusage usage;
	char *argv[] = { "calls", "exit", "three", NULL };
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(3);
	(void)waitpid(child, &status, 0);
	child = vfork();
	if (child == 0) {
		(void)execve("/proc/self/exe", argv, environ);
		_exit(9);
	}
	(void)wait4(child, &status, 0, NULL);
	child = fork();
	if (child == 0) {
		(void)kill(getpid(), SIGKILL);
		_exit(1);
	}
	(void)waitpid(child, &status, 0);
	(void)setrlimit(RLIMIT_CORE, &limit);
	(void)getrusage(RUSAGE_SELF, &usage);
	(void)getpriority(PRIO_PROCESS, 0);
	(void)sched_yield();
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return 3;
	files();
	failures();
	memory();
	sockets();
	waiting();
	signals();
	processes();
	return 7;
}
