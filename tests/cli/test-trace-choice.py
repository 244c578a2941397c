"""strobe trace: what is shown of all that happens, and when; and how much of it is kept in memory."""
import os
import re
import subprocess

from tap import STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_root, read, strobe, usable_cpus, wait_until

SWITCHING = """#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	mkdir("before", 0700);
	if (fork() == 0) {
		mkdir("between", 0700);
		_exit(0);
	}
	wait(0);
	mkdir("behind", 0700);
}
"""
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


def trace(*args):
    """The lines, and how it went."""
    result = strobe("trace", "-o", "trace.txt", *args)
    return read("trace.txt"), result


def made(text):
    """Folders that calls were shown to make; without BPF they have no names."""
    return re.findall(r'mkdir(?:at)?\(.*?"(\w+)"', text)


def made_count(text):
    return len(re.findall(r"mkdir(?:at)?\(", text))


@case
def a_delay_leaves_calls_out():
    need_root()
    for how, span in (((), "400-5000"), (("--no-bpf",), "400")):
        text, result = trace(*how, "-D", span, "-e", "mkdir*", "sh", "-c", "mkdir a; sleep 0.8; mkdir b; rmdir a b")
        equal((result.code, made_count(text)), (0, 1), text + result.err)
        equal(made(text), [] if how else ["b"], text)
    equal(strobe("trace", "-D", "soon", "true").code, 2)


@case
def one_event_switches_on_and_another_off():
    need_root()
    program = compile_c(SWITCHING)
    on, off = ("--switch-on", "sched:sched_process_fork"), ("--switch-off", "sched:sched_process_exit")
    for how in ((), ("--no-bpf",)):
        for options, names in ((on, ["between", "behind"]), (off, ["before", "between"]), (on + off, ["between"])):
            text, result = trace(*how, *options, "-e", "mkdir", program)
            equal(made_count(text), len(names), (how, options, text, result.err))
            equal(made(text), [] if how else names)
            lacks(text, "sched_process")
            for name in ("before", "between", "behind"):
                os.rmdir(name)
    text, _ = trace(*on, *off, "--show-on-off-events", "-e", "mkdir", program)
    check(re.search(r"sched_process_fork\(.*\n.*mkdir\(.*\n.*sched_process_exit\(.*\n", text), text)
    sums, _ = trace("-s", *on, *off, "--summary-mode", "total", "-e", "mkdir", program)
    check(re.search(r"^   mkdir +1 ", sums, re.M), sums)


@case
def a_call_that_ends_behind_the_switch_has_its_beginning():
    need_root()
    text, _ = trace("--switch-on", "sched:sched_process_exit", "-e", "wait4,exit_group", "sh", "-c", "sleep 0.01; :")
    check(re.search(r"\( *[\d.]+ ms\): sh/\d+ wait4\(upid: -1, stat_addr: ", text), text)


@case
def a_recording_is_switched_as_well():
    need_root()
    program = compile_c(SWITCHING)
    strobe("trace", "record", "-o", "x.data", "-e", "mkdir,sched:sched_process_fork", program)
    text, _ = trace("-i", "x.data", "--switch-on", "sched:sched_process_fork")
    equal(made(text), ["between", "behind"])
    result = strobe("trace", "-i", "x.data", "--switch-off", "sched:sched_process_exit")
    equal(result.code, 1)
    contains(result.err, "no event 'sched:sched_process_exit' in the recording")
    result = strobe("trace", "record", "--switch-on", "sched:sched_process_fork", "true")
    equal(result.code, 2)
    contains(result.err, "trace -i takes both options")
    result = strobe("trace", "--switch-on", "no:such", "true")
    equal(result.code, 1)
    contains(result.err, "tracepoint 'no:such' does not exist here")


@case
def processes_are_left_out():
    need_root()
    shells = [background(["sh", "-c", "while sleep 0.02; do :; done"]).pid for _ in range(2)]
    both = ",".join(str(pid) for pid in shells)
    for how in ((), ("--no-bpf",)):
        for left_out, expected in (([], set(shells)), (shells[:1], {shells[1]}), (shells, set())):
            options = ["--filter-pids", ",".join(str(pid) for pid in left_out)] if left_out else []
            text, result = trace(*how, "-p", both, *options, "-e", "wait4", "--", "sleep", "0.3")
            equal({int(tid) for tid in re.findall(r": sh/(\d+) ", text)}, expected, text)
            contains(result.err, "what -p, -t and -u name is traced while 'sleep' runs, and that is not")
    strobe("trace", "record", "-o", "x.data", "-p", both, "-e", "wait4", "--", "sleep", "0.3")
    text, _ = trace("-i", "x.data", "--filter-pids", str(shells[0]))
    equal({int(tid) for tid in re.findall(r": sh/(\d+) ", text)}, {shells[1]})
    result = strobe("trace", "--filter-pids", "1,x", "true")
    equal(result.code, 2)
    contains(result.err, "'x' is no process or thread")


@case
def what_strobe_does_otherwise_is_said():
    for option, said in (("--print-sample", "strobe script -D"), ("--tool_stats", "strobe report --stats"), ("--map-dump", "bpftool"),
                         ("--bpf-summary", "-s"), ("--force-btf", "--format json"), ("--libtraceevent_print", "strobe script"),
                         ("--proc-map-timeout", "without a limit")):
        result = strobe("trace", option, "true")
        equal(result.code, 2, option)
        contains(result.err, said)
        lacks(result.err, "not yet")


@case
def sums_have_the_time_on_a_cpu_wherever_it_is_known():
    need_root()
    def head(*args):
        return re.search(r"^   syscall .*stddev(.*)$", trace("-s", *args)[0], re.M)[1].strip()

    # A call that never loses its CPU has a column all the same.
    for how in ((), ("--no-bpf",)):
        equal(head(*how, "-e", "getppid,exit_group,brk", "true"), "cpu")
    strobe("trace", "record", "-s", "-o", "with.data", "true")
    strobe("trace", "record", "-o", "without.data", "true")
    equal((head("-i", "with.data"), head("-i", "without.data")), ("cpu", ""))


@case
def a_call_that_goes_on_has_its_cpu():
    need_root()
    cpu = usable_cpus(2)[-1]
    text, _ = trace("--show-cpu", "taskset", "-c", str(cpu), "sh", "-c", "sleep 0.1 & wait; exit 3")
    shown = [line for line in text.splitlines() if ": [" in line and ("exit_group" in line or " ... " not in line and line.endswith(" ..."))]
    check(shown, text)
    equal({re.search(r": \[(\d+)\]", line)[1] for line in shown}, {"%03d" % cpu})


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
