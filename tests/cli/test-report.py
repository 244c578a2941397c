"""report: what perf report --stdio prints, of recordings made elsewhere and of ones made here."""
import os
import re
import shutil

import recordings
from tap import (case, check, compile_c, contains, equal, lacks, main, need_fixtures, need_perf_events,
                 on_a_terminal, on_cpus, perf, perf_path, read, run, same_text, skip, strobe, usable_cpus, write)

# What perf 7.2 prints and strobe does not, and why. A pair that begins to be equal must go from here.
KNOWN = {
    ("intel-pt", "report"): "the trace is not decoded",
    ("intel-pt", "report-flat"): "the trace is not decoded",
    ("lbr-callgraph", "report"): "perf looks up kernel frames as if they were the user's, and does not tell where the kernel was entered",
}

KINDS = {"report": [], "report-flat": ["--no-children", "-n"]}


def symbols_of(fixtures, name):
    known = {"shapes.dwarf": "shapes", "shapes.fp": "shapes"}.get(name, name)
    path = os.path.join(fixtures, "symfs", known)
    if os.path.isdir(path):
        return path
    os.makedirs("empty", exist_ok=True)
    return "empty"


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def report_of(fixtures, name, kind):
    return strobe("report", "-f", "--symfs", symbols_of(fixtures, name), "--kallsyms=/dev/null", "--no-inline",
                  "--stdio", *KINDS[kind], "-i", os.path.join(fixtures, "data", name + ".data"),
                  env={"PERF_BUILDID_DIR": os.path.abspath("empty"), "HOME": os.getcwd()}).ok().out


@case
def recordings_made_elsewhere_are_reported_as_perf_does():
    fixtures = need_fixtures()
    names = sorted(n[:-len(".data")] for n in os.listdir(os.path.join(fixtures, "data")) if n.endswith(".data"))
    check(len(names) > 10, "only %d recordings" % len(names))
    for name in names:
        for kind in KINDS:
            expected = without_tip(read(os.path.join(fixtures, "golden", "%s.%s.txt" % (name, kind))))
            actual = without_tip(report_of(fixtures, name, kind))
            if (name, kind) in KNOWN:
                check(actual != expected, "%s.%s is equal now: take it from KNOWN" % (name, kind))
            else:
                same_text(actual, expected, expected_name=name + "." + kind)


@case
def stats_are_perfs():
    fixtures = need_fixtures()
    for name in ("sleep", "groups", "tracepoints", "lost-samples"):
        same_text(strobe("report", "--stats", "-i", os.path.join(fixtures, "data", name + ".data")).ok().out,
                  read(os.path.join(fixtures, "golden", name + ".stats.txt")))


@case
def objects_without_names_are_said_with_the_reason():
    flat = recordings.data("flat")
    names = ["--kallsyms=/dev/null", "--no-inline", "-i", flat]
    folder = os.path.join("stripped", "tmp/victim")
    os.makedirs(folder)
    shutil.copy(os.path.join(recordings.FOLDER, "symfs/tmp/victim/shares"), folder)
    known = strobe("report", "--symfs", "stripped", *names).ok()
    equal([line for line in known.err.splitlines() if "no names" in line], [])
    run("strip", os.path.join(folder, "shares")).ok()
    for symfs, reason, help in (("stripped", "stripped", "compile and link it with -g, and do not strip it"),
                                ("missing", "no such file",
                                 "copy the file from where it was recorded, and name its folder by --symfs")):
        os.makedirs("missing", exist_ok=True)
        result = strobe("report", "--symfs", symfs, *names).ok()
        equal(result.err, "strobe report: no names in 'shares': %s (100.0%% of the samples)\n  hint: %s\n" % (reason, help))
        lacks(result.out, "no names")
        equal(strobe("report", "--symfs", symfs, "-q", *names).ok().err, "")
        equal(strobe("report", "--symfs", symfs, "-s", "comm", *names).ok().err, "")  # shows none anyway


DELETED = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile unsigned long sink;
__attribute__((noinline)) void hot(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i * i; }
int main(int argc, char **argv)
{
	int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("x", 0);
	char bytes[65536], *const again[] = { "x", "again", NULL }, *const nothing[] = { NULL };
	ssize_t size;

	hot(100000000);
	if (argc > 1)
		return 0;
	while ((size = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, (size_t)size) != size)
			return 1;
	return fexecve(to, again, nothing);
}
"""


@case
def a_deleted_file_is_called_so_as_in_perf():
    need_perf_events()
    write("hot.c", DELETED)
    run("gcc", "-O1", "-o", "hot", "hot.c").ok()
    run(perf_path(), "record", "-q", "-o", "d", "-g", "-e", "cpu-clock:u", "-F", "499", "./hot").ok()
    for words in (["-s", "dso"], ["-s", "comm,dso,sym"], ["-d", "memfd:x (deleted)", "-s", "dso,sym"],
                  ["-s", "dso", "-t", ";"]):
        options = ["report", "--stdio", "--no-children", "-g", "none", *words, "-i", "d"]
        ours = strobe(*options).ok().out
        contains(ours, "memfd:x (deleted)")
        same_text(without_tip(ours), without_tip(perf(*options).ok().out))
    contains(strobe("report", "--stdio", "-g", "none", "-d", "memfd:x", "-s", "sym", "-i", "d").ok().out, "%")


@case
def a_file_that_was_taken_for_a_symbol_is_hinted_at():
    os.rename(recordings.data("flat"), "perf.data")
    words = ["--symfs", os.path.join(recordings.FOLDER, "symfs"), "--kallsyms=/dev/null"]
    with open(os.devnull) as nothing:  # so that perf.data is the default
        result = strobe("report", "perf.data", *words, stdin=nothing).ok()
    equal(result.err, "strobe report: nothing matches symbol 'perf.data'; a file is read with -i\n")
    lacks(strobe("report", "nofile", "-i", "perf.data", *words).ok().err, "nothing matches")
    write("ho", "")
    result = strobe("report", "ho", "-i", "perf.data", *words).ok()
    contains(result.out, "hot")
    lacks(result.err, "nothing matches")


@case
def numbers_that_make_no_sense_are_refused():
    flat = recordings.data("flat")
    for words in ("-w 9999999999999", "-w 10,99999999999999999999999", "-w abc", "-w -1", "-w 10,0x10",
                  "--percent-limit nan", "--percent-limit inf", "--percent-limit -1", "--percent-limit 1x",
                  "--percent-limit=", "-g graph,nan", "-g graph,1,1e300", "-g graph,inf", "-g graph,101", "-g graph,0.5,-1",
                  "--time-quantum 99999999999999999999s", "--time-quantum -1s", "--max-stack -1", "--max-stack 4294967296"):
        result = strobe("report", "-i", flat, *words.split())
        equal(result.code, 2, words + "\n" + result.err)
        equal(result.out, "", words)
    for words in ("-w 10,,30", "-w 0,5", "--percent-limit 0.5", "--percent-limit 1e1", "--percent-limit .5"):
        strobe("report", "-i", flat, *words.split()).ok()


# Option by option. What perf and strobe name differently on purpose (docs/differences.md) is kept out: nothing
# execs while it is recorded, and only the user's side counts.

COMBINATIONS = """
--no-children
--no-children -n
-g none
-s parent
-g none --no-children --show-total-period
-s comm -g none
-s pid -g none --no-children
-s dso -g none
-s sym --no-children
-s comm,dso,sym -g caller --no-children
-s dso,sym -g fractal,0.5,callee --no-children
-g graph,1,callee
-g graph,5,2,caller --no-children
-g flat,1 --no-children
-g folded,1 --no-children
-g callee,count --no-children
-g callee,period --no-children
-G --no-children
-F comm,overhead,period -g none
-F overhead,sym -s dso -g none --no-children
-F overhead_sys,overhead_us,comm -g none
-s comm,overhead -n -g none
-t , -n -g none --no-children
-t | -g none
-w 10,20,8 -g none --no-children
--percent-limit 2 --no-children
-q -g none --no-children
-d hot -g none --no-children
-S hot,middle -g none --no-children
-S hot --percentage relative -g none --no-children
--symbol-filter mid -g none
-p ^mid -g none --no-children
-p ^mid -x -s comm -g none --no-children
--max-stack 2 --no-children
--max-stack 0
--time 10%-50% -g none --no-children
--ignore-callees ^mid --no-children
-U --no-children -g none
-s symbol
-s comm,dso,symbol --no-children
-s symbol_size --no-children
-s symbol_size,comm -g none
-s +symbol -t , --no-children -g none
-s comm_nodigit -g none
-s dso,dso_size --no-children -g none
-s time --ns --no-children -g none
--show-cpu-utilization -g none
--no-skip-empty --no-children
--stdio-color always
--stdio-color always --no-children -g callee
--stdio-color always -t , -g none
--stdio-color never -n
"""

PROGRAM = """
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static volatile unsigned long sink;
NOINLINE void hot(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i * i; }
NOINLINE void warm(unsigned n) { for (unsigned i = 0; i < n / 4; i++) sink ^= i; }
NOINLINE void middle(unsigned n) { hot(n); warm(n); sink++; }
NOINLINE void deep(unsigned d, unsigned n) { if (d) deep(d - 1, n); else middle(n); sink++; }
int main(void)
{
	for (int k = 0; k < 3; k++)
		if (fork() == 0) {
			deep(3 + (unsigned)k, 30000000);
			_exit(0);
		}
	middle(40000000);
	while (wait(0) > 0)
		;
	return 0;
}
"""


def record(path):
    need_perf_events()
    write("hot.c", PROGRAM)
    run("gcc", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-o", "hot", "hot.c").ok()
    run(perf_path(), "record", "-q", "-o", path, "-g", "-e", "cpu-clock:u", "-F", "997", "./hot").ok()


@case
def a_recording_made_here_is_reported_as_perf_does():
    record("hot.data")
    for line in COMBINATIONS.strip().splitlines():
        args = ["report", "--stdio", "--no-inline", "-i", "hot.data"] + line.split()
        theirs, ours = perf(*args).ok(), strobe(*args).ok()
        same_text(without_tip(ours.out), without_tip(theirs.out), expected_name="perf " + line)


# Several programs, each started by exec. What strobe does on purpose differently (docs/differences.md) is made
# equal first, so rows may change places: they are compared sorted.

MANY = """
--no-children -g none
--no-children -g none -n --show-total-period
--no-children -g none -s comm
--no-children -g none -s comm,dso
--no-children -g none -s pid,sym,dso
--no-children -g none -s tgid,comm
--no-children -g none -s sym
--no-children -g none -s comm,symbol
--no-children -g none -s symbol_size,sym,comm
--no-children -g none -s comm_nodigit,dso
--no-children -g none -F overhead,sample,period,comm,dso,sym
--no-children -g none -F overhead_sys,overhead_us,comm
--no-children -g none -c ls -s dso,sym
--no-children -g none --comms ls,sh --percentage relative
--no-children -g none -d [kernel.kallsyms] -s comm,sym
--no-children -g none -U
--no-children -g none -t |
--no-children -g none --time 20%-60%
--no-children -g none -p ^do_sys -s comm,parent
-g none
-g none -c ls
-g none -s comm,dso,sym -n
-g none --max-stack 4
-g none -p ^do_sys
"""

FRAME = re.compile(r"\S+( +| *\|)(\[.\] )(0x)?[0-9a-f]{16}( +\[other\])?$")
PLT = re.compile(r"\S+@plt\b")
# Rubbish that stands where a caller should: perf subtracts addresses to compare them, so that those which are further apart than 2^63
# have no order, and one of them may have several rows with a part of its samples each.
NOWHERE = re.compile(r"^ *[\d.]+% +[\d.]+%(?= .*0x[89a-e][0-9a-f]{15}(?: +\[other\])?$)")
# What the linker wrote is as long as its symbol and section say; perf lets it reach to the next symbol, and .plt end with its first stub.
LINKED = re.compile(r"\b\d+( +\[\.\] (?:_init|_fini|\.plt)\b)")


def folded(text):
    """Rows sorted, with the same for: names of PLT stubs, objects of frames without a name, that may be stale."""
    rows = []
    for line in without_tip(text).splitlines():
        known = NOWHERE.sub("?%", line.rstrip())
        is_nowhere = known != line.rstrip()
        row = PLT.sub("@plt", LINKED.sub(r"?\1", FRAME.sub(r"? \2", known)))
        row = re.sub(r"(?<=\S) +", " ", row)
        if not is_nowhere or row not in rows:
            rows.append(row)
    return "\n".join(sorted(rows)) + "\n"


def record_many(options):
    need_perf_events()
    write("t.c", "".join("int f%d(int a) { int s = 0; for (int i = 0; i < a; i++) s += i * %d; return s; }\n" % (i, i)
                         for i in range(200)))
    command = ("gcc -O2 -c t.c -o t.o; /usr/bin/env sh -c 'ls -R /usr/lib | sort | tail -1'; "
               "for i in 1 2 3 4 5 6 7 8; do /bin/true; done")
    run(perf_path(), "record", "-q", "-o", "many.data", "-e", "cpu-clock", *options, "--", "sh", "-c", command).ok()


@case
def programs_that_start_programs_are_reported_as_perf_does():
    record_many(["-g", "-F", "2000"])
    for line in MANY.strip().splitlines():
        args = ["report", "--stdio", "--no-inline", "-i", "many.data"] + line.split()
        theirs, ours = perf(*args).ok(), strobe(*args).ok()
        same_text(folded(ours.out), folded(theirs.out), expected_name="perf " + line)


# The options of record, and those of report to compare with.

PLAIN, FLAT = ["--stdio", "--no-inline"], ["--stdio", "--no-inline", "--no-children", "-n"]
RECORDED = [
    (["-e", "sched:sched_switch"], [PLAIN]),
    (["-e", "sched:sched_switch", "-e", "sched:sched_wakeup", "-g"], [PLAIN, FLAT, PLAIN + ["-s", "+comm"]]),
    (["-e", "sched:sched_switch", "-e", "cpu-clock:u"], [PLAIN]),
    (["-e", "{cpu-clock:u,alignment-faults:u,page-faults:u}"], [PLAIN, FLAT, FLAT + ["--no-group"]]),
    (["-e", "{cpu-clock:u,alignment-faults:u}"], [PLAIN, FLAT, FLAT + ["--no-skip-empty"]]),
    (["-e", "alignment-faults:u"], [PLAIN, PLAIN + ["--no-skip-empty"], PLAIN + ["-q"]]),
]


def without_siblings(text):
    """Lines of call graphs sorted, where callers of equal weight may stand in another order (docs/differences.md)."""
    lines = [re.sub(r"^ +[ |-]*", "", line) for line in without_tip(text).splitlines()]
    return "\n".join(sorted(lines) if "--" in text else lines) + "\n"


@case
def events_of_all_kinds_are_reported_as_perf_does():
    record("hot.data")
    for options, kinds in RECORDED:
        if "sched:sched_switch" in options and os.geteuid() != 0:
            continue
        run(perf_path(), "record", "-q", "-o", "kind.data", *options, "./hot").ok()
        for kind in kinds + [["--header-only", "-I"]]:
            theirs, ours = perf("report", "-i", "kind.data", *kind), strobe("report", "-i", "kind.data", *kind)
            equal(ours.code, theirs.code)
            same_text(without_siblings(ours.out), without_siblings(theirs.out), expected_name="perf %s %s" % (options, kind))


@case
def a_recording_without_samples_says_so():
    need_perf_events()
    run(perf_path(), "record", "-q", "-o", "none.data", "-e", "alignment-faults:u", "true").ok()
    result = strobe("report", "-i", "none.data").ok()
    contains(result.err, "'none.data' has no samples")
    lacks(result.out, "Lost")


DATA_PROGRAM = """
unsigned char table[64] = { 0xc3, 0xc3, 0xc3, 0xc3 };
static volatile unsigned long sink;
__attribute__((noinline)) void spin(void *up)
{
	for (unsigned long i = 0; i < 50000000; i++)
		sink += i + (up != 0);
}
int main(void)
{
	/* What looks like a frame returns into the middle of data. */
	void *frame[2] = { 0, table + 3 };

	__asm__ volatile("push %%rbp; mov %0, %%rbp; call spin; pop %%rbp" : : "r"(frame), "D"(0)
			 : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc");
	return 0;
}
"""


@case
def of_data_the_place_in_it_is_shown():
    need_perf_events()
    if os.uname().machine != "x86_64":
        skip("the program is for x86-64")
    write("data.c", DATA_PROGRAM)
    run("gcc", "-O1", "-fno-omit-frame-pointer", "-mno-red-zone", "-o", "data", "data.c").ok()
    run(perf_path(), "record", "-q", "-o", "data.data", "-g", "-d", "-e", "cpu-clock:u", "./data").ok()
    for kind in ([], ["-g", "none", "-s", "sym,dso"]):
        args = ["report", "--stdio", "--no-inline", "-i", "data.data", *kind]
        theirs, ours = perf(*args).ok(), strobe(*args).ok()
        contains(theirs.out, "table+0x")
        same_text(without_tip(ours.out), without_tip(theirs.out), expected_name="perf %s" % kind)


@case
def percentages_are_colored_on_a_terminal_alone():
    record("hot.data")
    args = ["report", "--no-children", "-g", "none", "-s", "comm", "-i", "hot.data"]
    for color, on_terminal, in_pipe in (("auto", True, False), ("always", True, True), ("never", False, False)):
        equal(b"\x1b[31m" in on_a_terminal(*args, "--stdio-color", color), on_terminal, color)
        equal("\x1b[31m" in strobe(*args, "--stdio-color", color).ok().out, in_pipe, color)
    lacks(strobe(*args).ok().out, "\x1b")


@case
def frames_that_exec_was_called_from_have_names():
    record_many(["-g", "-F", "9999"])
    args = ["script", "--no-inline", "-F", "ip,sym", "-i", "many.data"]
    theirs, ours = perf(*args).ok().out, strobe(*args).ok().out
    count = len(re.findall("__GI___execve|[^_]execve$", theirs, re.M))
    check(count > 0, "exec was not caught")
    equal(len(re.findall("__GI___execve|[^_]execve$", ours, re.M)), count)


def tasks_of(program, kind, path):
    """perf 7 calls private mappings shared."""
    text = program("report", kind, "-f", "-i", path).ok().out
    return re.sub(r"^( +[0-9a-f]+-[0-9a-f]+ ...)[ps]", r"\1?", text, flags=re.M)


@case
def tasks_and_their_mappings_are_perfs():
    fixtures = need_fixtures()
    folder = os.path.join(fixtures, "data")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".data") or name == "sleep-zstd2-pipe.data":  # perf refuses that one
            continue
        for kind in ("--tasks", "--mmaps"):
            if (name, kind) == ("tracepoints.data", "--mmaps"):  # one execs
                continue
            same_text(tasks_of(strobe, kind, os.path.join(folder, name)),
                      tasks_of(perf, kind, os.path.join(folder, name)), expected_name="%s %s" % (name, kind))


@case
def tasks_recorded_here_are_perfs_and_mappings_too_but_for_what_exec_ended():
    record_many([])
    same_text(tasks_of(strobe, "--tasks", "many.data"), tasks_of(perf, "--tasks", "many.data"))
    theirs = iter(tasks_of(perf, "--mmaps", "many.data").splitlines())
    ours = tasks_of(strobe, "--mmaps", "many.data").splitlines()
    for line in ours:  # in the same order, with some of perf's lines missing
        check(line in theirs, "perf does not have, or has elsewhere: " + line)
    check(any("[vdso]" in line for line in ours), "no mappings")
    record("hot.data")
    same_text(tasks_of(strobe, "--mmaps", "hot.data"), tasks_of(perf, "--mmaps", "hot.data"))


@case
def cpus_cannot_be_picked_where_the_recording_has_none():
    record("hot.data")
    for command in ("report", "script"):
        result = strobe(command, "-C", "0", "-i", "hot.data")
        equal(result.code, 1)
        equal(result.out, "")
        contains(result.err, "does not tell CPUs")
        contains(result.err, "--sample-cpu")


@case
def a_pipe_is_reported_like_a_file():
    record("hot.data")
    with open("hot.data", "rb") as file:
        piped = strobe("report", "-i", "-", stdin=file.read()).ok().out
    same_text(piped, strobe("report", "-i", "hot.data").ok().out)


@case
def percentages_add_up():
    record("hot.data")
    out = strobe("report", "--no-children", "-g", "none", "-q", "-i", "hot.data").ok().out
    total = sum(float(line.split("%")[0]) for line in out.splitlines() if "%" in line)
    check(99 < total < 101, "%f" % total)
    contains(out, "[.] hot")


@case
def sort_keys_have_the_names_that_guides_use():
    fixtures = need_fixtures()
    path = os.path.join(fixtures, "data", "fib-aarch64.data")
    base = ["report", "--stdio", "--no-children", "-i", path]
    equal(strobe(*base, "--sort=overhead,symbol,shared_object").ok().out,
          strobe(*base, "-s", "overhead,sym,dso,ipc_null").ok().out)


@case
def an_unknown_sort_key_is_refused_with_the_nearest():
    fixtures = need_fixtures()
    result = strobe("report", "-i", os.path.join(fixtures, "data", "fib-aarch64.data"), "-s", "comm,sybmol")
    equal(result.code, 2)
    equal(result.out, "")
    contains(result.err, "'sybmol'")
    contains(result.err, "did you mean 'symbol'?")


@case
def an_event_can_be_picked():
    fixtures = need_fixtures()
    path = os.path.join(fixtures, "data", "groups.data")
    out = strobe("report", "-i", path, "-e", "branch-misses").ok().out
    contains(out, "of event 'branch-misses'")
    check("cache-references" not in out)
    result = strobe("report", "-i", path, "-e", "branch-mises")
    equal(result.code, 1)
    contains(result.err, "did you mean 'branch-misses'?")


@case
def what_a_recording_does_not_have_is_said():
    fixtures = need_fixtures()
    path = os.path.join(fixtures, "data", "fib-aarch64.data")
    for args, words in ((["-g"], "no call chains"), (["-b"], "no branch stacks"), (["-p", "^x"], "no call chains")):
        result = strobe("report", "-i", path, *args)
        equal(result.code, 1)
        contains(result.err, words)


@case
def damaged_files_end_in_an_error_or_a_report():
    fixtures = need_fixtures()
    folder = os.path.join(fixtures, "damaged")
    for name in sorted(os.listdir(folder)):
        result = strobe("report", "-i", os.path.join(folder, name), timeout=60)
        check(result.code in (0, 1), "%s: %d" % (name, result.code))
        check(result.code == 0 or result.err, "%s failed without a word" % name)


NAMED = r"""
#include <sys/prctl.h>
static __attribute__((noinline)) void burn(void)
{
	volatile long sum = 0;

	for (long i = 0; i < 30000000L; i++)
		sum += i;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		prctl(PR_SET_NAME, argv[i]);
		burn();
	}
}
"""


@case
def a_thread_may_call_itself_what_threads_without_a_name_are_called():
    need_perf_events()
    names = (":-1", ":0", ":x")
    strobe("record", "-q", "-e", "cpu-clock:u", "-o", "x.data", "--", compile_c(NAMED), *names).ok()
    told = strobe("report", "--stdio", "-s", "comm", "-g", "none", "-n", "-i", "x.data").ok()
    rows = [line.split()[-1] for line in told.lines() if line and not line.startswith("#")]
    for name in names:
        check(name in rows, "%s is missing in %s" % (name, rows))


@case
def names_cannot_move_the_terminal_and_files_get_them_as_they_are():
    need_perf_events()
    victim = compile_c(NAMED)
    strobe("record", "-q", "-e", "cpu-clock:u", "-o", "x.data", "--", victim, "\u009bH\x7f\r", "\033[2Jgone").ok()
    for command in (["script", "-F", "comm"], ["report", "--stdio", "-s", "comm", "-g", "none"]):
        sent = on_a_terminal(*command, "-i", "x.data")
        for shown, raw in ((b"\\x1b[2Jgone", b"\033[2Jgone"), (b"\\xc2\\x9bH\\x7f\\x0d", "\u009bH\x7f\r".encode())):
            check(shown in sent, "%s is not in %s" % (shown, sent[-2000:]))
            check(raw not in sent, "%s is in %s" % (raw, sent[-2000:]))
            check(raw in strobe(*command, "-i", "x.data").ok().out_bytes, "%s is not in the file" % raw)


@case
def what_is_printed_does_not_depend_on_the_number_of_threads():
    need_perf_events()
    cpus = usable_cpus(2)
    strobe("record", "-q", "-e", "cpu-clock", "-F", "20000", "-g", "-m", "8", "-o", "x.data", "--",
           "sh", "-c", "for i in 1 2 3 4; do ls -lR /usr/lib >/dev/null & done; wait").ok()
    for command in (["report", "--stdio"], ["report", "--stdio", "--no-children", "-s", "sym"],
                    ["report", "--stdio", "-s", "comm,dso", "-g", "caller"],
                    ["report", "--stdio", "--no-children", "-g", "fractal", "-s", "pid,sym"], ["script"]):
        one, all_of_them = (on_cpus(some, *command, "-i", "x.data") for some in (cpus[:1], cpus))
        check(len(one) > 1000, "hardly anything is printed: %s" % one)
        check(one == all_of_them, "%s differs" % " ".join(command))


main()
