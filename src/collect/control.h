/*
 * control.h - orders from another program while events are counted: --control.
 *
 * Lines of text come in by a descriptor or a FIFO, and "ack\n" goes out by another one when an
 * order was carried out, if there is such. "enable", "disable", "ping" and "stop", as in perf; a
 * name behind the first two means one event only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct strobe_err;

enum control_order {
	CONTROL_NONE,
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_PING,
	CONTROL_STOP,
};

struct control {
	int fd;     /* to poll for reading; -1: nobody gives orders (any more) */
	int ack_fd; /* -1: none */
	bool owns_fds;
	char line[128]; /* what came of an order that is not whole yet */
	size_t size;
};

/* Starts as this. */
#define CONTROL_OFF                                                                                \
	{                                                                                          \
		.fd = -1, .ack_fd = -1                                                             \
	}

/*
 * "fd:N", "fd:N,M", "fifo:PATH", "fifo:PATH,PATH": what must be there already. -EINVAL if @text is
 * neither.
 */
int control_open(struct control *control, const char *text, struct strobe_err *err);
void control_close(struct control *control);

/*
 * The next order that has come, without waiting; CONTROL_NONE if there is none. Orders that are not
 * known are passed over. *ret_event is the name behind it, or NULL; borrowed until the next call.
 */
enum control_order control_next(struct control *control, const char **ret_event);
/* It was carried out. */
void control_done(const struct control *control);
