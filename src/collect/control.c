/* control.c - see control.h. */
#include "collect/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

static int refuse(const char *text, struct strobe_err *err)
{
	err_set(err, -EINVAL, "'%s' is no way to give orders", text);
	return err_hint(err, -EINVAL, "as in: fd:10,11 (descriptors), or fifo:ctl,ack (FIFOs)");
}

static int take_fd_number(const char *text, int *ret_fd, struct strobe_err *err)
{
	uint64_t fd;

	if (!str_to_u64(text, &fd) || fd > INT32_MAX)
		return refuse(text, err);
	if (fcntl((int)fd, F_GETFD) < 0)
		return err_errno(err, "--control: descriptor %s", text);
	*ret_fd = (int)fd;
	return 0;
}

/* For both directions, so that it neither waits for the other end nor sees its going as an end. */
static int open_fifo(const char *path, int *ret_fd, struct strobe_err *err)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, "--control: cannot open '%s'", path);
	*ret_fd = fd;
	return 0;
}

int control_open(struct control *control, const char *text, struct strobe_err *err)
{
	const char *fds = str_after(text, "fd:"), *fifos = str_after(text, "fifo:");
	const char *names = fds ? fds : fifos, *comma = names ? strchr(names, ',') : NULL;
	int (*open_end)(const char *, int *, struct strobe_err *) =
		fds ? take_fd_number : open_fifo;
	_cleanup_(freep) char *first = NULL;
	int r;

	if (!names || !*names)
		return refuse(text, err);
	first = comma ? xstrndup(names, (size_t)(comma - names)) : xstrdup(names);
	control->owns_fds = fifos != NULL;
	r = open_end(first, &control->fd, err);
	if (r == 0 && comma)
		r = open_end(comma + 1, &control->ack_fd, err);
	if (r < 0)
		control_close(control);
	return r;
}

void control_close(struct control *control)
{
	if (control->owns_fds) {
		closep(&control->fd);
		closep(&control->ack_fd);
	}
	*control = (struct control)CONTROL_OFF;
}

static const char *const orders[] = {
	[CONTROL_ENABLE] = "enable",
	[CONTROL_DISABLE] = "disable",
	[CONTROL_PING] = "ping",
	[CONTROL_STOP] = "stop",
};

static enum control_order parse(const char *line, const char **ret_event)
{
	for (int i = CONTROL_ENABLE; i <= CONTROL_STOP; i++) {
		const char *rest = str_after(line, orders[i]);

		if (!rest || (*rest && *rest != ' '))
			continue;
		*ret_event = *rest ? rest + 1 : NULL;
		return (enum control_order)i;
	}
	return CONTROL_NONE;
}

/* A byte at a time: orders are few, and what is behind one stays where it is. False: no line yet.
 */
static bool read_line(struct control *control)
{
	struct pollfd poll_fd = { .fd = control->fd, .events = POLLIN };
	char c;

	/* A descriptor that we were given may be one that waits. */
	while (poll(&poll_fd, 1, 0) > 0) {
		ssize_t size = read(control->fd, &c, 1);

		if (size <= 0) {
			if (size == 0)
				control->fd = -1;
			return false;
		}
		if (c == '\n' || c == '\0') {
			control->line[control->size] = '\0';
			control->size = 0;
			return true;
		}
		if (control->size < sizeof(control->line) - 1)
			control->line[control->size++] = c;
	}
	return false;
}

enum control_order control_next(struct control *control, const char **ret_event)
{
	*ret_event = NULL;
	while (control->fd >= 0 && read_line(control)) {
		enum control_order order = parse(control->line, ret_event);

		if (order)
			return order;
	}
	return CONTROL_NONE;
}

void control_done(const struct control *control)
{
	if (control->ack_fd >= 0)
		(void)!write(control->ack_fd, "ack\n", 4);
}
