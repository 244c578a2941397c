/*
 * context-switch-loop.c - two processes, proc1 and proc2, that wait for each other: a byte goes to
 * and fro through two pipes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "workload/loadargs.h"
#include "workload/loads.h"

enum { LOOPS = 100 };

/* The two ends of this process. */
struct ends {
	int in, out;
};

/* Both processes come back from here: with their ends, and the child's pid or 0. -1: errno says
 * why. */
static pid_t split(struct ends *ret_ends)
{
	int forth[2], back[2];
	pid_t child;

	if (pipe2(forth, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(back, O_CLOEXEC) < 0) {
		(void)close(forth[0]);
		(void)close(forth[1]);
		return -1;
	}
	child = fork();
	*ret_ends = child ? (struct ends){ back[0], forth[1] } : (struct ends){ forth[0], back[1] };
	(void)close(child ? forth[0] : forth[1]);
	(void)close(child ? back[1] : back[0]);
	return child;
}

int context_switch_loop(const char *const *args, struct strobe_err *err)
{
	struct ends ends = { -1, -1 };
	uint64_t count;
	int r = loadargs_number(&args, "loops", LOOPS, &count, err);
	bool went = true;
	char byte = 0;
	pid_t child;

	if (r < 0)
		return r;
	child = split(&ends);
	if (child < 0)
		return err_errno(err, "cannot begin a process");
	(void)prctl(PR_SET_NAME, child ? "proc1" : "proc2");
	/* The first writes before it reads, the second the other way round. */
	for (uint64_t i = 0; went && i < count; i++) {
		if (child)
			went = write(ends.out, &byte, 1) == 1 && read(ends.in, &byte, 1) == 1;
		else
			went = read(ends.in, &byte, 1) == 1 && write(ends.out, &byte, 1) == 1;
	}
	if (!child)
		_exit(0);
	(void)close(ends.in);
	(void)close(ends.out);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	return 0;
}
