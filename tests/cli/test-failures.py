"""What goes wrong: one sentence says what, one what to do, the exit code is not 0, nothing is left."""
import contextlib
import errno
import os
import re
import resource
import signal
import stat
import struct
import subprocess
import time

import recordings
from tap import (BUILD_ROOT, STROBE, background, case, check, compile_c, contains, equal, lacks, main,
                 need_perf_events, need_program, need_root, perf, perf_path, read, run, skip, strobe, write)

READERS = ("report", "script", "evlist", "buildid-list")


def fails(result, code, words, left=()):
    """A failed command: its exit code, what it says, perhaps where, what to do, and the files that are there after it."""
    what = "%s\n%s" % (" ".join(result.argv[1:]), result.err)
    equal(result.code, code, what)
    contains(result.err, words)
    lines = [line for line in result.err.splitlines()
             if not line.startswith("strobe record: no hardware cycles here")]
    check(re.match(r"strobe [\w-]+: \S", lines[0]), what)
    check(len(lines) == 2 or (len(lines) == 4 and re.match(" *\\^$", lines[2])), what)
    check(lines[-1].startswith("  hint: "), what)
    equal(sorted(os.listdir(".")), sorted(left), what)


@case
def a_recording_that_cannot_be_read_says_why():
    need_perf_events()
    strobe("record", "-q", "-e", "cpu-clock", "-o", "whole", "true").ok()
    whole = open("whole", "rb").read()
    os.remove("whole")
    write("empty", b"")
    write("foreign", b"\x7fnot" * 1000)
    write("magic", whole[:8])
    write("cut", whole[:50])
    os.mkdir("folder")
    here = os.listdir(".")
    for command in READERS:
        for name, words in (("missing", "cannot open 'missing': No such file or directory"),
                            ("empty", "'empty' is empty"), ("foreign", "'foreign' is not a perf.data file"),
                            ("magic", "'magic' is not a perf.data file"), ("cut", "'cut' ends within its header"),
                            ("folder", "'folder' is a folder"), ("/dev/null", "'/dev/null' is empty")):
            fails(strobe(command, "-i", name), 1, words, here)
        with open(os.devnull) as nothing:
            fails(strobe(command, stdin=nothing), 1, "cannot open 'perf.data'", here)
        fails(strobe(command, "-i", "-", stdin=b"what is this?" * 9), 1, "is not a perf.data file", here)


@case
def symbols_that_cannot_be_read_are_no_secret():
    need_perf_events()
    strobe("record", "-q", "-e", "page-faults", "-c", "1", "-o", "x.data", "true").ok()
    os.mkdir("folder")
    os.mkfifo("fifo")
    for command in ("report", "script"):
        for option in ("--kallsyms", "--vmlinux"):
            for path, words in (("missing", "No such file or directory"), ("folder", "it is a folder"),
                                ("fifo", "it is no file"), ("/dev/zero", "it is no file"),
                                ("/dev/urandom", "it is no file")):
                result = strobe(command, option, path, "-i", "x.data")
                equal(result.code, 1, result.err)
                contains(result.err, "cannot read kernel symbols from '%s': %s" % (path, words))
            lacks(strobe(command, option, "/dev/null", "-i", "x.data").ok().err, "cannot read")
        result = strobe(command, "--symfs", "folder,round", "-i", "x.data")
        equal((result.code, "there is no layout 'round'" in result.err), (2, True))
        contains(strobe(command, "--symfs", "missing", "-i", "x.data").ok().err, "'missing' is no folder")
        lacks(strobe(command, "--symfs", "folder", "-i", "x.data").ok().err, "is no folder")


@case
def of_a_truncated_recording_all_that_is_there_is_shown():
    need_perf_events()
    strobe("record", "-q", "-e", "page-faults:u", "-c", "1", "-o", "whole", "true").ok()
    whole = open("whole", "rb").read()
    all_samples = len(strobe("script", "-i", "whole").ok().lines())
    data_end = int.from_bytes(whole[40:48], "little") + int.from_bytes(whole[48:56], "little")
    write("cut", whole[:data_end - 100])
    for command in READERS:
        result = strobe(command, "-i", "cut").ok()
        contains(result.err, "'cut' is not whole")
        contains(result.err, "hint: ")
    check(0 < len(strobe("script", "-i", "cut").lines()) < all_samples)


def sample_offsets(data):
    """Where the SAMPLE records of a file's bytes are."""
    at, size = struct.unpack_from("<QQ", data, 40)
    end = at + size
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == 9:
            yield at
        at += size


@case
def records_that_are_left_out_are_counted_and_said():
    data = bytearray(open(recordings.data("flat"), "rb").read())
    lost, unknown, damaged = list(sample_offsets(data))[:3]  # of 40 bytes: ip, tids, time, period
    struct.pack_into("<IHHQQQQ", data, lost, 2, 0, 40, 1, 7, 0, 0)
    struct.pack_into("<I", data, unknown, 63)
    struct.pack_into("<IHHQ", data, damaged, 9, 2, 16, 0)
    struct.pack_into("<IHHQQ", data, damaged + 16, 63, 0, 24, 0, 0)
    write("changed", bytes(data))
    data = bytearray(open(recordings.data("groups"), "rb").read())
    struct.pack_into("<Q", data, next(sample_offsets(data)) + 32, 0xdeadbeef)  # behind ip, tids and time
    write("ids", bytes(data))
    for command in (["report"], ["report", "-q", "--no-children"], ["script"]):
        result = strobe(*command, "-i", "changed", *recordings.NAMES).ok()
        equal([line for line in result.err.splitlines() if "left out" in line],
              ["strobe %s: 'changed': records that are left out: 7 lost by the kernel while recording, 1 damaged, "
               "2 of unknown type" % command[0]])
        result = strobe(*command, "-i", "ids", *recordings.NAMES).ok()
        contains(result.err, "'ids': records that are left out: 1 of events that the recording does not tell of\n")
        lacks(strobe(*command, "-i", "flat.data", *recordings.NAMES).ok().err, "left out")


@case
def a_file_that_its_recorder_did_not_close_is_said_to_be_unfinished():
    data = bytearray(open(recordings.data("flat"), "rb").read())
    struct.pack_into("<Q", data, 48, 0)  # the size of the data
    write("open", bytes(data[:struct.unpack_from("<Q", data, 40)[0] + 4000]))
    for command in READERS:
        result = strobe(command, "-i", "open")
        contains(result.err, "'open' is not whole: ")
        contains(result.err, "unfinished: its recorder ended before it could close it")


@case
def a_recording_that_cannot_be_made_says_why():
    need_perf_events()
    write("no-program", "text")
    os.mkdir("folder")
    here = ["folder", "no-program"]
    for words, code, answer in (
            (["no-such-program"], 1, "cannot run 'no-such-program': No such file or directory"),
            (["./no-program"], 1, "cannot run './no-program': Permission denied"),
            (["-p", "99999999", "true"], 1, "no process 99999999"),
            (["-t", "99999999", "true"], 1, "no thread 99999999"),
            (["-u", "no-such-user", "true"], 1, "no user 'no-such-user'"),
            (["-u", "54321", "true"], 1, "user '54321' has no processes"),
            (["-C", "4095", "true"], 1, "CPU 4095 is not online"),
            (["-e", "no_such:event", "true"], 2, "tracepoint 'no_such:event' does not exist"),
            (["-e", "cpu-clokc", "true"], 2, "unknown event 'cpu-clokc'"),
            (["-e", "instructions", "--call-graph", "lbr", "true"], 1, "branches cannot be recorded with 'instructions' here"),
            (["--call-graph", "lbr", "true"], 1, "branches cannot be recorded here\n"),
            (["-o", "nowhere/F", "true"], 1, "cannot write 'nowhere/F': No such file or directory"),
            (["-o", "folder", "true"], 1, "cannot write 'folder': it is a folder"),
            (["-o", "/proc/F", "true"], 1, "cannot write '/proc/F'"),
            (["-o", "/dev/full", "true"], 1, "cannot write '/dev/full': No space left on device"),
            (["-F", "often", "true"], 2, "'often' is no frequency"),
            (["-F", "99", "-c", "100", "true"], 2, "one of them is too many"),
            (["-g", "fp", "true"], 1, "hint: did you mean --call-graph fp?"),
            (["-m", "huge", "true"], 2, "'huge' is no size of a ring"),
            (["--call-graph", "magic", "true"], 2, "unknown call graph 'magic'"),
            (["--all-user", "--all-kernel", "true"], 2, "--all-user and --all-kernel leave nothing to record")):
        fails(strobe("record", *words), code, answer, here)


@case
def a_folder_without_rights_is_not_written():
    need_root()
    need_program("setpriv")
    before = os.listdir("/")
    result = run("setpriv", "--reuid", "65534", "--clear-groups", STROBE, "record", "-o", "perf.data", "-e",
                 "cpu-clock:u", "true", cwd="/", env={"ASAN_OPTIONS": "detect_leaks=0"})
    if "Permission denied" not in result.err:
        skip("the program itself is out of reach")
    contains(result.err, "cannot write 'perf.data': Permission denied")
    contains(result.err, "hint: ")
    equal(result.code, 1)
    equal(os.listdir("/"), before)


@case
def devices_links_and_pipes_stay_what_they_are():
    need_perf_events()
    def devices():
        return {name: (os.lstat("/dev/" + name).st_mode, os.lstat("/dev/" + name).st_ino)
                for name in sorted(os.listdir("/dev")) if not name.startswith(("pts", "tty", "char", "shm"))}
    before = devices()
    for path in ("/dev/null", "/dev/zero"):
        strobe("record", "-q", "-e", "cpu-clock", "-o", path, "true").ok()
    for path in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        result = strobe("record", "-e", "page-faults", "-c", "1", "-o", path, "echo", "hello").ok()
        equal(result.out_bytes[:8], b"PERFILE2", path)
        contains(result.err, "hello")
        contains(strobe("script", "-i", "-", stdin=result.out_bytes).ok().out, "page-faults")
        contains(strobe("report", "-i", "-", "--stdio", stdin=result.out_bytes).ok().out, "page-faults")
        contains(perf("script", "-i", "-", stdin=result.out_bytes).ok().out, "page-faults")
    with open("F", "wb") as file:
        strobe("record", "-q", "-e", "cpu-clock", "-o", "/dev/stdout", "true", stdout=file).ok()
    contains(strobe("evlist", "-i", "F").ok().out, "cpu-clock")
    equal(devices(), before)
    equal(os.listdir("."), ["F"])


@case
def a_fifo_carries_tracepoints_with_their_formats():
    need_root()
    os.mkfifo("fifo")
    reader = background(["sh", "-c", "'%s' script -i - <fifo >out 2>/dev/null" % perf_path()])
    strobe("record", "-q", "-e", "sched:sched_process_exec", "-o", "fifo", "true").ok()
    reader.wait(timeout=60)
    check(stat.S_ISFIFO(os.stat("fifo").st_mode))
    contains(read("out"), "filename=/")


@case
def a_full_disk_is_said_and_what_fitted_is_read():
    need_root()
    os.mkdir("small")
    if run("mount", "-t", "tmpfs", "-o", "size=128k", "none", "small").code != 0:
        skip("nothing can be mounted here")
    try:
        result = strobe("record", "-e", "page-faults", "-c", "1", "-g", "-o", "small/F", "sh", "-c",
                        "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done")
        equal(result.code, 1)
        contains(result.err, "cannot write '%s': No space left on device" % os.path.realpath("small/F")
                 if "'/" in result.err else "cannot write 'small/F': No space left on device")
        contains(result.err, "hint: ")
        contains(strobe("script", "-i", "small/F").ok().out, "page-faults")
    finally:
        run("umount", "small").ok()


@case
def a_limit_on_the_size_of_files_is_said_and_what_fitted_is_read():
    need_perf_events()
    # The limit is the recorder's and the command's: that one is to end by it, as it would without us.
    grows = "dd if=/dev/zero of=big bs=1M count=2 2>/dev/null; echo $?"
    result = run("bash", "-c", "ulimit -f 64; exec '%s' record -q -e page-faults -c 1 -g -o F bash -c '%s; %s'" % (
        STROBE, grows, "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done"))
    equal(result.code, 1, result.err)
    equal(result.out, "%d\n" % (128 + signal.SIGXFSZ))
    contains(result.err, "cannot write 'F': File too large")
    contains(result.err, "hint: ")
    contains(strobe("script", "-i", "F").ok().out, "page-faults")
    os.remove("F")
    os.remove("big")
    fails(run("bash", "-c", "ulimit -f 0; exec '%s' record -e cpu-clock -o F true" % STROBE), 1,
          "cannot write 'F': File too large")


@case
def output_that_nobody_takes_is_a_failure():
    need_perf_events()
    strobe("record", "-q", "-e", "page-faults", "-c", "1", "-g", "-o", "F", "sh", "-c", "true; true").ok()
    with open("/dev/full", "wb") as full:
        for command in READERS:
            result = strobe(command, "-i", "F", stdout=full)
            equal(result.code, 1, command)
            contains(result.err, "cannot write to standard output: No space left on device")
    for command in READERS:
        result = run("sh", "-c", "'%s' %s -i F >&-" % (STROBE, command), env={"ASAN_OPTIONS": "detect_leaks=0"})
        equal(result.code, 1, command)
        contains(result.err, "cannot write to standard output: Bad file descriptor")
    closed = run("sh", "-c", "'%s' record -q -e cpu-clock -o - true >&-" % STROBE,
                 env={"ASAN_OPTIONS": "detect_leaks=0"})
    equal(closed.code, 1)
    contains(closed.err, "cannot write 'standard output'")


def limited(soft, hard):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


THREADS = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *wait_here(void *p) { for (;;) usleep(20000); return p; }
static void *end(void *p) { return p; }
int main(int argc, char **argv)
{
	pthread_t thread;
	for (int i = atoi(argv[1]); i > 0; i--)
		pthread_create(&thread, NULL, wait_here, NULL);
	write(1, "x", 1);
	while (argc > 2) {
		pthread_create(&thread, NULL, end, NULL);
		pthread_detach(thread);
		usleep(500);
	}
	pause();
}
"""


@contextlib.contextmanager
def threads(*argv):
    child = background([compile_c(THREADS, "threads", ("-O1", "-pthread")), *argv], stdout=subprocess.PIPE)
    child.stdout.read(1)
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


@case
def open_files_are_enough_for_many_threads_or_their_number_is_said():
    need_perf_events()
    with threads("200") as child:
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
        for hard, code in ((4096, 0), (64, 1)):
            done = subprocess.run([STROBE, "record", "-e", "dummy", "-p", str(child.pid), "-o", "F%d" % hard,
                                   "sleep", "0.1"], preexec_fn=limited(32, hard), env=environment,
                                  stderr=subprocess.PIPE, check=False, text=True)
            if hard == 64 and done.returncode == 0:
                skip("this user may raise the limit")
            equal(done.returncode, code, done.stderr)
        check(re.search(r"too many open files: the events need \d+ descriptors\n  hint: raise the limit: ulimit -Hn",
                        done.stderr), done.stderr)
        check(not os.path.exists("F64"))
        text = perf("script", "--show-task-events", "-i", "F4096").ok().out
        equal(len(set(re.findall(r"COMM: threads:\d+/(\d+)", text))), 201)


@case
def threads_that_come_and_go_while_attaching_do_no_harm():
    need_perf_events()
    with threads("3", "more") as child:
        for _ in range(5):
            strobe("record", "-q", "-e", "task-clock", "-p", child.pid, "-o", "F", "sleep", "0.1").ok()
        tid = sorted(int(t) for t in os.listdir("/proc/%d/task" % child.pid))[1]
        strobe("record", "-q", "-e", "dummy", "-t", tid, "-o", "F", "sleep", "0.1").ok()
        strobe("record", "-q", "-e", "task-clock", "--per-thread", "-p", child.pid, "-o", "F", "sleep", "0.1").ok()


@case
def delays_durations_users_and_cpus_are_heeded():
    need_root()
    start = time.monotonic()
    strobe("record", "-q", "-e", "cpu-clock", "-a", "--duration", "1", "-o", "F").ok()
    check(0.9 < time.monotonic() - start < 20)
    strobe("record", "-q", "-e", "cpu-clock", "-D", "-1", "-o", "F", "true").ok()
    equal(strobe("script", "-i", "F").ok().out, "")
    burn = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "
    strobe("record", "-q", "-e", "cpu-clock", "-D", "100", "-o", "F", "sh", "-c", "sleep 0.3; " + burn).ok()
    contains(strobe("script", "-i", "F").ok().out, "cpu-clock")
    strobe("record", "-q", "-e", "cpu-clock", "-C", "0", "-o", "F", "sh", "-c", burn).ok()
    equal(set(re.findall(r"\[(\d{3})\]", strobe("script", "-i", "F", "-F", "+cpu").ok().out)) - {"000"}, set())
    child = background([need_program("setpriv"), "--reuid", "54321", "--clear-groups", "sh", "-c", "while :; do :; done"])
    try:
        time.sleep(0.3)
        strobe("record", "-q", "-e", "cpu-clock", "-u", "54321", "-o", "F", "sleep", "0.3").ok()
        pids = set(re.findall(r"^ *\S+ +(\d+) ", strobe("script", "-i", "F").ok().out, re.M))
        equal(pids, {str(child.pid)})
    finally:
        child.kill()
        child.wait()


@contextlib.contextmanager
def sysctl(name, value):
    path = "/proc/sys/" + name
    before = read(path)
    try:
        with open(path, "w") as file:
            file.write(str(value))
        yield
    finally:
        with open(path, "w") as file:
            file.write(before)


@case
def a_rate_above_the_limit_is_lowered_and_said():
    need_root()
    with sysctl("kernel/perf_event_max_sample_rate", 1000):
        result = strobe("record", "-F", "10000", "-e", "cpu-clock", "-o", "F", "true").ok()
        contains(result.err, "10000 Hz is more than the kernel allows: sampling at 1000 Hz")
        contains(strobe("evlist", "-v", "-i", "F").ok().out, "sample_freq }: 1000,")
        fails(strobe("record", "--strict-freq", "-F", "10000", "-o", "G", "true"), 1,
              "10000 Hz is more than the kernel allows", ["F"])


@case
def a_workload_that_a_signal_ends_gives_its_number():
    need_perf_events()
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM):
        result = strobe("record", "-q", "-e", "dummy", "-o", "F", "sh", "-c", "kill -%d $$" % number)
        equal(result.code, 128 + number, result.err)
        strobe("evlist", "-i", "F").ok()


@case
def a_second_signal_leaves_a_whole_file_too():
    need_perf_events()
    # The command ignores what ends others, so the recorder waits for it when the second signal comes.
    child = background([STROBE, "record", "-e", "dummy:u", "-o", "F", "sh", "-c",
                        "trap '' INT TERM; echo ready; exec sleep 3"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    time.sleep(0.3)
    if child.poll() is None:
        child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    equal(child.returncode, -signal.SIGINT, err.decode())
    contains(perf("report", "--header-only", "-i", "F").ok().out, "# hostname")


HARDWARE = "0,3,4"


def with_errno(code, types, *args):
    """strobe where perf_event_open fails, for the attr types given or (None) for all."""
    library = os.path.join(BUILD_ROOT, "tests/tools/perf-event-fails.so")
    if not os.path.exists(library):
        skip("no perf-event-fails.so")
    return strobe(*args, env={"LD_PRELOAD": library, "PERF_EVENT_ERRNO": str(code), "PERF_EVENT_TYPES": types,
                              "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0:exitcode=77"})


@case
def without_a_pmu_cycles_become_a_clock():
    need_perf_events()
    for code in (errno.EOPNOTSUPP, errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EINVAL):
        for target, clock in ((["true"], "task-clock"), (["-a", "true"], "cpu-clock")):
            result = with_errno(code, HARDWARE, "record", "-e", "cycles", "-o", "F", *target).ok()
            contains(result.err, "no hardware cycles here: using '%s' instead" % clock)
        for event in ("instructions", "r1a8", "L1-dcache-loads"):
            result = with_errno(code, HARDWARE, "record", "-e", event, "-o", "G", "true")
            fails(result, 1, "'%s'" % event, ["F", "F.old"] if os.path.exists("F.old") else ["F"])
            both = with_errno(code, HARDWARE, "record", "-e", event + ",task-clock", "-o", "H", "true").ok()
            contains(both.err, "'%s' is not supported here: recording without it" % event)
            os.remove("H")
        lacks(result.err, "Invalid argument")


@case
def each_error_of_the_kernel_has_its_own_words():
    need_root()
    for code, words in ((errno.EOPNOTSUPP, "is not supported here"), (errno.ENOENT, "is not supported here"),
                        (errno.ENODEV, "is not supported here"), (errno.ENXIO, "is not supported here"),
                        (errno.EINVAL, "the kernel does not take 'task-clock' as it was asked for"),
                        (errno.EPERM, "the kernel does not let you use"), (errno.EACCES, "the kernel does not let you use"),
                        (errno.ENOSYS, "this kernel has no perf_event_open"),
                        (errno.EMFILE, "too many open files"), (errno.EBUSY, "is in use by someone else")):
        fails_with(with_errno(code, None, "record", "-e", "task-clock", "-o", "F", "true"), words)


@case
def a_part_of_the_slots_without_them_says_what_it_needs():
    need_perf_events()
    result = with_errno(errno.EINVAL, HARDWARE, "record", "-e", "cpu/config=0x8000,name=topdown-retiring/", "-o", "F", "true")
    fails_with(result, "the kernel does not take 'topdown-retiring' as it was asked for")
    contains(result.err, "{slots,topdown-retiring}")


def fails_with(result, words):
    """As fails(), where remarks on what was tried come first."""
    equal(result.code, 1, result.err)
    lines = result.err.splitlines()
    contains(lines[-2], words)
    check(lines[-1].startswith("  hint: "), result.err)
    lacks(result.err, "Invalid argument")
    equal(os.listdir("."), [])


main()
