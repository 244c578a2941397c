/*
 * wakeup.h - what ends a recording from outside: signals, as something to poll.
 *
 * From open to close SIGINT, SIGTERM, SIGHUP and SIGCHLD are blocked, and come out of a descriptor
 * instead, SIGHUP unless it is ignored; nothing runs in a signal handler. SIGXFSZ is blocked too,
 * so that a file that reaches the limit of its size (ulimit -f) fails like one on a full disk.
 */
#pragma once

#include <signal.h>

struct strobe_err;

struct wakeup {
	int fd;
	sigset_t before; /* the mask to put back, and for children */
};

int wakeup_open(struct wakeup *wakeup, struct strobe_err *err);
void wakeup_close(struct wakeup *wakeup);

/* Of the signals since the last call the number of one that asks to end, or 0. Does not wait. */
int wakeup_read(const struct wakeup *wakeup);
