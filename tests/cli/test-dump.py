"""report -D: each record with its bytes and what they say, as perf prints it."""
import os

import crafted
import recordings
from crafted import Crafted
from tap import case, check, contains, equal, lacks, main, need_fixtures, perf, same_text, strobe


def without_vdso(text):
    """perf writes the vdso to a file, and says its name."""
    return "\n".join("...... dso: [vdso]" if "dso: /tmp/perf-vdso" in line or line == " ...... dso: [vdso]" else line
                     for line in text.splitlines())


def records(text):
    """Without the numbers at the end."""
    return without_vdso(text).split("Aggregated stats")[0]


def dump(path, *args):
    return strobe("report", "-f", "-D", "-i", path, "--stdio", *args).ok().out


def same(path, *args, change=without_vdso):
    theirs = perf("report", "-f", "-D", "-i", path, "--stdio", *args).ok().out
    same_text(change(dump(path, *args)), change(theirs), expected_name="perf -i %s" % path)


@case
def recordings_made_elsewhere_are_dumped_as_perf_does():
    folder = os.path.join(need_fixtures(), "data")
    for name in ("branch-stack", "callgraph-3.4", "fib-aarch64", "groups", "hybrid", "lbr-callgraph", "shapes.dwarf", "shapes.fp",
                 "sleep", "switch-namespaces", "tracepoints"):
        same(os.path.join(folder, name + ".data"))
    same(os.path.join(folder, "lost-samples.data"), change=records)


@case
def our_recordings_are_dumped_as_perf_does():
    for name in ("data", "events", "everywhere", "family", "flat", "jit", "new-flat", "new-tracepoints", "old-flat",
                 "old-tracepoints", "registers", "stacks", "threads", "tracepoints"):
        same(recordings.data(name))


def same_of_script(path, *args):
    command = ["script", "-f", *recordings.NAMES, *args, "-i", path]
    theirs = perf(*command, env=recordings.ENVIRONMENT).ok().out
    same_text(without_vdso(strobe(*command, env=recordings.ENVIRONMENT).ok().out), without_vdso(theirs),
              expected_name="perf -i %s" % path)


@case
def script_prints_samples_behind_their_bytes_as_perf_does():
    for name in ("data", "events", "everywhere", "family", "flat", "new-flat", "old-tracepoints", "registers", "stacks",
                 "threads", "tracepoints"):
        same_of_script(recordings.data(name), "-D")
    same_of_script(recordings.data("tracepoints"), "-D", "-F", "event,trace")


@case
def script_prints_the_bytes_in_the_order_of_the_file_as_perf_does():
    for name in ("events", "flat", "stacks", "threads"):
        same_of_script(recordings.data(name), "--dump-unsorted-raw-trace")


@case
def script_prints_samples_behind_their_bytes():
    out = strobe("script", *recordings.NAMES, "-D", "-F", "comm,ip,sym", "-i", recordings.data("flat")).ok().out
    contains(out, " ... thread: shares:5\n ...... dso: /tmp/victim/shares\n          shares            400171 hot\n\n")
    equal(out.count("PERF_RECORD_SAMPLE("), out.count("\n          shares  "))


@case
def a_record_is_shown_with_its_place_its_bytes_and_its_text():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME)
    file.comm(7, "work", time=5)
    file.sample(event, ip=0x1234, pid=7, tid=7, time=9)
    file.write("x.data")
    out = dump("x.data")
    contains(out, "@x.data [0x28]: event: 3\n.\n. ... raw event: size 40 bytes\n"
                  ".  0000:  03 00 00 00 00 00 28 00 07 00 00 00 07 00 00 00  ......(.........\n"
                  ".  0010:  77 6f 72 6b 00 00 00 00 07 00 00 00 07 00 00 00  work............\n"
                  ".  0020:  05 00 00 00 00 00 00 00                          ........        \n\n")
    contains(out, "PERF_RECORD_COMM: work:7/7\n")
    contains(out, "PERF_RECORD_SAMPLE(IP, 0x2): 7/7: 0x1234 period: 1 addr: 0\n"
                  " ... thread: work:7\n ...... dso: <not found>\n")
    contains(out, "\nAggregated stats:\n")


@case
def records_wait_for_older_ones_unless_order_is_off():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME)
    for time in (30, 10, 20):
        file.sample(event, ip=time, pid=7, tid=7, time=time)
    file.write("x.data")

    def places(*args):
        return [line.split(": ")[3].split()[0] for line in dump("x.data", *args).splitlines() if "RECORD_SAMPLE" in line]
    equal(places(), ["0xa", "0x14", "0x1e"])
    equal(places("--disable-order"), ["0x1e", "0xa", "0x14"])
    same("x.data")
    same("x.data", "--disable-order")


@case
def what_is_cut_off_or_says_too_much_is_dumped_as_far_as_it_goes():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.CALLCHAIN)
    file.record(crafted.ID_INDEX, file.words(1 << 60, 1, 2))
    file.record(crafted.THREAD_MAP, file.words(1 << 60))
    file.record(crafted.EVENT_UPDATE, file.words(1, 100))
    file.record(crafted.EVENT_UPDATE, file.words(0, 100) + b"x" * 8)
    file.record(crafted.TIME_CONV, file.words(1))
    file.record(crafted.CPU_MAP, b"\xff" * 8)
    file.record(crafted.LOST, b"")
    file.record(crafted.READ_RECORD, file.words(1))
    file.sample(event, ip=1, pid=7, tid=7, time=9, callchain=[1, 2])
    file.write("x.data")
    out = dump("x.data")
    contains(out, "PERF_RECORD_ID_INDEX nr: %d\n" % (1 << 60))
    contains(out, "... unit:  xxxxxxxx\n")
    contains(out, "... FP chain: nr:2\n.....  0: 0000000000000001\n.....  1: 0000000000000002\n")


main()
