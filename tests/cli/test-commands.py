"""The commands that guides to Linux profiling teach, typed as they stand there.

Each runs twice: as strobe, and through a link named perf.
"""
import contextlib
import os
import re
import shutil
import signal
import time

import tap
from tap import (STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_perf_events,
                 need_program, need_root, perf, read, run, skip, strobe)

VICTIM = """
#include <stdlib.h>
volatile unsigned long sink;
__attribute__((noinline)) void hot(unsigned long n) { while (n--) sink += n * n; }
__attribute__((noinline)) void mid(unsigned long n) { hot(n); sink++; }
int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 30;

	while (rounds--)
		mid(1000000);
	return 0;
}
"""
FLAGS = ("-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls")
FOREVER = "1000000000"


def typed(function):
    """A case that runs under both names; function gets the program to run."""
    def both():
        need_perf_events()
        os.symlink(STROBE, "perf")
        for name in (STROBE, os.path.abspath("perf")):
            tap.STROBE = name
            try:
                function()
            finally:
                tap.STROBE = STROBE
    both.__name__ = function.__name__
    return case(both)


@contextlib.contextmanager
def running(*argv):
    child = background(argv)
    try:
        yield child.pid
    finally:
        child.kill()
        child.wait()


def attrs(path):
    return strobe("evlist", "-v", "-i", path).ok().out


@typed
def a_process_is_profiled_for_as_long_as_the_command_runs():
    with running(compile_c(VICTIM, "myprog", FLAGS), FOREVER) as pid:
        result = strobe("record", "-F", "99", "-p", pid, "-g", "-o", "F", "--", "sleep", "1").ok()
        contains(result.err, "Captured and wrote")
    out = strobe("report", "-i", "F", "-n", "--stdio", "--no-children",
                 "--sort=overhead,symbol,shared_object").ok().out
    check(re.search(r"^# Overhead +Samples +Symbol +Shared Object", out, re.M), out)
    check(re.search(r"^ +\d+\.\d+% +\d+ +\[\.\] hot +myprog", out, re.M), out)
    contains(out, "main")
    wrong = strobe("report", "-i", "F", "--sort=overhead,symbl")
    equal(wrong.code, 2)
    contains(wrong.err, "did you mean 'symbol'?")


@typed
def a_tracepoint_that_is_missing_is_named_and_the_others_are_recorded():
    need_root()
    strobe("record", "-e", "sched:sched_switch,sched:no_such_point", "-g", "-a", "-o", "F", "--",
           "sleep", "0.3").ok()
    schedstats = os.path.exists("/sys/kernel/tracing/events/sched/sched_stat_wait")
    result = strobe("record", "-e", "sched:sched_switch,sched:sched_stat_wait", "-g", "-a", "-o", "F",
                    "--", "sleep", "0.3").ok()
    if not schedstats:
        contains(result.err, "'sched:sched_stat_wait' does not exist here")
        contains(result.err, "CONFIG_SCHEDSTATS")
        alone = strobe("record", "-e", "sched:sched_stat_wait", "-a", "-o", "G", "--", "true")
        equal(alone.code, 1)
        contains(alone.err, "CONFIG_SCHEDSTATS")
        check(not os.path.exists("G"))
    out = strobe("report", "-i", "F", "--stdio", "--no-children", "-e", "sched:sched_switch",
                 "--sort=comm,parent,symbol").ok().out
    contains(out, "of event 'sched:sched_switch'")
    check(re.search(r"Command +Parent symbol +Symbol", out), out)
    # sleep sleeps in a system call, by whatever name the kernel's compiler left it.
    check(re.search(r"^ +\d+\.\d+% +sleep +\S*sys_\S*nanosleep", out, re.M), out)
    missing = strobe("report", "-i", "F", "-e", "sched:sched_nothing", "--stdio")
    equal(missing.code, 1)
    contains(missing.err, "it has: sched:sched_switch")


@typed
def dwarf_call_graphs_win_over_g_in_any_order_and_script_is_perfs_text():
    with running(compile_c(VICTIM, "myprog", FLAGS), FOREVER) as pid:
        for graph in (["-g", "--call-graph", "dwarf,8192"], ["--call-graph", "dwarf,8192", "-g"]):
            strobe("record", "-F", "99", "-p", pid, *graph, "-o", "F", "--", "sleep", "0.4").ok()
            contains(attrs("F"), "CALLCHAIN")
            samples = strobe("script", "-i", "F", "-F", "time").ok().lines()
            check(len(samples) > 5 and os.path.getsize("F") < len(samples) * 8192 / 2, "copies of stacks are in the file")
            strobe("record", "-F", "99", "-p", pid, *graph, "--store-stacks", "-o", "G", "--", "sleep", "0.1").ok()
            contains(attrs("G"), "REGS_USER|STACK_USER")
            contains(attrs("G"), "sample_stack_user: 8192")
    awk = run("sh", "-c", "'%s' script -i F | awk 'BEGIN { FS=\"\\n\"; RS=\"\" } { print $1 }'" % tap.STROBE,
              env={"ASAN_OPTIONS": "detect_leaks=0"}).ok()
    check(all(re.match(r"myprog +\d+ +[\d.]+: +\d+ \S+: *$", line) for line in awk.lines()), awk.out)
    check(len(awk.lines()) > 5, awk.out)
    chains = strobe("script", "-i", "F").ok().out.strip().split("\n\n")
    check(all("\n\t" in chain for chain in chains), "\n\n".join(chains[:9]))


@typed
def a_control_group_is_profiled_by_any_form_of_its_path():
    need_root()
    mounts = re.findall(r"^\S+ (\S+) cgroup2 ", open("/proc/mounts").read(), re.M)
    if not mounts or "perf_event" in open("/proc/mounts").read():
        skip("no cgroup v2 for perf events")
    name = "strobe-test-%d" % os.getpid()
    group = os.path.join(mounts[0], name)
    program = compile_c(VICTIM, "myprog", FLAGS)
    os.mkdir(group)
    try:
        with running(program, FOREVER) as pid:
            with open(os.path.join(group, "cgroup.procs"), "w") as procs:
                procs.write(str(pid))
            line = [l for l in open("/proc/%d/cgroup" % pid).read().splitlines() if l.startswith("0::")][0]
            for options in (["-e", "cycles", "-G", line[3:], "-a", "-g"], ["-e", "cycles", "-G", name],
                            ["-G", group, "-e", "cycles"], ["-G", group + "/", "-a"], ["-G", line]):
                strobe("record", "-F", "99", *options, "-o", "F", "--", "sleep", "0.4").ok()
                out = strobe("report", "-i", "F", "--stdio", "--no-children", "-g", "none",
                             "--sort", "comm").ok().out
                equal(re.findall(r"^ +([\d.]+)% +(\S+)", out, re.M), [("100.00", "myprog")], str(options))
            both = strobe("record", "-e", "cycles", "-G", name, "-p", pid, "-o", "G", "--", "true")
            equal(both.code, 2)
        missing = strobe("record", "-e", "cycles", "-G", "no-such-group", "-a", "-o", "G", "--", "true")
        equal(missing.code, 1)
        contains(missing.err, "hint: ")
        check(not os.path.exists("G"))
    finally:
        for _ in range(50):
            try:
                os.rmdir(group)
                break
            except OSError:
                time.sleep(0.1)


@typed
def rates_periods_and_rings_are_taken_as_guides_write_them():
    program = compile_c(VICTIM, "myprog", FLAGS)
    for options, words in ((["-F", "10000", "-e", "cycles"], r"\{ sample_period, sample_freq \}: 10000.*freq: 1"),
                           (["-e", "cycles:P"], r"sample_freq \}: 4000"),
                           (["-e", "cycles:u"], r"exclude_kernel: 1, exclude_hv: 1"),
                           (["-e", "cycles:50000"], r"\{ sample_period, sample_freq \}: 50000,(?!.*freq: 1)"),
                           (["-c", "70000", "-e", "cycles"], r"\{ sample_period, sample_freq \}: 70000,(?!.*freq: 1)"),
                           (["-m", "16", "-e", "cycles"], r"sample_freq \}: 4000"),
                           (["-m", "1M", "-e", "cycles"], r"sample_freq \}: 4000"),
                           (["--mmap-pages", "64K", "-e", "cycles"], r"sample_freq \}: 4000")):
        strobe("record", *options, "-o", "F", program).ok()
        check(re.search(words, attrs("F")), "%s\n%s" % (options, attrs("F")))
        contains(strobe("report", "-i", "F", "--stdio").ok().out, "hot")


@typed
def symfs_finds_programs_and_keeps_kernel_symbols():
    program = compile_c(VICTIM, "myprog", FLAGS)
    need_root()
    strobe("record", "-e", "cpu-clock", "-o", "F", "sh", "-c", "'%s' 50; cat /proc/kallsyms >K" % program).ok()
    os.makedirs("root" + os.path.dirname(program), exist_ok=True)
    shutil.move(program, "root" + program)
    without = strobe("report", "-i", "F", "--stdio", "--sort", "sym").ok().out
    lacks(without, "hot")
    out = strobe("report", "-i", "F", "--stdio", "--sort", "sym", "--symfs=root").ok().out
    check(re.search(r"\[\.\] hot", out), out)
    check(re.search(r"\[k\] (kallsyms|s_show|vsnprintf|format_decode|string|number|seq_)", out), out)


@typed
def a_folder_of_objects_by_build_id_is_honoured():
    program = compile_c(VICTIM, "myprog", FLAGS + ("-Wl,--build-id",))
    strobe("record", "-e", "cpu-clock:u", "-o", "F", program).ok()
    build_id = [l.split()[0] for l in strobe("buildid-list", "-i", "F").ok().lines() if l.endswith("/myprog")][0]
    folder = "ids/.build-id/%s/%s" % (build_id[:2], build_id[2:])
    os.makedirs(folder, exist_ok=True)
    shutil.move(program, folder + "/elf")
    lacks(strobe("report", "-i", "F", "--stdio", "--sort", "sym", env={"PERF_BUILDID_DIR": "none"}).ok().out, "hot")
    for env, words in (({"PERF_BUILDID_DIR": "ids"}, []), ({}, ["--buildid-dir", "ids"])):
        contains(strobe(*words, "report", "-i", "F", "--stdio", "--sort", "sym", env=env).ok().out, "] hot")
    shutil.rmtree("ids")


@typed
def help_versions_and_mistyped_words_are_answered():
    check(re.match(r"strobe version \d", strobe("--version").ok().out))
    contains(strobe("--help").ok().out, "record")
    for words in (["record", "-h"], ["record", "--help"], ["help", "record"], ["report", "-h"]):
        contains(strobe(*words).ok().out, "usage: strobe %s" % max(words, key=len).replace("--help", "record"))
    for words, answer in ((["recrod"], "did you mean 'record'?"),
                          (["record", "--cal-graph", "fp", "true"], "did you mean '--call-graph'?"),
                          (["report", "--sym-fs", "x"], "did you mean '--symfs'?"),
                          (["bench"], "strobe: there is no 'bench' command"),
                          (["c2c", "record"], "strobe: there is no 'c2c' command"),
                          (["record", "--no-such-option"], "hint: ")):
        result = strobe(*words)
        equal(result.code, 2, str(words))
        contains(result.err, answer)
        equal(result.out, "")


def as_nobody(*args):
    return run("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *args,
               env={"ASAN_OPTIONS": "detect_leaks=0"})


@contextlib.contextmanager
def paranoid(level):
    path = "/proc/sys/kernel/perf_event_paranoid"
    before = read(path)
    try:
        with open(path, "w") as file:
            file.write(str(level))
        yield
    finally:
        with open(path, "w") as file:
            file.write(before)


def place_for_all():
    """A copy of strobe and of the victim where everybody may run them, and write."""
    os.chmod(".", 0o777)
    shutil.copy(STROBE, "strobe")
    os.chmod(compile_c(VICTIM, "myprog", FLAGS), 0o755)
    return os.path.abspath("strobe"), os.path.abspath("myprog")


@case
def an_ordinary_user_records_what_the_paranoid_level_allows():
    need_root()
    need_program("setpriv")
    exe, program = place_for_all()
    for level, kernel, everything in ((2, False, False), (1, True, False), (0, True, True), (-1, True, True)):
        with paranoid(level):
            own = as_nobody(exe, "record", "-e", "cpu-clock", "-o", "own%d" % level, program).ok()
            equal("user space only (:u)" in own.err, not kernel, str(level))
            result = as_nobody(exe, "record", "-a", "-e", "cpu-clock", "-o", "all%d" % level, "true")
            equal(result.code, 0 if everything else 1, result.err)
            if not everything:
                contains(result.err, "kernel.perf_event_paranoid is %d" % level)
                contains(result.err, "hint: ")
                check(not os.path.exists("all%d" % level))


@case
def capabilities_of_the_file_lift_the_paranoid_level():
    need_root()
    need_program("setpriv")
    exe, _ = place_for_all()
    if run(need_program("setcap"), "cap_perfmon,cap_sys_ptrace,cap_syslog+ep", exe).code != 0:
        skip("file capabilities cannot be set here")
    with paranoid(2), running("sleep", "60") as other:
        as_nobody(exe, "record", "-a", "-e", "cpu-clock", "-o", "all", "sleep", "0.2").ok()
        as_nobody(exe, "record", "-e", "dummy", "-p", str(other), "-o", "other", "true").ok()


main()
