"""strobe top: frames of what runs, on a terminal and without one, and how it ends."""
import json
import os
import re
import select
import signal
import subprocess
import time

import schema
from tap import STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program, \
    run, strobe, wait_until

CLOCK = ["-e", "cpu-clock", "-F", "500"]
HEAD = re.compile(r"^strobe top: (\d+) samples/s, kernel [\d.]+%, lost \d+, throttled \d+ \[.*\] \(.*\)$", re.M)
SPIN = "volatile unsigned long n; __attribute__((noinline)) void spin_here(void) { n++; }\n" \
       "int main(void) { for (;;) spin_here(); }\n"


def spinner():
    return background([compile_c(SPIN, flags=["-O1", "-g", "-fno-inline", "-fno-omit-frame-pointer"])])


def frames(text):
    return HEAD.findall(text)


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8") as stat:
        fields = stat.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(child, seconds=30):
    wait_until(lambda: child.poll() is not None, seconds)
    return child.returncode


def top(*args, **more):
    return background([STROBE, "top", *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                      stderr=subprocess.DEVNULL, **more)


def next_output(child, seconds=30):
    check(select.select([child.stdout], [], [], seconds)[0], "nothing comes")
    return os.read(child.stdout.fileno(), 1 << 20).decode()


@case
def so_many_frames_are_printed_and_the_heaviest_row_comes_first():
    need_perf_events()
    victim = spinner()
    result = strobe("top", "--batch", "--iterations", "2", "-d", "1", *CLOCK, "-p", victim.pid).ok()
    equal(len(frames(result.out)), 2)
    check(all(int(rate) > 0 for rate in frames(result.out)), result.out)
    rows = [line for line in result.lines() if "%  " in line and "busy" not in line]
    check(re.search(r"^ +\d+\.\d\d%  victim +\[\.\] (spin_here|main)$", rows[0]), rows[0])
    contains(result.out, "(process %d)" % victim.pid)
    check(re.search(r"^busy: 0: \d+%", result.out, re.M), result.out)


@case
def a_frame_is_a_line_of_json():
    need_perf_events()
    victim = spinner()
    result = strobe("top", "--format", "json", "--iterations", "2", "-d", "1", *CLOCK, "-p", victim.pid, "-s", "comm,sym",
                    "-E", "1").ok()
    shown = [json.loads(line) for line in result.lines()]
    equal([frame["frame"] for frame in shown], [1, 2])
    for frame in shown:
        schema.check_value("top", frame)
        equal((frame["keys"], frame["target"]), (["comm", "symbol"], "process %d" % victim.pid))
        check(frame["samples"] >= frame["kernel_samples"] and frame["seconds"] > 0.5)
        rows = [row for table in frame["events"] for row in table["rows"]]
        equal(len(rows), 1)
        check(rows[0]["comm"] == "victim" and rows[0]["percent"] > 10, rows)


@case
def keys_columns_and_number_of_rows_are_chosen():
    need_perf_events()
    victim = spinner()
    result = strobe("top", "--batch", "--iterations", "1", "-d", "1", *CLOCK, "-p", victim.pid, "-s", "comm,sym", "-n",
                    "-E", "1").ok()
    contains(result.out, "Samples  Command  Symbol")
    equal(len([line for line in result.lines() if line.endswith(("spin_here", "main"))]), 1)
    equal(strobe("top", "-s", "nonsense", "--batch").code, 2)
    equal(strobe("top", "-d", "0", "--batch").code, 2)


@case
def kernel_or_user_space_may_be_hidden():
    need_perf_events()
    victim = spinner()
    common = ["top", "--batch", "--iterations", "1", "-d", "1", *CLOCK, "-p", victim.pid]
    lacks(strobe(*common, "-U").ok().out, "[.] ")
    lacks(strobe(*common, "-K").ok().out, "[k] ")


@case
def call_stacks_stand_below_the_rows():
    need_perf_events()
    victim = spinner()
    result = strobe("top", "--batch", "--iterations", "1", "-d", "1", *CLOCK, "-g", "-p", victim.pid).ok()
    contains(result.out, "Children")
    check(re.search(r"^ +---.*\n +spin_here$", result.out, re.M), result.out)


@case
def a_command_is_watched_until_it_ends():
    need_perf_events()
    result = strobe("top", "--batch", "-d", "60", *CLOCK, "--", "sh", "-c",
                    "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; exit 3")
    equal(result.code, 3)
    equal(len(frames(result.out)), 1)
    contains(result.out, "[.] ")


@case
def it_ends_with_its_target():
    need_perf_events()
    victim = spinner()
    child = top("--batch", "-d", "1", *CLOCK, "-p", str(victim.pid))
    contains(next_output(child), "samples/s")
    victim.kill()
    victim.wait()
    equal(wait_for(child), 0)


@case
def it_ends_when_nobody_reads_it():
    need_perf_events()
    victim = spinner()
    child = top("--batch", "-d", "1", *CLOCK, "-p", str(victim.pid))
    next_output(child)
    child.stdout.close()
    check(wait_for(child) in (-signal.SIGPIPE, 1), "ended with %d" % child.returncode)


@case
def an_interrupt_ends_it_after_a_last_frame():
    need_perf_events()
    victim = spinner()
    child = top("--batch", "-d", "1", *CLOCK, "-p", str(victim.pid))
    contains(next_output(child), "samples/s")
    child.send_signal(signal.SIGINT)
    contains(child.stdout.read().decode(), "samples/s")
    equal(wait_for(child), 0)


@case
def without_a_terminal_it_sleeps_between_frames():
    need_perf_events()
    sleeper = background(["sleep", "60"])
    child = top("-d", "1", "-p", str(sleeper.pid))
    next_output(child)
    before, begin = cpu_seconds(child.pid), time.monotonic()
    for _ in range(3):
        contains(next_output(child), "strobe top: 0 samples/s")
    used, took = cpu_seconds(child.pid) - before, time.monotonic() - begin
    check(took > 2, "three frames within %.1f s" % took)
    check(used < 0.5 * took, "%.2f s of CPU time in %.1f s" % (used, took))


@case
def frames_fade_or_stand_alone():
    need_perf_events()
    counts = {}
    for more in ([], ["-z"]):
        victim = spinner()
        text = strobe("top", "--batch", "--iterations", "3", "-d", "1", "-e", "cpu-clock", "-c", "10000000", "-p",
                      victim.pid, *more).ok().out
        victim.kill()
        counts[bool(more)] = [int(n) for n in re.findall(r"^# Event count \(approx.\): (\d+)$", text, re.M)]
    fading, alone = counts[False], counts[True]
    check(fading[2] > fading[0] * 1.5, "what was before is gone: %s" % fading)
    check(alone[2] < alone[0] + alone[1], "what was before is still there: %s" % alone)


def in_terminal(session, *command):
    run("tmux", "-L", session, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "20", *command).ok()


def screen(session):
    return run("tmux", "-L", session, "capture-pane", "-p", "-t", "0").out


@case
def on_a_terminal_frames_stand_in_one_place_and_q_ends_it():
    need_program("tmux")
    need_perf_events()
    victim = spinner()
    session = "strobe-%d" % os.getpid()
    in_terminal(session, "sh", "-c", "%s top -d 1 -e cpu-clock -F 500 -p %d; echo ended with $?; sleep 60"
                % (STROBE, victim.pid))
    try:
        end = time.monotonic() + 40
        while "spin_here" not in screen(session):
            check(time.monotonic() < end, screen(session))
            time.sleep(0.2)
        time.sleep(2.5)
        text = screen(session)
        equal(len(frames(text)), 1, text)
        equal(text.splitlines()[0][:11], "strobe top:")
        run("tmux", "-L", session, "send-keys", "-t", "0", "q").ok()
        while "ended with 0" not in screen(session):
            check(time.monotonic() < end, screen(session))
            time.sleep(0.2)
    finally:
        run("tmux", "-L", session, "kill-server")


main()
