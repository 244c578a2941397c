/* wakeup.c - see wakeup.h. */
#include "collect/wakeup.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/err.h"

/* As under nohup. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int wakeup_open(struct wakeup *wakeup, struct strobe_err *err)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	if (!is_ignored(SIGHUP)) /* who blocks it would get it all the same */
		(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGXFSZ);
	if (sigprocmask(SIG_BLOCK, &set, &wakeup->before) < 0)
		return err_errno(err, "cannot block signals");
	wakeup->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (wakeup->fd < 0) {
		int code = err_errno(err, "cannot receive signals");

		(void)sigprocmask(SIG_SETMASK, &wakeup->before, NULL);
		return code;
	}
	return 0;
}

void wakeup_close(struct wakeup *wakeup)
{
	/* What came too late must not end the process now that its work is done. */
	(void)wakeup_read(wakeup);
	(void)close(wakeup->fd);
	(void)sigprocmask(SIG_SETMASK, &wakeup->before, NULL);
}

int wakeup_read(const struct wakeup *wakeup)
{
	struct signalfd_siginfo info;
	int signal = 0;

	while (read(wakeup->fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		/* A child that ends shows elsewhere, and who wrote the file knows of EFBIG. */
		if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGXFSZ)
			signal = (int)info.ssi_signo;
	}
	return signal;
}
