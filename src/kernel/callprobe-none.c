/* callprobe-none.c - where the programs for the kernel were not built: see callprobe.h. */
#include <errno.h>

#include "base/err.h"
#include "kernel/callprobe.h"

int callprobe_open(const struct callprobe_options *options, struct callprobe **ret_probe,
		   struct strobe_err *err)
{
	return err_set(err, -ENOSYS, "strobe was built without BPF");
}

void callprobe_close(struct callprobe *probe)
{
}

int callprobe_watch(struct callprobe *probe, pid_t tid, bool waiting)
{
	return -ENOSYS;
}

void callprobe_turn(struct callprobe *probe, bool on)
{
}

int callprobe_fd(const struct callprobe *probe)
{
	return -1;
}

uint64_t callprobe_wake_ns(void)
{
	return 0;
}

int callprobe_read(struct callprobe *probe, callprobe_take *hand_out, void *context)
{
	return 0;
}

struct callprobe_loss callprobe_lost(struct callprobe *probe)
{
	return (struct callprobe_loss){ 0 };
}
