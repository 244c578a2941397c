"""report: what tells frames of call chains apart, and branch stacks as part of them, on files laid by hand."""
import json
import random
import re

import crafted
from crafted import Crafted
from tap import case, check, compile_c, contains, equal, main, perf, same_text, strobe

PROGRAM = """
long table[64] = { 1, 2 };
__attribute__((noinline)) long work(long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += table[i & 63];
	return sum;
}
int main(int argc, char **argv)
{
	return work(argc) == 7;
}
"""

TEXT, MISSING, USER_MARK = 0x401000, 0x7f0000000000, (1 << 64) - 512


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def report(*args):
    return strobe("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", *args).ok().out


def same(*args):
    """strobe's report is perf's."""
    theirs = perf("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "--no-inline", *args).ok().out
    # perf calls what is left over inlined or not, as it happens.
    same_text(without_tip(report(*args)), without_tip(theirs).replace("[...] (inlined)", "[...]"),
              expected_name="perf " + " ".join(args))


def program(*flags):
    """Its code begins with work(), at TEXT and 0x1000 in the file."""
    return compile_c(PROGRAM, flags=("-O1", "-no-pie", "-nostartfiles", "-Wl,-e,main", "-Wl,-Ttext=0x401000", *flags))


def add_mappings(file, path):
    file.comm(7, "work")
    file.mmap2(7, TEXT, 0x1000, path, pgoff=0x1000)
    file.mmap2(7, MISSING, 0x10000, "/usr/lib/nothere.so")


def chains(places, debug="-g"):
    pick = random.Random(7).choice
    file = Crafted()
    event = file.event(ids=[100], type=0, sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.PERIOD |
                       crafted.CALLCHAIN)
    add_mappings(file, program(debug))
    for i in range(24):
        chain = [pick(places) for _ in range(pick([1, 2, 3, 4]))]
        file.sample(event, ip=chain[0], pid=7, tid=7, time=1000 + i, period=10, callchain=[USER_MARK] + chain)
    file.write("x.data")


CODE = [TEXT, TEXT + 0x13, TEXT + 0x20, TEXT + 0x28, TEXT + 0x34, TEXT + 0x3c]


@case
def frames_by_address_show_their_source_lines_as_in_perf():
    for debug in ("-g", "-g0"):
        chains(CODE + [MISSING + 0x123, MISSING + 0x456], debug)
        for args in (("-g", "address"), ("-g", "address,callee"), ("-g", "folded,address", "-s", "dso"), ("-g", "flat,addr"),
                     ("--full-source-path", "-g", "address"), ("--no-children", "-g", "fractal,0,address")):
            same(*args)


@case
def frames_by_source_line_are_as_in_perf():
    chains(CODE)
    for args in (("-g", "srcline"), ("-g", "srcline,callee"), ("-g", "folded,srcline", "-s", "dso"), ("-g", "flat,srcline,0"),
                 ("--full-source-path", "-g", "srcline"), ("--no-children", "-g", "fractal,0,2,srcline")):
        same(*args)


@case
def frames_without_a_line_are_told_apart_by_function():
    chains(CODE + [MISSING + 0x123, MISSING + 0x456], "-g0")
    out = report("-g", "srcline,0", "--no-children", "-s", "dso")
    equal(out, report("-g", "function,0", "--no-children", "-s", "dso"))
    contains(out, "0x7f0000000123")  # to perf, all these are one


@case
def words_of_g_may_be_short_as_in_perf():
    chains(CODE)
    for words in ("f", "fr", "fo,co", "gra,cal", "c,p", "none", "no", ",", "0,,", "s,per", "a"):
        same("-g", words)
    for words in ("x", "graphs", "1,srclines"):
        equal(strobe("report", "-i", "x.data", "-g", words).code, 2)


@case
def a_kernel_image_is_not_looked_at_where_it_is_to_be_ignored():
    chains(CODE)
    missing = strobe("report", "-i", "x.data", "-k", "nowhere")
    check(missing.code != 0)
    equal(report("-k", "nowhere", "--ignore-vmlinux", "-m"), report())
    same("--ignore-vmlinux", "-m")


@case
def json_says_which_line_a_frame_is_at():
    chains(CODE)
    row = json.loads(report("-g", "srcline,0", "--no-children", "-s", "dso", "--format", "json"))["events"][0]["rows"][0]
    frames = [frame for chain in row["chains"] for frame in chain["frames"]]
    check(len(frames) > 3)
    for frame in frames:
        check(re.fullmatch(r"victim\.c:\d+", frame["srcline"]) and frame["symbol"] in ("work", "main"), frame)


@case
def frames_of_a_pipe_show_their_lines():
    chains(CODE)
    with open("x.data", "rb") as file:
        bytes_of_file = file.read()
    for words in ("address", "srcline"):
        piped = strobe("report", "-i", "-", "--stdio", "--kallsyms=/dev/null", "-q", "-g", words, stdin=bytes_of_file)
        equal(piped.ok().out, report("-q", "-g", words))


main()
