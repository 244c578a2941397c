"""Recordings that come through a pipe are read as they come, and may go on for ever."""
import os
import re
import select
import signal
import subprocess
import time

from crafted import CPU, ID, IP, PERIOD, TID, TIME, Crafted
from endless import Endless
from tap import (STROBE, background, case, check, contains, equal, main, need_perf_events, perf_path, run, same_text,
                 strobe, wait_until, write)

COLD = {"ASAN_OPTIONS": "quarantine_size_mb=1"}  # else freed memory is kept to look at
PIECES = (1, 7, 64, 4099)


def env(**more):
    return dict(os.environ, LC_ALL="C.UTF-8", **more)


def reader(*args, **more):
    """strobe, fed by us."""
    more.setdefault("stdout", subprocess.PIPE)
    more.setdefault("stderr", subprocess.DEVNULL)
    return background([STROBE, *args], stdin=subprocess.PIPE, env=env(**COLD), **more)


def feed(child, data):
    child.stdin.write(data)
    child.stdin.flush()


def next_output(stream, seconds=20):
    """What comes out next, or nothing after so many seconds."""
    if not select.select([stream], [], [], seconds)[0]:
        return b""
    return os.read(stream.fileno(), 1 << 20)


def in_pieces(data, size, *args):
    """strobe's output when its input comes in pieces of so many bytes."""
    child = reader(*args)
    out = []
    for at in range(0, len(data), size):
        os.write(child.stdin.fileno(), data[at:at + size])
        if select.select([child.stdout], [], [], 0)[0]:
            out.append(os.read(child.stdout.fileno(), 1 << 20))
    child.stdin.close()
    out.append(child.stdout.read())
    equal(child.wait(), 0)
    return b"".join(out).decode()


def two_cpus(order="<"):
    """Rounds of two rings: what happened on the second CPU comes behind what happened later on the first."""
    file = Crafted(order=order)
    event = file.event(sample_type=IP | TID | TIME | CPU | PERIOD, ids=[7])
    file.comm(10, "ant")
    file.mmap2(10, 0x10000, 0x10000, "/bin/ant")
    for number in range(20):
        for cpu in (0, 1):
            for i in range(8):
                at = 1000000 * (8 * number + i + 1) + 500000 * cpu
                if cpu and i == 3:
                    file.comm(10, "bee-%d" % number, time=at - 1000, cpu=cpu)
                file.sample(event, ip=0x10000 + i, pid=10, tid=10, time=at, cpu=cpu, period=1)
        file.round()
    return file


def times_of(text):
    return [float(line.split(":")[0].split()[-1]) for line in text.splitlines()]


@case
def samples_of_a_pipe_are_printed_in_order_of_time_however_it_is_cut():
    for order in ("<", ">"):
        data = two_cpus(order).pipe_bytes()
        write("x.data", data)
        whole = strobe("script", "-i", "x.data").ok().out
        equal(times_of(whole), sorted(times_of(whole)))
        equal(len(times_of(whole)), 320)
        for size in PIECES:
            same_text(in_pieces(data, size, "script", "-i", "-"), whole)


@case
def records_between_samples_come_in_order_too():
    data = two_cpus().pipe_bytes()
    write("x.data", data)
    for more in (["--show-task-events"], ["--show-mmap-events"], ["--deltatime"]):
        whole = strobe("script", "-i", "x.data", *more).ok().out
        same_text(in_pieces(data, 4099, "script", "-i", "-", *more), whole)


@case
def json_comes_as_it_is_printed_of_the_file():
    data = two_cpus().pipe_bytes()
    write("x.data", data)
    samples = [line for line in strobe("script", "-i", "x.data", "--format", "json").ok().lines()
               if '"type":"sample"' in line]
    equal(len(samples), 320)
    lines = in_pieces(data, 4099, "script", "-i", "-", "--format", "json").splitlines()
    equal(lines[1:-1], samples)
    contains(lines[0], '"type":"recording"')
    contains(lines[-1], '"type":"end"')


@case
def a_pipe_that_goes_quiet_has_shown_all_that_came():
    file = two_cpus()
    child = reader("script", "-i", "-")
    feed(child, file.pipe_bytes())
    out = b""
    while out.count(b"\n") < 320:
        more = next_output(child.stdout)
        check(more, "after %d lines nothing comes" % out.count(b"\n"))
        out += more
    equal(child.poll(), None)
    child.stdin.close()
    equal(child.stdout.read(), b"")
    equal(child.wait(), 0)


@case
def a_report_of_a_pipe_is_that_of_the_file():
    data = two_cpus().pipe_bytes()
    write("x.data", data)
    for more in ([], ["-s", "comm,pid,sym"], ["-n", "-s", "dso"], ["--comms", "ant"]):
        whole = strobe("report", "-i", "x.data", *more).ok().out
        contains(whole, "# Samples: ")
        for size in PIECES[1:]:
            same_text(in_pieces(data, size, "report", "-i", "-", *more), whole)


@case
def stretches_of_time_are_chosen_and_records_counted_as_they_come():
    file = Crafted()
    shape = dict(sample_type=ID | IP | TID | TIME | CPU | PERIOD)
    events = [file.event(ids=[config], type=1, config=config, **shape) for config in (1, 2, 3)]
    file.comm(10, "ant")
    for number in range(20):
        for cpu in (0, 1):
            for i in range(8):
                which = 1 if (number, i) == (5, 2) else 2 if (number, i) == (12, 4) else 0
                file.sample(events[which if cpu else 0], id=1 + (which if cpu else 0), ip=0x10000 + i, pid=10, tid=10, cpu=cpu, period=1,
                            time=1000000 * (8 * number + i + 1) + 500000 * cpu)
        file.round()
    data = file.pipe_bytes()
    write("x.data", data)
    for args in (["report", "--stats"], ["report", "-n", "--switch-on", "page-faults", "--switch-off", "context-switches"],
                 ["report", "-n", "--switch-on", "page-faults", "--show-on-off-events"],
                 ["report", "-n", "--switch-off", "context-switches"],
                 ["report", "-n", "--time", "0.02,0.03"], ["script", "--time", "0.02,"], ["script", "--time", ",0.015"]):
        whole = strobe(*args, "-i", "x.data").ok().out
        for size in PIECES[1:]:
            same_text(in_pieces(data, size, *args, "-i", "-"), whole)
    child = reader("script", "-i", "-", "--time", "0.02,")
    feed(child, data)
    contains(next_output(child.stdout).decode(), "task-clock")
    equal(child.poll(), None)
    child = reader("report", "-i", "-", "--stats")
    feed(child, data)
    equal(next_output(child.stdout, 1), b"")
    child.send_signal(signal.SIGINT)
    contains(child.stdout.read().decode(), "SAMPLE events:        320")


@case
def a_report_that_is_interrupted_shows_what_came_so_far():
    child = reader("report", "-i", "-")
    feed(child, two_cpus().pipe_bytes())
    equal(next_output(child.stdout, 1), b"")
    child.send_signal(signal.SIGINT)
    contains(child.stdout.read().decode(), "# Samples: 320 ")
    equal(child.wait(), 0)


@case
def a_file_through_a_pipe_is_read_too():
    file = two_cpus()
    write("x.data", file.file_bytes())
    whole = strobe("script", "-i", "x.data").ok().out
    same_text(strobe("script", "-i", "-", stdin=file.file_bytes()).ok().out, whole)
    result = strobe("script", "-i", "-", stdin=b"PERF")
    equal(result.code, 1)
    contains(result.err, "is not a perf.data file")


@case
def what_is_damaged_in_a_pipe_is_skipped_and_told():
    file = two_cpus()
    file.records[40] = b"\0" * len(file.records[40])
    result = strobe("script", "-i", "-", stdin=file.pipe_bytes()[:-4])
    equal(result.code, 0)
    contains(result.err, "1 damaged record skipped")
    check(len(result.lines()) >= 318, "%d samples are left" % len(result.lines()))


def resident_kib(child):
    with open("/proc/%d/status" % child.pid, encoding="utf-8") as status:
        return sum(int(line.split()[1]) for line in status if line.startswith(("RssAnon:", "RssShmem:")))


def stays_flat(stream, *args, count=500):
    """Memory after the first part of a long stream is memory after all of it."""
    child = reader(*args, stdout=subprocess.DEVNULL)
    feed(child, stream.begin())
    sizes = []
    for _ in range(60):
        feed(child, stream.processes(count))
        sizes.append(resident_kib(child))
    child.stdin.close()
    equal(child.wait(), 0)
    # In the middle: while something is forgotten, it is there twice.
    before, after = sorted(sizes[15:30])[7], sorted(sizes[45:])[7]
    check(after < before + 3000, "%d KiB became %d KiB: %s" % (before, after, sizes[::5]))


@case
def memory_does_not_follow_time_but_what_lives():
    stays_flat(Endless(), "script", "-i", "-")
    stays_flat(Endless(names=10), "report", "-i", "-", "-g", "caller")


@case
def files_that_nobody_has_mapped_any_more_are_forgotten():
    stays_flat(Endless(samples=1, fresh_files=True), "script", "-i", "-")


@case
def stray_addresses_are_one_once_there_are_many():
    stays_flat(Endless(samples=20, strays=3), "report", "-i", "-", "-g", "caller", count=120)


@case
def addresses_without_a_name_are_one_once_there_are_many():
    stays_flat(Endless(samples=20, nameless=3), "report", "-i", "-", "-g", "caller", count=120)


@case
def a_few_stray_addresses_are_told_apart():
    stream = Endless(samples=1, strays=1)
    data = stream.begin() + stream.processes(40)
    out = strobe("report", "-i", "-", "--no-children", "-g", "caller", stdin=data).ok().out
    equal(len(set(re.findall(r"--(0x[0-9a-f]+)$", out, re.M))), 40, out)


@case
def stacks_that_are_hardly_ever_seen_are_cut_once_there_are_very_many():
    stream = Endless()
    child = reader("report", "-i", "-", "-n", "-g", "caller", "-s", "sym",
                   stderr=subprocess.PIPE)
    feed(child, stream.begin())
    for _ in range(7):
        feed(child, stream.stacks(30000))
    child.stdin.close()
    out, err = child.stdout.read().decode(), child.stderr.read().decode()
    equal(child.wait(), 0)
    cut = float(re.search(r"rare call chains were cut, so that memory has an end: (\d+\.\d)% of the samples", err)[1])
    check(50 < cut <= 100, err)
    # What was hit, and where chains begin, is as it was.
    rows = re.findall(r"^ +([\d.]+)% +([\d.]+)% +(\d+)  \[\.\] 0x0*(8[0-3]00|10009[01]00) *$", out, re.M)
    equal(sorted(rows), [("100.00", "0.00", "0", place) for place in ("10009000", "10009100")] +
          [("25.00", "25.00", "52500", "8%d00" % i) for i in range(4)])


def spin(seconds=60):
    return ["sh", "-c", "end=$(($(date +%%s) + %d)); while [ $(date +%%s) -lt $end ]; do :; done" % seconds]


def pipeline(recorder, *reader_args, stderr):
    """A recorder and its reader, as a shell would connect them."""
    first = background(recorder, stdout=subprocess.PIPE, stderr=stderr)
    second = background([STROBE, *reader_args], stdin=first.stdout, stdout=subprocess.PIPE, stderr=stderr)
    first.stdout.close()
    return first, second


@case
def a_line_arrives_while_the_recorder_runs_and_head_ends_both():
    need_perf_events()
    with open("stderr", "wb") as stderr:
        recorder, script = pipeline([STROBE, "record", "-q", "-o", "-", "-e", "cpu-clock", "-F", "500", "--", *spin()],
                                    "script", "-i", "-", stderr=stderr)
        contains(next_output(script.stdout).decode(), "cpu-clock")
        equal(recorder.poll(), None)
        script.stdout.close()
        wait_until(lambda: script.poll() is not None and recorder.poll() is not None)
    with open("stderr", encoding="utf-8") as stderr:
        equal(stderr.read(), "")


@case
def a_slow_trickle_is_shown_at_once():
    need_perf_events()
    recorder, script = pipeline([STROBE, "record", "-q", "-o", "-", "-e", "page-faults", "-c", "1", "--", "sh", "-c",
                                 "sleep 2; sleep 60"], "script", "-i", "-", "-F", "comm,time", stderr=subprocess.DEVNULL)
    text = b""
    end = time.monotonic() + 30
    while text.count(b"sleep") == 0:
        check(time.monotonic() < end, "no sample of sleep: %r" % text)
        text += next_output(script.stdout)
    equal(recorder.poll(), None)


@case
def pipes_of_perf_are_read_as_they_come():
    need_perf_events()
    program = perf_path()
    for more in ([], ["-g"], ["-z"]):
        recording = run(program, "record", *more, "-o", "-", "-e", "cpu-clock", "-F", "200", "--", *spin(1),
                        stdout=open("perf.pipe", "wb"))
        if more == ["-z"] and recording.code != 0:
            continue
        whole = strobe("script", "-i", "perf.pipe").ok().out
        with open("perf.pipe", "rb") as data:
            same_text(in_pieces(data.read(), 4099, "script", "-i", "-"), whole)
    recorder, script = pipeline([program, "record", "-o", "-", "-e", "cpu-clock", "-F", "2000", "--", *spin()],
                                "script", "-i", "-", stderr=subprocess.DEVNULL)
    contains(next_output(script.stdout).decode(), "cpu-clock")
    equal(recorder.poll(), None)


main()
