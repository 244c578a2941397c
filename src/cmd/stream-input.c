/* stream-input.c - see stream-input.h. */
#include "cmd/stream-input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "collect/wakeup.h"
#include "data/datafile.h"
#include "data/stream.h"

enum {
	BUFFER_SIZE = 256 * 1024,
	QUIET_MS = 100, /* recorders that have much to tell do so more often */
	SILENT_MS = 1000,
	STOP_MS = 1000, /* the recorder may have got the same signal, and says its last */
};

struct stream_input {
	int fd;
	const char *name;
	struct stream *stream;
	int last; /* what stream_input_next() came back for */
	bool takes_signals;
	struct wakeup wakeup;
	uint64_t stop_ms; /* on the monotonic clock; 0: nobody asked to end */
	char buffer[BUFFER_SIZE];
};

void stream_input_close(struct stream_input *input)
{
	if (!input)
		return;
	stream_free(input->stream);
	if (input->takes_signals)
		wakeup_close(&input->wakeup);
	if (input->fd > STDIN_FILENO)
		(void)close(input->fd);
	free(input);
}

struct stream *stream_input_stream(const struct stream_input *input)
{
	return input->stream;
}

static ssize_t read_some(const struct stream_input *input, void *bytes, size_t size,
			 struct strobe_err *err)
{
	ssize_t got;

	do
		got = read(input->fd, bytes, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? err_errno(err, "cannot read '%s'", input->name) : got;
}

/* The bytes by which a stream is told from a file; fewer if no more come. */
static ssize_t read_header(struct stream_input *input, struct strobe_err *err)
{
	size_t size = 0;

	while (size < STREAM_HEADER_SIZE) {
		ssize_t got =
			read_some(input, input->buffer + size, STREAM_HEADER_SIZE - size, err);

		if (got < 0)
			return got;
		if (got == 0)
			break;
		size += (size_t)got;
	}
	return (ssize_t)size;
}

static int wait_for_events(struct stream_input *input, struct strobe_err *err)
{
	int r = 1;

	while (r > 0 && !datafile_is_told(stream_file(input->stream)))
		r = stream_input_next(input, err);
	return r < 0 ? r : 0;
}

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int open_path(const char *path)
{
	return strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
}

int stream_input_open(const char *path, bool takes_signals, struct stream_input **ret_input,
		      struct datafile **ret_file, struct strobe_err *err)
{
	_cleanup_(stream_input_closep) struct stream_input *input = xnew(struct stream_input);
	ssize_t size;
	int r;

	input->name = path;
	input->fd = open_path(path);
	if (input->fd < 0 || !is_pipe(input->fd)) {
		*ret_input = NULL;
		return datafile_open(path, ret_file, err);
	}
	size = read_header(input, err);
	if (size < 0)
		return (int)size;
	if (!stream_may_begin(input->buffer, (size_t)size)) {
		*ret_input = NULL;
		return datafile_open_rest(input->fd, path, input->buffer, (size_t)size, ret_file,
					  err);
	}
	r = takes_signals ? wakeup_open(&input->wakeup, err) : 0;
	if (r < 0)
		return r;
	input->takes_signals = takes_signals;
	mem_give_back();
	input->stream = stream_new(path);
	r = stream_feed(input->stream, input->buffer, (size_t)size, err);
	if (r == 0)
		r = wait_for_events(input, err);
	if (r == 0)
		*ret_input = take(input);
	return r;
}

static int read_more(struct stream_input *input, struct strobe_err *err)
{
	ssize_t got = read_some(input, input->buffer, sizeof(input->buffer), err);
	int r;

	if (got < 0)
		return (int)got;
	if (got > 0)
		r = stream_feed(input->stream, input->buffer, (size_t)got, err);
	else
		r = stream_end(input->stream, err);
	if (r < 0)
		return r;
	return got > 0 ? STREAM_INPUT_MORE : STREAM_INPUT_END;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Until there is something to say of it that nothing comes; -1: for ever. */
static int timeout_ms(const struct stream_input *input)
{
	if (input->last == STREAM_INPUT_SILENT)
		return -1;
	return input->last == STREAM_INPUT_QUIET ? SILENT_MS - QUIET_MS : QUIET_MS;
}

/* Until records or a signal come; 0: neither does. */
static int wait_for_more(struct stream_input *input, struct strobe_err *err)
{
	struct pollfd waits[] = {
		{ .fd = input->fd, .events = POLLIN },
		{ .fd = input->takes_signals ? input->wakeup.fd : -1, .events = POLLIN },
	};
	int r;

	do
		r = poll(waits, 2, timeout_ms(input));
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return err_errno(err, "cannot wait for '%s'", input->name);
	if (waits[1].revents && wakeup_read(&input->wakeup) && !input->stop_ms)
		input->stop_ms = now_ms() + STOP_MS;
	return waits[0].revents != 0;
}

static int next(struct stream_input *input, struct strobe_err *err)
{
	int r = wait_for_more(input, err);

	if (r < 0)
		return r;
	if (input->stop_ms && (r == 0 || now_ms() >= input->stop_ms))
		return STREAM_INPUT_END;
	if (r > 0)
		return read_more(input, err);
	r = stream_pause(input->stream, err);
	if (r < 0)
		return r;
	return input->last == STREAM_INPUT_QUIET ? STREAM_INPUT_SILENT : STREAM_INPUT_QUIET;
}

int stream_input_next(struct stream_input *input, struct strobe_err *err)
{
	return input->last = next(input, err);
}
