/* probe-event.c - see probe-event.h. */
#include "kernel/probe-event.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kernel/perfevent.h"

enum { TIMES = 5 }; /* that something is done, to be counted */

struct probe_event probe_event_clock(const char *name)
{
	return (struct probe_event){ .name = name,
				     .attr = { .size = sizeof(struct perf_event_attr),
					       .type = PERF_TYPE_SOFTWARE,
					       .config = PERF_COUNT_SW_TASK_CLOCK,
					       .exclude_kernel = 1,
					       .exclude_hv = 1 } };
}

/* What a kernel, a machine or a user may lack. */
static bool is_lack(int code)
{
	static const int lacks[] = { EACCES, EPERM, ENOENT, ENODEV, ENXIO,  EOPNOTSUPP, ENOSYS,
				     EINVAL, E2BIG, EBUSY,  EMFILE, ENFILE, ENOSPC };

	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		if (code == -lacks[i])
			return true;
	return false;
}

enum probe_result probe_event_open(const struct probe_event *event, int *ret_fd,
				   struct strobe_err *err)
{
	const struct perfevent_request request = {
		.name = event->name,
		.pid = event->all_tasks ? -1 : 0,
		.cpu = event->all_tasks ? 0 : -1,
		.is_tracepoint = event->is_tracepoint,
		.is_probe = event->is_probe,
		.is_hardware = event->is_hardware,
		.wants_kernel = !event->attr.exclude_kernel,
		.fd_count = 1,
	};
	int fd = perfevent_open(&event->attr, request.pid, request.cpu, -1, false);

	if (fd >= 0) {
		*ret_fd = fd;
		return PROBE_OK;
	}
	(void)perfevent_explain(fd, &request, err);
	return is_lack(fd) ? PROBE_SKIP : PROBE_FAILED;
}

enum probe_result probe_event_try(const struct probe_event *event, struct strobe_err *err)
{
	_cleanup_(closep) int fd = -1;

	return probe_event_open(event, &fd, err);
}

enum probe_result probe_event_count(const struct probe_event *event, void (*act)(void *),
				    void *context, bool exactly, struct str *details,
				    struct strobe_err *err)
{
	_cleanup_(closep) int fd = -1;
	enum probe_result result = probe_event_open(event, &fd, err);
	uint64_t count = 0;

	if (result != PROBE_OK)
		return result;
	for (int i = 0; i < TIMES; i++)
		act(context);
	if (read(fd, &count, sizeof(count)) != sizeof(count)) {
		(void)err_errno(err, "cannot read the count of '%s'", event->name);
		return PROBE_FAILED;
	}
	str_addf(details, "'%s' counted %" PRIu64 ", and happened %d times\n", event->name, count,
		 TIMES);
	if (exactly ? count == TIMES : count > 0)
		return PROBE_OK;
	(void)err_set(err, -EIO, "'%s' counted %" PRIu64 " where it happened %d times", event->name,
		      count, TIMES);
	return PROBE_FAILED;
}
