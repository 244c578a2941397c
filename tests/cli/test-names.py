"""Names are any bytes, of any size: what is printed keeps its form, whatever a thread or a file calls itself."""
import os
import re
import time

import victim
from crafted import CALLCHAIN, IP, TID, TIME, Crafted
from tap import (case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program, need_root, perf,
                 run, skip, strobe, write)

REPORT = ("report", "--stdio", "--no-children", "-g", "none")

# What threads and files have called themselves, or may.
NAMES = ("[ET_NET 0]", "CUPSManager cup", "a;b", "foo: 1/2 [000]", "\u00fc\u20ac", "b\xff\xfe", "\x1b[2Jx", " ", "%s%n",
         ": 1 2.3: cpu:", "a\nb 1 [000] 1:", "\n", "x" * 15, "-1", "..", "'\"")


def bytes_of(name):
    return name.encode("latin-1") if name.startswith("b\xff") else name.encode()


def one_line(name):
    return bytes_of(name).replace(b"\n", b"\\x0a")


def hostile(sample_type=IP | TID | TIME):
    """A thread of each name, in a file of each name, one sample each."""
    file = Crafted()
    event = file.event(sample_type=sample_type)
    for pid, name in enumerate(NAMES, 10):
        file.comm(pid, bytes_of(name), time=pid)
        file.mmap2(pid, 0x1000, 0x1000, b"/tmp/a b (x)/" + bytes_of(name), time=pid)
        file.sample(event, ip=0x1234, pid=pid, tid=pid, time=1000 * pid)
    file.cgroup(1, b"/a\nb", time=1)
    file.write("F")


@case
def whatever_threads_and_files_are_called_a_sample_is_one_line():
    hostile()
    for words in ((), ("-F", "comm,pid,time,ip,sym,dso"), ("-F", "comm,tid,dso,ip")):
        lines = strobe("script", *words, "-i", "F").ok().out_bytes.split(b"\n")
        equal(len(lines), len(NAMES) + 1)
        for line, name in zip(lines, NAMES):
            check(line.lstrip().startswith(one_line(name).lstrip()), "%r: %r" % (name, line))
            check(line.endswith(b"(/tmp/a b (x)/%s)" % one_line(name)), "%r: %r" % (name, line))


@case
def records_of_names_are_one_line_each():
    hostile()
    lines = strobe("script", "--show-task-events", "--show-mmap-events", "-i", "F").ok().out_bytes.split(b"\n")
    equal(len(lines), 3 * len(NAMES) + 1)
    for name in NAMES:
        check(any(b"PERF_RECORD_COMM: " + one_line(name) + b":" in line for line in lines), name)
        check(any(line.endswith(b"r-xp /tmp/a b (x)/" + one_line(name)) for line in lines), name)


@case
def a_report_has_one_row_for_each_name():
    hostile()
    for key in ("comm", "pid", "tgid", "dso", "comm,dso,sym"):
        out = strobe(*REPORT, "-s", key, "-i", "F").ok().out_bytes
        rows = [line for line in out.split(b"\n") if line.lstrip()[:1].isdigit()]
        equal(len(rows), len(NAMES), key)
        equal(len([line for line in out.split(b"\n") if line and line[:1] != b"#"]), len(NAMES), key)
        for name in NAMES:
            # As in perf, the column of tgid is as wide as its title, which is short.
            shown = b"%d:" % (10 + NAMES.index(name)) if key == "tgid" else one_line(name).rstrip()
            if key == "dso":
                shown = shown.split(b"/")[-1]
            check(any(shown in row for row in rows), "%s: %r" % (key, name))


@case
def tasks_mappings_and_build_ids_are_one_line_each():
    hostile()
    equal(len(strobe("report", "--tasks", "-i", "F").ok().out_bytes.split(b"\n")), len(NAMES) + 3)
    equal(len(strobe("report", "--mmaps", "-i", "F").ok().out_bytes.split(b"\n")), 2 * len(NAMES) + 3)
    file = Crafted()
    event = file.event()
    for start, name in enumerate(NAMES, 1):
        file.mmap2(1, start << 12, 0x1000, b"/" + bytes_of(name), build_id=b"\1" * 20, time=1)
        file.sample(event, ip=start << 12, pid=1, tid=1, time=9)
    file.write("F")
    equal(len(strobe("buildid-list", "-i", "F").ok().out_bytes.split(b"\n")), len(NAMES) + 1)


@case
def a_message_cannot_move_the_terminal():
    file = Crafted()
    event = file.event()
    file.mmap2(1, 0x1000, 0x1000, "/tmp/\x1b[2J\n\x1b[31mforged: x\u009b", time=1)
    file.sample(event, ip=0x1234, pid=1, tid=1, time=9)
    file.write("F")
    equal(strobe(*REPORT, "-i", "F").ok().err,
          "strobe report: no names in '\\x1b[2J\\x0a\\x1b[31mforged: x\\xc2\\x9b': no such file (100.0% of the samples)\n"
          "  hint: copy the file from where it was recorded, and name its folder by --symfs\n")


@case
def a_separator_in_a_name_is_a_dot_as_in_perf():
    hostile()
    for separator in (";", ":", "["):
        ours = strobe(*REPORT, "-t", separator, "-s", "comm,dso", "-i", "F").ok().out_bytes
        rows = [line for line in ours.split(b"\n") if line and line[:1] != b"#"]
        equal({row.count(separator.encode()) for row in rows}, {2})


@case
def folded_frames_can_be_told_apart_again():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CALLCHAIN)
    file.mmap2(7, 0x1000, 0x1000, "//anon", time=1)
    file.sample(event, ip=0x1010, pid=7, tid=7, time=2, callchain=[0xfffffffffffffe00, 0x1010, 0x1110, 0x1210])
    file.write("F")
    os.makedirs("symfs/tmp")
    write("symfs/tmp/perf-7.map", "1000 100 Ljava/lang/String;::a;b\n1100 100 caller of it\n1200 100 main;\n")
    for words, separator in (((), ";"), (("-t", ":"), ":")):
        folded = strobe("report", "--stdio", "--no-children", "-g", "folded", "-s", "comm", *words, "--symfs", "symfs",
                        "-f", "-i", "F").ok().lines()
        chain = next(line for line in folded if "caller of it" in line).split(" ", 1)[1]
        hidden = "\\x%02x" % ord(separator)
        equal([frame.replace(hidden, separator) for frame in chain.split(separator)],
              ["Ljava/lang/String;::a;b", "caller of it", "main;"])


@case
def a_live_thread_and_its_file_keep_the_form_too():
    need_perf_events()
    folder = "a b (x)/\n;\u20ac"
    os.makedirs(folder)
    source = """
#include <sys/prctl.h>
void mid(void);
int main(void)
{
	prctl(PR_SET_NAME, "forged 1\\n[000] 1:");
	mid();
}
"""
    program = compile_c(victim.source(main=source), "v", victim.FLAGS)
    os.rename(program, os.path.join(folder, "v"))
    victim.record(os.path.join(folder, "v"))
    out = strobe("script", "-F", "comm,tid,time,ip,sym,dso", "-i", "F").ok().out
    heads = [line for line in out.splitlines() if line and not line.startswith("\t")]
    check(len(heads) > 20 and all(re.match(r" *(v|forged 1\\x0a\[000\]) ", line) for line in heads), heads[:3])
    path = os.path.join(os.getcwd(), folder, "v")
    victim.check_named(victim.stacks(), path.replace("\n", "\\x0a"))


RENAMED = """
#include <pthread.h>
#include <sys/prctl.h>
void mid(void);
static void *work(void *p)
{
	mid();
	prctl(PR_SET_NAME, "worker-late");
	mid();
	return p;
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	prctl(PR_SET_NAME, "main-late");
	mid();
}
"""


@case
def a_thread_has_the_name_of_its_time_and_a_process_that_of_its_first_thread():
    need_perf_events()
    victim.record(compile_c(victim.source(main=RENAMED), "v", victim.FLAGS + ("-pthread",)))

    def rows(key):
        text = strobe(*REPORT, "-s", key, "-S", "hot", "-i", "F").ok().out
        return {" ".join(line.split()[1:]): float(line.split("%")[0]) for line in text.splitlines() if "%" in line}

    comms = rows("comm")
    equal(sorted(comms), ["main-late", "v", "worker-late"])
    check(all(20 < share < 50 for share in comms.values()), comms)
    threads = rows("tid")
    equal(sorted(name.split(":")[1] for name in threads), ["main-late", "worker-late"])
    equal(len(rows("tgid")), 1)
    check(next(iter(rows("tgid"))).split(":")[1].startswith("main"), rows("tgid"))


@case
def a_tracepoints_text_cannot_add_lines():
    need_root()
    need_perf_events()
    compile_c("int main(void) { return 0; }", "t")
    os.rename("t", "forged 1 [000] 1:\nsched:x: y")
    script = "\"./forged 1 [000] 1:\nsched:x: y\""
    strobe("record", "-q", "-e", "sched:sched_process_exec", "-o", "F", "--", "sh", "-c", script + "; true").ok()
    lines = strobe("script", "-i", "F").ok().lines()
    check(lines and all("sched:sched_process_exec: filename=" in line for line in lines), lines)
    check(any("\\x0a" in line for line in lines), lines)


@case
def endless_symbols_are_named_in_bounded_time():
    need_perf_events()
    if os.uname().machine != "x86_64":
        skip("the program is for x86-64")
    nested = "_Z1f" + "N1a" * 40000 + "E" * 40000 + "i"
    names = ["x" * (1 << 20), "_Z" + "1a" * (1 << 19), "_ZN" + "3abc" * (1 << 18) + "E", nested, "_RNvC" + "1a" * (1 << 19),
             "_Z1fI" + "S_" * 8000 + "Ev"]
    lines = []
    for name in names:
        lines += [".globl %s" % name, ".type %s, @function" % name, name + ":", "mov $30000000, %rcx", "1: dec %rcx",
                  "jnz 1b", "ret", ".size %s, . - %s" % (name, name)]
    lines += [".globl main", "main:"] + ["call " + name for name in names] + ["xor %eax, %eax", "ret",
                                                                             ".section .note.GNU-stack"]
    write("a.s", "\n".join(lines) + "\n")
    run("gcc", "-o", "program", "a.s").ok()
    victim.record("./program")
    began = time.monotonic()
    out = strobe(*REPORT, "-s", "sym", "-i", "F", timeout=120).ok().out
    check(time.monotonic() - began < 60)
    contains(out, "x" * (1 << 20))


@case
def cplusplus_is_not_taken_for_rust_nor_rust_for_cplusplus():
    need_perf_events()
    need_program("g++")
    write("t.cpp", """
static volatile unsigned long sink;
#define BURN for (unsigned long i = 0; i < 30000000; i++) sink += i;
namespace { __attribute__((noinline)) void single_thread() { BURN } }
namespace app { __attribute__((noinline)) void h0123456789abcde() { BURN } }
extern "C" __attribute__((noinline)) void _ZN3app4work17h0123456789abcdefE() { BURN }
extern "C" __attribute__((noinline)) void f() { BURN }
int main() { single_thread(); app::h0123456789abcde(); _ZN3app4work17h0123456789abcdefE(); f(); }
""")
    run("g++", "-O1", "-o", "program", "t.cpp").ok()
    victim.record("./program")
    text = strobe(*REPORT, "-s", "sym", "--percent-limit", "5", "-i", "F").ok().out
    equal(sorted(re.findall(r"\[\.\] (.*?) *$", text, re.M)),
          ["(anonymous namespace)::single_thread()", "app::h0123456789abcde()", "app::work", "f"])


main()
