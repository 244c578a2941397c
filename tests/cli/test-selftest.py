"""strobe test: the checks of this machine, and the workloads whose profiles are known beforehand."""
import collections
import glob
import os
import re
import shutil
import struct

from tap import (STROBE, case, check, contains, equal, lacks, main, need_perf_events, need_program, need_root, perf, perf_path, read, run,
                 skip, strobe)

LINE = re.compile(r"^ *(\d+): (.*?) *: (Ok|Skip \(.+\)|FAILED!)$")


def results(text):
    """The result of each check by its number."""
    body = text.split("\n=== Test Summary ===\n")[0]
    found = {}
    for line in body.splitlines():
        match = LINE.match(line)
        check(match, "this is no result: " + line)
        found[int(match.group(1))] = match.group(3)
    return found


def summary(text):
    return dict(re.findall(r"^(.*?) *: (\d+)$", text.split("=== Test Summary ===")[1], re.M))


def recorded(*workload):
    """The lines of a profile by symbols, of a workload recorded with its call chains."""
    strobe("record", "-q", "-o", "x.data", "-e", "task-clock:u", "-F", "499", "-g", "--", STROBE, "test", "-w", *workload).ok()
    return strobe("report", "--stdio", "--no-children", "-i", "x.data", "-s", "comm,sym", "-g", "caller,0.5,callee").ok().out


def shares(text):
    """Percentages by (comm, symbol)."""
    return {(comm, symbol): float(share) for share, comm, symbol
            in re.findall(r"^ +([\d.]+)% +(\S+) +\[\.\] (\S+)", text, re.M)}


def chains():
    """How often each call chain of x.data occurs, names from the inside out."""
    text = strobe("script", "-i", "x.data", "-F", "ip,sym").ok().out
    found = collections.Counter()
    for chain in text.split("\n\n"):
        names = tuple(line.split(None, 1)[1] for line in chain.splitlines() if line.strip())
        if names:
            found[names] += 1
    return found


def usual_depth(program, data):
    """The length of most call chains."""
    text = run(program, "script", "--no-inline", "-i", data, "-F", "ip").ok().out
    counts = collections.Counter(len(chain.split()) for chain in text.split("\n\n") if chain.strip())
    return counts.most_common(1)[0][0]


@case
def each_check_has_a_line_and_none_fails():
    result = strobe("test")
    found = results(result.out)
    equal(sorted(found), list(range(1, len(found) + 1)))
    equal(result.code, 0, result.out)
    counts = summary(result.out)
    equal(int(counts["Passed main tests"]) + int(counts["Skipped tests"]), len(found), result.out)
    equal(int(counts["Failed tests"]), 0)
    listed = strobe("test", "list").ok().lines()
    equal([int(line.split(":")[0]) for line in listed], sorted(found))


@case
def checks_are_chosen_by_number_and_by_name():
    equal(sorted(results(strobe("test", "2", "19").ok().out)), [2, 19])
    equal(strobe("test", "list", "BREAK").ok().out, "  9: Breakpoints\n")
    equal(results(strobe("test", "-s", "2", "2").ok().out), {2: "Skip (user override)"})
    equal(strobe("test", "-r", "3", "2").ok().out.count("Clock of an own program"), 3)


@case
def a_check_that_does_not_exist_is_refused():
    for words in (["nosuch"], ["99999"], ["0"], ["list", "nosuch"]):
        result = strobe("test", *words)
        equal(result.code, 2)
        contains(result.err, "there is no check '%s'" % words[-1])


@case
def details_are_shown_where_wanted():
    lacks(strobe("test", "paranoid").ok().out, "kernel.perf_event_paranoid is")
    contains(strobe("test", "-v", "paranoid").ok().out, "kernel.perf_event_paranoid is")


@case
def what_a_user_may_not_is_skipped_with_advice():
    need_root()
    if int(open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii").read()) < 2:
        skip("everybody may watch the kernel here")
    result = run("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", STROBE, "test", "clock of")
    if result.code != 0 and "setpriv" in result.err:
        skip("setpriv cannot become another user")
    equal(result.code, 0, result.out)
    skipped = [text for text in results(result.out).values() if text.startswith("Skip")]
    check(skipped, result.out)
    for line in skipped:
        contains(line, "as root: sysctl kernel.perf_event_paranoid=")


@case
def advice_is_about_what_forbids_it():
    need_root()
    need_program("setpriv")
    if [read("/proc/sys/kernel/" + name).strip() for name in ("perf_event_paranoid", "kptr_restrict")] != ["2", "0"]:
        skip("the kernel's settings are not the usual ones")
    exe = shutil.copy(STROBE, "strobe")
    os.chmod(".", 0o755)
    as_nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", os.path.abspath(exe), "test", "-s", "Probes in the kernel",
                 "symbols of", "probes in")
    text = run(*as_nobody).ok().out
    contains(text, "CAP_SYSLOG, or: sysctl kernel.perf_event_paranoid=1)")
    lacks(text, "kptr_restrict")
    if run(need_program("setcap"), "cap_perfmon,cap_sys_ptrace,cap_syslog+ep", exe).code != 0:
        skip("file capabilities cannot be set here")
    found = results(run(*as_nobody).ok().out)
    equal(found[18], "Ok")
    lacks(found[11], "CAP_SYS_PTRACE")
    if "no 'uprobe' events" not in found[11] and found[11] != "Ok":
        contains(found[11], "run as root, or with CAP_SYS_ADMIN")


@case
def the_workloads_are_perfs():
    theirs = perf("test", "--list-workloads")
    if theirs.code != 0:
        skip("this perf has no workloads to list")
    equal(strobe("test", "--list-workloads").ok().lines(), theirs.ok().lines())


@case
def a_workload_without_sense_is_refused():
    for words, message in ((["noplop"], "did you mean 'noploop'?"), (["nosuch"], "there is no workload 'nosuch'"),
                           (["noploop", "x"], "'x' is no number of seconds"), (["noploop", "1", "2"], "noploop takes no '2'"),
                           (["brstack", "x"], "'x' is no number of loops"), (["named_threads", "26"], "from 1 to 25"),
                           (["landlock", "1"], "landlock takes no '1'")):
        result = strobe("test", "-w", *words)
        equal(result.code, 2, str(words))
        contains(result.err, message)


@case
def loops_spend_their_time_where_their_names_say():
    need_perf_events()
    check(shares(recorded("noploop", "1"))[("perf-noploop", "noploop")] > 75, "noploop")
    check(shares(recorded("leafloop", "1"))[("strobe", "leaf")] > 75, "leafloop")
    check(shares(recorded("datasym", "1"))[("strobe", "datasym")] > 75, "datasym")
    check(shares(recorded("inlineloop", "1"))[("perf-inlineloop", "parent")] > 75, "inlineloop")
    of_brstack = shares(recorded("brstack", "20000000"))
    for name in ("brstack", "brstack_bench", "brstack_foo", "brstack_bar"):
        check(("strobe", name) in of_brstack, "brstack has no " + name)
    of_threads = shares(recorded("named_threads", "3", "300000000"))
    for number in (1, 2, 3):
        check(of_threads[("thread%d" % number,) * 2] > 10, "thread%d" % number)


@case
def chains_are_what_they_are_said_to_be():
    need_perf_events()
    recorded("leafloop", "1")
    usual = chains().most_common(1)[0][0]
    equal(usual[:3], ("leaf", "parent", "leafloop"))
    recorded("thloop", "1")
    begins = collections.Counter(chain[:2] for chain, count in chains().items() for _ in range(count))
    check(begins[("test_loop", "thfunc")] > 20, str(begins))
    check(begins[("test_loop", "thloop")] > 20, str(begins))


@case
def chains_are_as_long_as_perfs_but_for_the_frames_around():
    need_perf_events()
    if perf("test", "--list-workloads").code != 0:
        skip("this perf has no workloads to list")
    deeper = set()
    for workload in (["noploop", "1"], ["leafloop", "1"], ["datasym", "1"], ["inlineloop", "1"]):
        strobe("record", "-q", "-o", "x.data", "-e", "task-clock:u", "-g", "--", STROBE, "test", "-w", *workload).ok()
        perf("record", "-o", "p.data", "-e", "task-clock:u", "-g", "--", perf_path(), "test", "-w", *workload).ok()
        deeper.add(usual_depth(perf_path(), "p.data") - usual_depth(STROBE, "x.data"))
    equal(len(deeper), 1, "differences of depth: %s" % deeper)


@case
def two_processes_switch_for_each_other():
    need_perf_events()
    strobe("record", "-q", "-o", "x.data", "-e", "task-clock", "-F", "999", "--", STROBE, "test", "-w", "context_switch_loop",
           "50000").ok()
    text = strobe("report", "--stdio", "-i", "x.data", "-s", "comm").ok().out
    found = {comm: float(share) for share, comm in re.findall(r"([\d.]+)% +(proc[12])", text)}
    check(found.get("proc1", 0) > 20 and found.get("proc2", 0) > 20, text)


@case
def a_jit_workload_writes_what_jit_compilers_write():
    strobe("test", "-w", "jitdump").ok()
    path = glob.glob("jit-*.dump")[0]
    with open(path, "rb") as file:
        dump = file.read()
    equal(struct.unpack_from("=III", dump), (0x4A695444, 1, 40))
    kind, size = struct.unpack_from("=II", dump, 40)
    equal((kind, 40 + size), (0, len(dump)))
    equal(dump[96:].split(b"\0")[0], b"jit_workload")
    equal(struct.unpack_from("=I", dump, 20)[0], int(os.path.basename(path)[4:-5]))


main()
