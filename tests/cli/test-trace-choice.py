"""strobe trace: what is shown of all that happens, and when; and how much of it is kept in memory."""
import os
import re
import subprocess

from tap import STROBE, background, case, check, compile_c, main, need_root, read, wait_until

FLOOD = """#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static volatile int ended;
static long counts[3];
static void *run(void *count)
{
	int fd = open("/dev/null", O_WRONLY);
	while (!ended)
		*(long *)count += write(fd, "x", 1);
	return 0;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, run, &counts[i]);
	usleep(1200000);
	ended = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	printf("%ld\\n", counts[0] + counts[1] + counts[2]);
}
"""


def most_memory(*args):
    """What strobe has had at most, in MiB, and what the command wrote."""
    env = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1")
    tracer = background([STROBE, "trace", "-m", "8M", "-o", "trace.txt", *args], stdout=subprocess.PIPE, env=env)
    most = [0]

    def has_ended():
        try:
            most[0] = max(most[0], int(re.search(r"VmHWM:\s+(\d+)", read("/proc/%d/status" % tracer.pid))[1]))
        except (FileNotFoundError, ProcessLookupError, TypeError):
            pass
        return tracer.poll() is not None

    wait_until(has_ended, 60)
    return most[0] / 1024, tracer.stdout.read()


@case
def a_flood_does_not_grow_in_memory_and_what_is_missing_is_counted():
    need_root()
    program = compile_c(FLOOD, flags=["-O2", "-pthread"])
    before, _ = most_memory("sleep", "0.2")
    most, out = most_memory("-e", "write", program)
    check(most - before < 60, "%d MiB, and %d without a flood" % (most, before))
    lines = read("trace.txt").splitlines()
    lost = sum(int(line.split()[1]) for line in lines if line.startswith("LOST"))
    records = sum(1 if "[continued]" in line or line.endswith(" ...") else 2 for line in lines if "write(" in line)
    # An entry whose end is lost has no line.
    check(lost + records <= 2 * int(out) + 100 and 2 * (lost + records) >= 2 * int(out) - 100, (lost, records, out))
    for thread in {line.split("/")[1].split()[0] for line in lines if "write(" in line}:
        times = [float(line.split()[0]) for line in lines if "/%s write(" % thread in line]
        check(times == sorted(times), "a thread's calls are out of order")


main()
