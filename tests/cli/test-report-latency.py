"""report: latency, which shares what threads that run at the same time cost, on files laid by hand."""
import crafted
from crafted import Crafted
from tap import case, check, contains, equal, lacks, main, perf, same_text, strobe


CONTEXT_USER = 2 ** 64 - 512


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def report(*args):
    return strobe("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", *args).ok().out


def same(*args):
    theirs = perf("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "--no-inline", *args).ok().out
    same_text(without_tip(report(*args)), without_tip(theirs), expected_name="perf " + " ".join(args))


def recording(what, chains=False, switches=True):
    """A letter a record: s is a sample, i and o a switch in and out."""
    file = Crafted()
    event = file.event(ids=[100], flags=["context_switch"] if switches else [], sample_type=crafted.IP | crafted.TID |
                       crafted.TIME | crafted.CPU | crafted.PERIOD | (crafted.CALLCHAIN if chains else 0))
    file.comm(7, "work")
    for i, letter in enumerate(what):
        time, ip = 10 * i + 20, 0x1000 + i % 100
        if letter == "s":
            file.sample(event, ip=ip, pid=7, tid=7, time=time, period=100, callchain=(CONTEXT_USER, ip, 0x2000, 0x3000))
        else:
            file.switch(letter == "o", pid=7, time=time)
    file.write("x.data")


@case
def periods_are_divided_by_how_many_threads_ran():
    recording("ssisissosso")
    out = report("-s", "parallelism")
    for row in ("    42.86%    36.00%            2\n", "    28.57%    48.00%            1\n", "    28.57%    16.00%            3\n"):
        contains(out, row)


@case
def latency_is_shown_where_more_than_one_sample_of_a_hundred_ran_beside_others():
    recording("s" * 98 + "i" + "s" * 2)
    contains(report("-s", "comm"), "# Overhead   Latency  Command\n")
    recording("s" * 99 + "i" + "s")
    lacks(report("-s", "comm"), "Latency")
    contains(report("-s", "comm", "-F", "+latency"), "Latency")


@case
def columns_with_latency_are_as_in_perf():
    recording("ssisissosso")
    for args in (["-s", "sym"], ["--latency", "-s", "sym"], ["-F", "overhead,latency,sym"], ["-s", "latency,sym"],
                 ["-s", "parallelism"], ["-s", "sym", "-n", "--show-total-period"], ["-s", "sym", "-F", "+latency"], [],
                 ["--latency", "-F", "overhead,sym"], ["-s", "overhead,sym"], ["--latency", "-s", "overhead,sym"],
                 ["-s", "sym", "-t,"], ["-H", "-s", "comm,sym"], ["-H", "--latency"]):
        same(*args)


@case
def columns_with_latency_and_children_are_as_in_perf():
    recording("ssisissosso", chains=True)
    for args in (["-s", "sym"], ["--latency", "-s", "sym", "-g", "none"], ["-g", "none", "-s", "sym", "--no-children"],
                 ["-g", "none", "-F", "overhead_children,latency_children,latency,sym"],
                 ["-g", "none", "-t,", "-s", "sym", "--latency"]):
        same(*args)


@case
def samples_are_chosen_by_how_many_threads_ran():
    recording("ssisissosso")
    same("--parallelism", "2", "-s", "sym")
    same("--parallelism", "2-3", "-s", "sym", "--percentage", "relative")
    rows = [line for line in report("--parallelism", "3", "-s", "sym").splitlines() if line and line[0] != "#"]
    equal(len(rows), 2)


@case
def without_switches_latency_is_an_error():
    recording("ss", switches=False)
    lacks(report(), "Latency")
    for args in (["--latency"], ["--parallelism", "2"], ["-s", "parallelism"], ["-F", "latency,sym"]):
        result = strobe("report", "-i", "x.data", *args)
        check(result.code != 0)
        contains(result.err, "record with --switch-events")


main()
