/* workload.c - see workload.h. */
#include "collect/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * Until exec the child goes by a name of its own, so that a reader can tell the launcher from the
 * command.
 */
static _Noreturn void run_child(int gate, int answer, const char *const *argv, const sigset_t *mask)
{
	char go;
	ssize_t n;

	(void)prctl(PR_SET_NAME, "strobe-exec");
	do
		n = read(gate, &go, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(0); /* the recorder has given up */
	(void)sigprocmask(SIG_SETMASK, mask, NULL);
	(void)execvp(argv[0], (char *const *)argv);

	int code = errno;
	(void)!write(answer, &code, sizeof(code));
	_exit(code == ENOENT ? 127 : 126);
}

int workload_start(struct workload *workload, const char *const *argv, const sigset_t *mask,
		   bool stdout_taken, struct strobe_err *err)
{
	int gate[2], answer[2];

	if (pipe2(gate, O_CLOEXEC) < 0)
		return err_errno(err, "cannot start '%s'", argv[0]);
	if (pipe2(answer, O_CLOEXEC) < 0) {
		err_errno(err, "cannot start '%s'", argv[0]);
		(void)close(gate[0]);
		(void)close(gate[1]);
		return err ? err->code : -EMFILE;
	}
	pid_t pid = fork();
	if (pid == 0) {
		(void)close(gate[1]);
		(void)close(answer[0]);
		if (stdout_taken)
			(void)dup2(STDERR_FILENO, STDOUT_FILENO);
		run_child(gate[0], answer[1], argv, mask);
	}
	int code = pid < 0 ? err_errno(err, "cannot start '%s'", argv[0]) : 0;
	(void)close(gate[0]);
	(void)close(answer[1]);
	if (code < 0) {
		(void)close(gate[1]);
		(void)close(answer[0]);
		return code;
	}
	*workload = (struct workload){ .pid = pid, .gate = gate[1], .answer = answer[0] };
	return 0;
}

static int explain(int code, const char *name, struct strobe_err *err)
{
	err_set(err, -code, "cannot run '%s': %s", name, strerror(code));
	if (code == ENOENT && !strchr(name, '/'))
		return err_hint(err, -code, "no folder of $PATH has it");
	if (code == EACCES)
		return err_hint(err, -code, "it must be a file that may be executed: chmod +x");
	if (code == ENOEXEC)
		return err_hint(err, -code, "it is no program for this machine, and has no '#!'");
	return -code;
}

void workload_go_alone(struct workload *workload)
{
	(void)!write(workload->gate, "g", 1);
	(void)close(workload->gate);
	workload->gate = -1;
}

int workload_failure(struct workload *workload, const char *name, struct strobe_err *err)
{
	int code = 0;
	ssize_t n = 0;

	/* The other end closes on exec: end of file means that it runs. */
	while (workload->answer >= 0 && (n = read(workload->answer, &code, sizeof(code))) < 0 &&
	       errno == EINTR)
		;
	closep(&workload->answer);
	workload->answer = -1;
	return n == (ssize_t)sizeof(code) ? explain(code, name, err) : 0;
}

int workload_go(struct workload *workload, const char *name, struct strobe_err *err)
{
	int r;

	workload_go_alone(workload);
	r = workload_failure(workload, name, err);
	if (r < 0)
		(void)workload_wait(workload);
	return r;
}

bool workload_poll(struct workload *workload)
{
	if (workload->pid && !workload->exited)
		workload->exited = wait4(workload->pid, &workload->status, WNOHANG,
					 &workload->usage) == workload->pid;
	return workload->exited;
}

void workload_stop(struct workload *workload)
{
	if (workload->pid && workload->gate >= 0 && workload->answer >= 0) {
		(void)close(workload->answer);
		workload->answer = -1;
	}
	if (!workload->pid || workload_poll(workload))
		return;
	if (workload->gate >= 0) {
		(void)close(workload->gate);
		workload->gate = -1;
	} else {
		(void)kill(workload->pid, SIGTERM);
	}
}

int workload_wait(struct workload *workload)
{
	while (workload->pid && !workload->exited) {
		pid_t pid = wait4(workload->pid, &workload->status, 0, &workload->usage);

		workload->exited = pid == workload->pid || (pid < 0 && errno != EINTR);
	}
	if (WIFSIGNALED(workload->status))
		return 128 + WTERMSIG(workload->status);
	return WEXITSTATUS(workload->status);
}
