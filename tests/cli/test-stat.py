"""strobe stat: what is counted, how it is added up, and that its forms are perf 6.1's."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

import schema
from tap import SOURCE_ROOT, STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_root, run, skip, \
    strobe, usable_cpus, wait_until, write

SOFT = "task-clock,context-switches,page-faults,minor-faults"
# A program whose faults are known: so many pages, each touched once.
PAGES = "#include <sys/mman.h>\n#include <stddef.h>\nint main(void) { char *m = mmap(NULL, 4096 * 2000, PROT_READ | PROT_WRITE," \
        " MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); madvise(m, 4096 * 2000, MADV_NOHUGEPAGE);" \
        " for (int i = 0; i < 2000; i++) m[i * 4096] = 1; return 0; }"


def stat(*args, **more):
    return strobe("stat", *args, **more)


def old_perf(*args, **more):
    """perf 6.1, whose text stat's is."""
    path = shutil.which("perf")
    if not path or not run(path, "--version").out.startswith("perf version 6.1"):
        skip("perf 6.1 is not installed")
    return run(path, *args, **more)


def without_remarks(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith(("strobe stat: ", "  hint: ")))


def masked(text):
    """Numbers become one digit each; how many digits there are is left to the columns."""
    text = re.sub(r" *[\d,.]+ (msec|     )", r"N \1", without_remarks(text))
    text = re.sub(r"# +[\d.]+ [KMG]?/sec +", "# N /sec", text)
    text = re.sub(r"# +[\d.]+ CPUs utilized +", "# N CPUs utilized", text)
    text = re.sub(r"\( \+- *[\d.]+% \)", "(+-)", text)
    text = re.sub(r" *[\d.]+ (\+- [\d.]+ )?seconds ", r"N seconds ", text)
    return re.sub(r"(?m)^ +\d+\.\d{9}", "T", text)


def rows(text, event):
    return [line for line in text.splitlines() if re.search(r"\s%s(\s|$)" % re.escape(event), line)]


def value(text, event):
    return float(re.match(r"\s*([\d,.]+)", rows(text, event)[0]).group(1).replace(",", ""))


@case
def the_text_is_that_of_perf():
    need_perf_events()
    asleep = background(["sleep", "100"])
    time.sleep(0.2)
    for args in (["-e", SOFT, "true"], ["-e", "cycles,page-faults", "true"], ["-e", "page-faults", "true"],
                 ["-n", "true"], ["-p", str(asleep.pid), "-e", "cycles,cs", "sleep", "0.05"],
                 ["-e", "cycles:u,task-clock:u,{page-faults,cs}", "--", "sh", "-c", "true; true"]):
        equal(masked(stat(*args).ok().err), masked(old_perf("stat", *args).ok().err), args)


@case
def rows_have_the_width_of_those_of_perf():
    need_perf_events()
    ours, theirs = stat("-e", SOFT + ",cycles", "true").ok().err, old_perf("stat", "-e", SOFT + ",cycles", "true").ok().err
    for event in SOFT.split(",") + ["cycles"]:
        a, b = rows(without_remarks(ours), event)[0], rows(theirs, event)[0]
        equal(a.index(event), b.index(event))
        equal(len(a.rstrip("\n")), len(b.rstrip("\n")))


@case
def what_is_deterministic_is_counted_as_perf_counts_it():
    need_perf_events()
    program = compile_c(PAGES)
    ours = [value(stat("-e", "page-faults,minor-faults", program).ok().err, "page-faults") for _ in range(3)]
    theirs = [value(old_perf("stat", "-e", "page-faults,minor-faults", program).ok().err, "page-faults") for _ in range(3)]
    check(min(ours) > 2000, ours)
    check(abs(min(ours) - min(theirs)) <= 12, (ours, theirs))


@case
def without_a_pmu_the_command_runs_and_one_line_says_why():
    need_perf_events()
    events = "cycles,instructions,cache-references,cache-misses,L1-dcache-loads,L1-dcache-load-misses,branches,branch-misses"
    if "<not supported>" not in stat("-e", "cycles", "true").ok().err:
        skip("there is a PMU")
    begin = time.monotonic()
    result = stat("-e", events, "-p", os.getpid(), "--", "sleep", "0.3").ok()
    check(time.monotonic() - begin >= 0.3)
    equal([line.split()[2] for line in result.err.splitlines() if "<not supported>" in line], events.split(","))
    remarks = [line for line in result.err.splitlines() if line.startswith("strobe stat:")]
    equal(len(remarks), 1, result.err)
    contains(result.err, "virtual machine")


@case
def the_exit_code_is_that_of_the_command():
    need_perf_events()
    equal(stat("-e", "cs", "sh", "-c", "exit 7").code, 7)
    equal(stat("-e", "cs", "sh", "-c", "kill -9 $$").code, 137)
    result = stat("-e", "cs", "no-such-program")
    equal(result.code, 1)
    contains(result.err, "cannot run 'no-such-program'")
    lacks(result.err, "Performance counter stats")


@case
def wrong_words_are_refused():
    for args, word in ((["-e", "cycels", "true"], "cycles"), ([], "nothing to count"), (["-A", "true"], "-a"),
                       (["--per-thread", "true"], "-p"), (["-r", "3", "-a"], "-r repeats"),
                       (["--interval-count", "2", "true"], "-I"), (["--control", "x", "true"], "fd:"),
                       (["--per-cache=L9", "true"], "L9"), (["-e", "cycles:b", "true"], "BPF"), (["--smi-cost", "true"], "smi"),
                       (["--fail-above", "3%", "true"], "compare"), (["-p", "abc"], "pgrep"), (["-t", "1,"], "no thread id"),
                       (["-e", "{}", "true"], "'{}'"), (["-j", "-x,", "true"], "-x"), (["-x,", "-j", "true"], "-x"),
                       (["--format", "json", "-x;", "true"], "-x"), (["record", "-x;", "--format", "json", "true"], "-x")):
        result = stat(*args)
        equal(result.code, 2, args)
        contains(result.err, word)


@case
def fields_of_csv_are_those_of_perf_in_every_locale():
    need_perf_events()
    for args in (["-e", SOFT + ",cycles", "true"], ["-r", "2", "-e", SOFT + ",cycles", "true"],
                 ["-a", "--per-socket", "-e", "cs", "true"], ["-a", "-A", "-C", "0", "-e", "cs", "true"],
                 ["-a", "-I", "30", "-e", "task-clock,cycles", "--summary", "sleep", "0.05"]):
        ours = stat("-x", ";", *args, env={"LC_ALL": "fr_FR.UTF-8"}).ok().err
        theirs = old_perf("stat", "-x", ";", *args).ok().err
        mask = lambda text: [re.sub(r"\d+(\.\d+)?", "N", re.sub(r"[KMG]/sec", "/sec", line)).replace(" ", "")
                             for line in text.splitlines()]
        equal(sorted(set(mask(ours))), sorted(set(mask(theirs))), args)
        lacks(ours, ",")


@case
def keys_of_json_are_those_of_perf():
    need_perf_events()
    for args in (["-e", "task-clock,cs,cycles", "true"], ["-r", "2", "-e", "task-clock,cs", "true"],
                 ["-a", "--per-core", "-e", "task-clock,cs", "true"], ["-a", "-A", "-e", "task-clock,cs", "true"],
                 ["-I", "30", "-e", "task-clock", "sleep", "0.05"]):
        ours = [json.loads(line) for line in stat("-j", *args).ok().err.splitlines()]
        theirs = [json.loads(line) for line in old_perf("stat", "-j", *args).ok().err.splitlines()]
        equal([key for key in ours[0] if key != "reason"], list(theirs[0]), args)
        check(all("reason" in row for row in ours if row["counter-value"] == "<not supported>"))
        lacks(str(ours).lower(), "nan")


@case
def several_runs_have_a_mean_and_its_error():
    need_perf_events()
    result = stat("-r", "4", "--table", "-e", "page-faults,cs", "sh", "-c", "echo ran").ok()
    equal(result.out.count("ran"), 4)
    contains(result.err, "(4 runs)")
    contains(result.err, "# Table of individual measurements:")
    equal(len(re.findall(r"(?m)^ +[\d.]+ \([+-][\d.]+\) #+$", result.err)), 4)
    check(re.search(r"[\d.]+ \+- [\d.]+ seconds time elapsed", result.err), result.err)
    lacks(result.err, "seconds user")


@case
def intervals_add_up_to_the_whole():
    need_perf_events()
    program = ["python3", "-c", "import time\nfor _ in range(6): time.sleep(0.05); bytearray(1 << 20)"]
    result = stat("-I", "60", "--summary", "-j", "-e", "page-faults,task-clock", *program).ok()
    lines = [json.loads(line) for line in result.err.splitlines()]
    parts = [row for row in lines if "interval" in row]
    times = sorted({row["interval"] for row in parts})
    check(len(times) >= 4, times)
    for event in ("page-faults", "task-clock"):
        of = [float(row["counter-value"]) for row in parts if row["event"] == event and row["counter-value"][0] != "<"]
        whole = [float(row["counter-value"]) for row in lines if "interval" not in row and row["event"] == event]
        check(abs(sum(of) - whole[0]) < 0.001, (of, whole))


@case
def intervals_end_after_so_many():
    need_perf_events()
    begin = time.monotonic()
    result = stat("-I", "50", "--interval-count", "2", "-e", "cs", "sleep", "30").ok()
    check(time.monotonic() - begin < 10)
    equal(len(rows(result.err, "cs")), 2)


@case
def it_ends_with_its_timeout_its_targets_and_its_command():
    need_perf_events()
    begin = time.monotonic()
    stat("--timeout", "100", "-e", "cs", "sleep", "30").ok()
    victim = background(["sleep", "0.3"])
    stat("-p", victim.pid, "-e", "cs").ok()
    victim = background(["sleep", "30"])
    stat("-p", victim.pid, "-e", "cs", "sleep", "0.1").ok()
    check(time.monotonic() - begin < 10)


def has_events(pid):
    folder = "/proc/%d/fd" % pid
    for fd in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            if "[perf_event]" in os.readlink(os.path.join(folder, fd)):
                return True
    return False


@case
def a_signal_ends_it_and_what_was_counted_is_printed():
    need_perf_events()
    for number in (signal.SIGINT, signal.SIGTERM):
        child = background([STROBE, "stat", "-e", "task-clock", "-a"], stderr=subprocess.PIPE)
        wait_until(lambda: has_events(child.pid))
        time.sleep(0.3)
        child.send_signal(number)
        _, err = child.communicate(timeout=10)
        equal(child.returncode, -number)
        contains(err.decode(), "seconds time elapsed")


@case
def counting_begins_later():
    need_perf_events()
    program = ["sh", "-c", "sleep 0.3"]
    result = stat("-D", "200", "-e", "page-faults,duration_time", *program).ok()
    check(50e6 < value(result.err, "duration_time") < 250e6, result.err)
    check(value(result.err, "page-faults") < 40, result.err)


@case
def orders_come_by_descriptors():
    need_perf_events()
    orders, ours = os.pipe()
    theirs, acks = os.pipe()
    child = background([STROBE, "stat", "-D", "-1", "-e", "task-clock", "--control", "fd:%d,%d" % (orders, acks), "--",
                        "sh", "-c", "while :; do :; done"], pass_fds=(orders, acks), stderr=subprocess.PIPE)
    for order in (b"ping\n", b"enable\n", b"disable\n", b"nonsense\nstop\n"):
        os.write(ours, order)
        equal(os.read(theirs, 16), b"ack\n")
        time.sleep(0.1)
    _, err = child.communicate(timeout=10)
    check(2 < value(err.decode(), "task-clock") < 3000, err)
    equal(child.returncode, 0)


@case
def orders_come_by_fifos():
    need_perf_events()
    os.mkfifo("ctl")
    os.mkfifo("ack")
    child = background([STROBE, "stat", "-D", "-1", "-e", "task-clock", "--control", "fifo:ctl,ack", "-a"],
                       stderr=subprocess.PIPE)
    with open("ctl", "wb", buffering=0) as ctl, open("ack", "rb", buffering=0) as ack:
        for order in (b"enable task-clock\n", b"stop\n"):
            ctl.write(order)
            equal(ack.read(4), b"ack\n")
    _, err = child.communicate(timeout=10)
    contains(err.decode(), "task-clock")


@case
def counts_are_added_up_by_place():
    need_perf_events()
    cpus = usable_cpus(2)
    if old_perf("stat", "-a", "-e", "cs", "true").code != 0:
        skip("all CPUs may not be counted here")
    result = stat("-a", "-A", "-e", "task-clock", "sleep", "0.05").ok()
    check(len(re.findall(r"(?m)^CPU\d+ ", result.err)) >= len(cpus), result.err)
    for option in ("--per-core", "--per-die", "--per-socket", "--per-node"):
        mask = lambda text: re.sub(r" +\d+ +[\d,.]+ ", " N ", masked(text))
        equal(sorted(set(mask(stat("-a", option, "-e", "cs", "true").ok().err).splitlines())),
              sorted(set(mask(old_perf("stat", "-a", option, "-e", "cs", "true").ok().err).splitlines())), option)
    for option in ("--per-cache", "--per-cache=L1", "--per-cluster"):
        check(rows(stat("-a", option, "-e", "cs", "true").ok().err, "cs"), option)


@case
def each_thread_has_its_row():
    need_perf_events()
    victim = background(["python3", "-c", "import threading, time\n"
                         "def spin():\n while True: pass\n"
                         "threading.Thread(target=spin, daemon=True).start(); time.sleep(60)"])
    wait_until(lambda: len(os.listdir("/proc/%d/task" % victim.pid)) == 2)
    result = stat("--per-thread", "-p", victim.pid, "-e", "task-clock", "sleep", "0.3").ok()
    found = rows(result.err, "task-clock")
    equal(len(found), 2)
    check(re.match(r" +python3-\d+ +[\d.]+ msec", found[0]), found)
    lacks(found[0], "-%d " % victim.pid)  # the busiest comes first


def not_scaled(*args):
    """One thread cannot run for longer than it took; scaled up, half of its time on each of two CPUs is twice of that."""
    result = stat(*args, "-e", "cs,task-clock", "sleep", "0.3").ok()
    lacks(result.err, "%)")
    lacks(result.err, "scaled up")
    took = float(re.search(r"([\d.]+) seconds time elapsed", result.err).group(1)) * 1000
    check(0 < sum(float(line.split(" msec")[0].split()[-1].replace(",", "")) for line in rows(result.err, "task-clock")) < took * 1.2, result.err)
    return result.err


@case
def threads_on_some_cpus_are_not_scaled_by_the_time_on_others():
    need_perf_events()
    first, second = usable_cpus(2)[:2]
    moving = background(["python3", "-S", "-c", "import os, time\nwhile True:\n  for cpu in (%d, %d):\n    os.sched_setaffinity(0, {cpu})\n"
                                                "    end = time.monotonic() + 0.01\n    while time.monotonic() < end: pass" % (first, second)])
    pid = str(moving.pid)
    time.sleep(0.1)
    for target in ("-p", "-t"):
        text = not_scaled(target, pid, "-a")
        contains(text, "-a is ignored")
        contains(text, "id '%s'" % pid)
    lacks(not_scaled("-p", pid, "-C", "%d,%d" % (first, second)), "ignored")
    not_scaled("-p", pid, "-C", str(first))
    check(rows(stat("-p", pid, "-C", str(first), "sleep", "0.01").ok().err, "task-clock"))
    text = not_scaled("-p", pid, "-A", "-a")
    lacks(text, "ignored")
    check(len(rows(text, "task-clock")) >= 2, text)


def own_cgroup():
    need_root()
    for line in open("/proc/mounts", encoding="utf-8"):
        _, path, kind = line.split()[:3]
        if kind == "cgroup2":
            group = os.path.join(path, "strobe-test-%d" % os.getpid())
            os.mkdir(group)
            return group
    return skip("no cgroup v2 is mounted")


@case
def control_groups_are_counted_apart():
    need_perf_events()
    group = own_cgroup()
    name = os.path.basename(group)
    spin = background(["sh", "-c", "echo $$ > %s/cgroup.procs; while :; do :; done" % group])
    try:
        time.sleep(0.2)
        result = stat("-a", "-e", "task-clock,cs", "-G", name, "sleep", "0.3").ok()
        check(value(result.err, "task-clock") > 5, result.err)
        contains(rows(result.err, "task-clock")[0], " %s #" % name)
        result = stat("-x", ",", "-e", "task-clock", "--for-each-cgroup", "/," + name, "sleep", "0.2").ok()
        equal([line.split(",")[3] for line in result.err.splitlines()], ["/", name])
        equal(stat("-a", "-e", "cs", "-G", "no/such/group", "true").code, 1)
        os.mkdir(group + "/a")
        result = stat("-x", ",", "-e", "cs", "--for-each-cgroup", "^%s/[ab]$,%s" % (name, name), "true").ok()
        equal([line.split(",")[3] for line in result.err.splitlines()], [name + "/a", name])
        stat("record", "-o", "x", "-e", "cs", "--for-each-cgroup", "/,%s/a" % name, "true").ok()
        report = stat("report", "-i", "x", "-x", ",").ok().err
        equal([line.split(",")[3] for line in report.splitlines()], ["/", name + "/a"])
        old_perf("stat", "report", "-i", "x").ok()
        result = stat("-e", "cs", "--for-each-cgroup", name + "/x*y", "true")
        equal(result.code, 1)
        contains(result.err, "no cgroup matches '%s/x*y'" % name)
    finally:
        spin.kill()
        spin.wait()
        for _ in range(50):
            try:
                if os.path.exists(group + "/a"):
                    os.rmdir(group + "/a")
                os.rmdir(group)
                break
            except OSError:
                time.sleep(0.1)


@case
def transactions_are_counted_where_the_cpu_has_them():
    if os.path.exists("/sys/bus/event_source/devices/cpu/events/cycles-t"):
        contains(stat("-T", "true").ok().err, "transactional cycles")
    else:
        result = stat("-T", "echo", "ran")
        equal((result.code, result.out), (1, ""))
        contains(result.err, "this CPU has no transactional memory events")
    equal(stat("-T", "--for-each-cgroup", "/", "true").code, 2)


@case
def results_go_where_they_are_wanted():
    need_perf_events()
    stat("-o", "x", "-e", "cs", "true").ok()
    stat("-o", "x", "--append", "-e", "cs", "true").ok()
    text = open("x", encoding="utf-8").read()
    equal(text.count("# started on "), 2)
    equal(len(rows(text, "cs")), 2)
    fd = os.open("y", os.O_WRONLY | os.O_CREAT)
    subprocess.run([STROBE, "stat", "--log-fd", str(fd), "-x,", "-e", "cs", "true"], pass_fds=[fd], check=True)
    contains(open("y", encoding="utf-8").read(), ",cs,")
    equal(stat("--quiet", "-e", "cs,cycles", "true").ok().err, "")
    equal(stat("-o", "no/such/folder", "-e", "cs", "true").code, 1)
    for more in (["true"], ["-I", "10", "sleep", "0.05"], ["-r", "2", "-x,", "true"]):
        full = stat("-o", "/dev/full", "-e", "cs", *more)
        equal(full.code, 1)
        contains(full.err, "cannot write all results: No space left on device")


@case
def other_commands_run_before_and_after():
    need_perf_events()
    result = stat("-r", "2", "--pre", "echo before", "--post", "echo after", "-e", "cs", "echo", "run").ok()
    equal(result.out.split(), ["before", "run", "after"] * 2)
    # Signals are as usual there.
    contains(stat("--pre", "kill -INT $$; echo deaf", "-e", "cs", "true").ok().err, "failed")


def numbers(text):
    return [re.findall(r"[\d.]+|<\w+ \w+>", line)[:2] for line in text.splitlines() if "msec" in line or " cs " in line]


@case
def what_was_recorded_is_reported_by_strobe_and_perf_alike():
    need_perf_events()
    for args in (["true"], ["-I", "40", "sleep", "0.1"], ["-a", "-A", "sleep", "0.05"], ["-p", os.getpid(), "sleep", "0.05"]):
        live = stat("record", "-o", "x", "-e", "task-clock,cs,cycles", *args).ok()
        ours = stat("report", "-i", "x").ok().err
        equal(numbers(ours), numbers(without_remarks(live.err)), args)
        theirs = old_perf("stat", "report", "-i", "x").ok().err
        equal(numbers(ours), numbers(theirs), args)
    contains(stat("report", "-i", "x", "-j").ok().err, '"event" : "cs"')


@case
def recordings_of_perf_are_reported():
    need_perf_events()
    for args in (["true"], ["-I", "40", "sleep", "0.1"], ["-a", "--per-core", "sleep", "0.05"], ["-a", "--per-node", "sleep", "0.05"]):
        live = old_perf("stat", "record", "-o", "x", "-e", "task-clock,cs", *args).ok()
        equal(numbers(stat("report", "-i", "x").ok().err), numbers(live.err), args)


@case
def hints_are_about_recordings_of_counts():
    need_perf_events()
    result = stat("report", "-i", "nosuch")
    equal(result.code, 1)
    contains(result.err, "strobe stat record")
    stat("record", "-o", "counts", "-e", "cs", "true").ok()
    result = strobe("report", "--stdio", "-i", "counts").ok()
    contains(result.err, "has no samples")
    contains(result.err, "strobe stat report -i counts")


@case
def counts_come_through_a_pipe_and_other_recordings_are_refused():
    need_perf_events()
    piped = stat("record", "-o", "-", "-e", "cs", "echo", "said").ok()
    contains(piped.err, "said")
    contains(stat("report", "-i", "-", stdin=piped.out_bytes).ok().err, "'echo said'")
    strobe("record", "-q", "-o", "y", "-e", "task-clock", "true").ok()
    result = stat("report", "-i", "y")
    equal(result.code, 1)
    contains(result.err, "no recording of counts")
    equal(stat("record", "-r", "2", "true").code, 2)


@case
def json_follows_its_schema():
    need_perf_events()
    for args in (["-e", SOFT + ",cycles", "true"], ["-r", "3", "-e", "cs", "true"], ["-I", "30", "-e", "cs", "sleep", "0.08"],
                 ["-a", "--per-core", "-e", "task-clock", "true"], ["--per-thread", "-p", os.getpid(), "-e", "cs", "true"]):
        lines = [json.loads(line) for line in stat("--format", "json", *args).ok().err.splitlines()]
        for line in lines:
            schema.check_value("stat", line)
        check(len(lines) > 1 if "-I" in args else len(lines) == 1)
    names = [row["event"] for row in lines[0]["rows"]]
    equal(names, ["cs"] * len(names))


BUSY = "for i in range(%d): pass"


@case
def two_commands_are_compared():
    need_perf_events()
    commands = [["python3", "-S", "-c", BUSY % count] for count in (100000, 3000000)]
    args = ["compare", "-r", "5", "-e", "task-clock,cycles", "--format", "json"]
    result = stat(*args, "--", *commands[0], "--", *commands[1]).ok()
    value = json.loads(result.err)
    schema.check_value("stat-compare", value)
    by_name = {row["name"]: row for row in value["rows"]}
    equal(by_name["task-clock"]["verdict"], "more")
    check(by_name["task-clock"]["change_percent"] > 50)
    equal(by_name["task-clock"]["a"]["runs"], 5)
    limit = ["compare", "-r", "4", "-e", "task-clock", "--fail-above"]
    equal(stat(*limit, "task-clock:20%", "--", *commands[0], "--", *commands[1]).code, 3)
    equal(stat(*limit, "task-clock:20%", "--", *commands[1], "--", *commands[0]).code, 0)
    text = stat("compare", "-r", "2", "-e", "page-faults", "--", "true", "--", "true").ok().err
    contains(text, "2 runs of each, in turns, after 1 to warm up")
    check(re.search(r"(?m)^ page-faults +[\d.]+ \+- +[\d.]+%", text), text)


@case
def comparisons_that_make_no_sense_are_refused():
    for args, code, word in ((["--", "true"], 2, "two commands"), (["-r", "1", "--", "true", "--", "true"], 2, "-r 2"),
                             (["-a", "--", "true", "--", "true"], 2, "-a"), (["-x,", "--", "true", "--", "true"], 2, "--format json"),
                             (["-e", "cs", "--", "true", "--", "false"], 1, "'false' failed"),
                             (["--fail-above", "nonsense:1%", "--", "touch", "ran", "--", "true"], 2, "'nonsense' is not compared"),
                             (["-r", "2", "--warmup", "0", "-e", "cs", "--fail-above", "x", "--", "true", "--", "true"], 2, "percentage")):
        result = stat("compare", *args)
        equal(result.code, code, args)
        contains(result.err, word)
    check(not os.path.exists("ran"))


@case
def a_command_runs_once_for_each_set_of_events_that_fits():
    need_perf_events()
    # Here all fit, or none has a counter.
    result = stat("--passes", "-e", "cycles,cs,page-faults", "echo", "once").ok()
    equal(result.out, "once\n")
    equal(stat("--passes", "-a", "-e", "cs", "true").code, 2)
    equal(stat("--passes", "-I", "100", "-e", "cs", "true").code, 2)


@case
def shared_counters_have_a_percentage_and_advice():
    file = os.path.join(SOURCE_ROOT, "tests/fuzz/corpus/stat/intervals")
    result = stat("report", "-i", file).ok()
    equal(result.err.count("  (50.00%)"), 3)
    equal(result.err.count("more events than counters"), 1)
    lacks(stat("report", "-x,", "-i", file).ok().err, "more events")
    contains(stat("report", "-x,", "-i", file).ok().err, ",50.00,")


@case
def metrics_and_topdown_need_a_pmu():
    for args in (["-M", "no_such_metric", "true"], ["--topdown", "true"]):
        result = stat(*args)
        check(result.code in (1, 2), result.err)
        check(re.match(r"strobe stat: (no metric|this machine has no)", result.err), result.err)
        if result.err.startswith("strobe stat: no metric"):
            contains(result.err, "  hint: ")
            lacks(result.err, "can be typed")


@case
def filters_of_pmus_leave_what_every_kernel_has():
    need_perf_events()
    result = stat("--cputype", "core", "--pmu-filter", "none_0", "-e", "cs,task-clock", "true").ok()
    equal(len(rows(result.err, "cs")) + len(rows(result.err, "task-clock")), 2)


@case
def settings_count():
    need_perf_events()
    write("settings", "[stat]\n\tno-csv-summary = true\n\tbig-num = false\n")
    args = ["-I", "30", "--summary", "-x,", "-e", "cs", "sleep", "0.05"]
    contains(stat(*args).ok().err, "summary,")
    lacks(stat(*args, env={"PERF_CONFIG": "settings"}).ok().err, "summary,")


@case
def only_metrics_are_shown():
    need_perf_events()
    result = stat("--metric-only", "-j", "-e", "task-clock,cs", "true").ok()
    equal(json.loads(result.err), {})
    contains(stat("--metric-only", "-e", "cycles,instructions", "true").ok().err, "insn per cycle")


main()
