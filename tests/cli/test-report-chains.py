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
BRANCH_STACK_FEATURE = 15


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


def history():
    """Samples with call chains and branches; none has a branch twice, which perf's way of finding loops could mistake."""
    pick = random.Random(6).choice
    places = CODE + [MISSING + 0x123, MISSING + 0x456]
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY, sample_type=crafted.IP | crafted.TID |
                       crafted.TIME | crafted.PERIOD | crafted.CALLCHAIN | crafted.BRANCH_STACK)
    add_mappings(file, program("-g"))

    def any_branches(count):
        branches = {}
        while len(branches) < count:
            wrong = pick([0, 1])
            branches[pick(places)] = (pick(places), {"mispred": wrong, "predicted": 1 - wrong, "abort": pick([0, 0, 1]),
                                                     "cycles": pick([0, 3, 700]), "type": pick([0, 2, 1])})
        return [(origin, target, flags) for origin, (target, flags) in branches.items()]
    stacks = [any_branches(i % 5) for i in range(60)]
    for i, stack in enumerate(stacks):
        file.sample(event, ip=pick(places), pid=7, tid=7, time=1000 + i, period=10, callchain=[USER_MARK, pick(CODE)], branches=stack)
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")
    return stacks


@case
def branches_are_part_of_call_chains_as_in_perf():
    history()
    for args in (("-s", "sym"), ("-s", "dso"), ("-s", "sym,dso", "-g", "folded"), ("-s", "dso", "-g", "flat"),
                 ("-s", "sym,dso", "-g", "fractal"), ("-s", "dso", "-g", "period,0,4"), ("-s", "dso", "--max-stack", "2")):
        same("--branch-history", "--no-children", *args)
    for args in (("-g", "branch"), ("-g", "branch,address"), ("-g", "branch,folded", "-s", "dso")):
        same("--no-branch-stack", "--no-children", *args)


@case
def each_kind_of_branch_is_called_as_in_perf():
    for extended in (False, True):
        file = Crafted()
        event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY, sample_type=crafted.IP | crafted.TID |
                           crafted.TIME | crafted.PERIOD | crafted.CALLCHAIN | crafted.BRANCH_STACK)
        add_mappings(file, program("-g"))
        targets = [MISSING + 0x100 * kind for kind in range(16)]
        for i, target in enumerate(targets):
            for distance in (0x10, -0x10, 0x1000, 0x300000):
                flags = {"type": 15, "new_type": i % 8} if extended else {"type": i % 15}
                file.sample(event, ip=TEXT, pid=7, tid=7, time=1000, callchain=[USER_MARK, TEXT],
                            branches=[(target + distance, target, dict(flags, predicted=1))])
        file.feature(BRANCH_STACK_FEATURE)
        file.write("x.data")
        same("--branch-history", "--no-children", "-s", "dso", "-g", "0")


COLUMNS = "callchain_branch_predicted,callchain_branch_abort,callchain_branch_cycles"


@case
def what_branches_did_is_told_of_each_row():
    """perf counts both ends of a branch, and shows halves."""
    branches = [branch[2] for sample in history() for branch in sample]
    predicted = 100 * sum(branch["predicted"] for branch in branches) / len(branches)
    aborts, cycles = (sum(branch[what] for branch in branches) for what in ("abort", "cycles"))
    keys = ("-i", "x.data", "--kallsyms=/dev/null", "--branch-history", "--no-children", "-s", "comm," + COLUMNS)
    row = json.loads(strobe("report", *keys, "--format", "json").ok().out)["events"][0]["rows"][0]
    equal((round(row["callchain_branch_predicted"], 6), row["callchain_branch_abort"], row["callchain_branch_cycles"]),
          (round(predicted, 6), aborts, cycles // len(branches)))
    contains(report(*keys[2:]), "  work     %-9s  %-5d  %d" % ("%.1f%%" % predicted, aborts, cycles // len(branches)))
    contains(perf("report", "--stdio", *keys).ok().out, "%.1f%%" % (predicted / 2))
    contains(report("--branch-history", "--no-children"),
             "Source:Line      Symbol                  Shared Object     Predicted  Abort  Cycles  IPC   [IPC Coverage]\n")


@case
def callers_stand_behind_the_branches_whichever_way_chains_are_read():
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY, sample_type=crafted.IP | crafted.TID |
                       crafted.TIME | crafted.PERIOD | crafted.CALLCHAIN | crafted.BRANCH_STACK)
    add_mappings(file, program("-g0"))
    # In work() from main(), which the second branch tells; who called main() only the chain does.
    loop, call = (TEXT + 0x27, TEXT + 0x16, {"type": 1, "predicted": 1, "cycles": 5}), (TEXT + 0x37, TEXT, {"type": 4, "cycles": 7})
    file.sample(event, ip=TEXT + 0x20, pid=7, tid=7, time=1000, period=10,
                callchain=[USER_MARK, TEXT + 0x20, TEXT + 0x3c, MISSING + 0x123, MISSING + 0x456], branches=[loop, loop, loop, call])
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")
    frames = ["work +22 (COND_BWD)", "work +39 (cycles:5 iter:2 avg_cycles:5)", "work +0 (CALL predicted:0.0%)", "main +3 (cycles:7)",
              "0x7f0000000123 (calltrace)", "0x7f0000000456 (calltrace)"]

    def printed(*args):
        lines = report("--branch-history", "--no-children", "-q", "-s", "dso", *args).splitlines()[2:]
        return [re.sub(r"^[-| ]*", "", line) for line in lines if line]
    equal(printed(), frames)
    equal(printed("-g", "caller"), frames[::-1])
    rows = [line for line in report("--branch-history", "--children", "-q", "-s", "sym", "-g", "none").splitlines() if "%" in line]
    equal([line.split()[0] for line in rows], ["100.00%"] * len(rows))
    row = json.loads(report("--branch-history", "--no-children", "-s", "dso", "--format", "json"))["events"][0]["rows"][0]
    frames = row["chains"][0]["frames"]
    equal(frames[0]["branches_to"], {"count": 1, "predicted": 1, "aborts": 0, "kinds": ["COND_BWD"]})
    equal(frames[1]["branches_from"], {"count": 1, "cycles": 5, "loops": 1, "repeats": 2, "repeat_cycles": 10})
    check("branches_to" not in frames[4] and "branches_from" not in frames[4])


@case
def branches_of_a_pipe_are_part_of_chains():
    history()
    with open("x.data", "rb") as file:
        bytes_of_file = file.read()
    for words in (("-s", "dso,sym"), ("-s", "comm," + COLUMNS)):
        piped = strobe("report", "-i", "-", "--stdio", "--kallsyms=/dev/null", "-q", "--branch-history", *words, stdin=bytes_of_file)
        equal(piped.ok().out, report("-q", "--branch-history", *words))


@case
def branch_history_needs_branches():
    chains(CODE)
    result = strobe("report", "-i", "x.data", "--branch-history")
    equal(result.code, 1)
    contains(result.err, "record with -b -g")
    result = strobe("report", "-i", "x.data", "-s", COLUMNS)
    equal(result.code, 2)
    contains(result.err, "add --branch-history")


CALL_STACK, USER, CPU_PMU_CAPS = 1 << 11, 1, 28


def call_stacks(steps, registers=8, known=True, seed=3):
    """Samples of threads that call and return, with the newest calls alone, as a processor with so many registers has them.
    The true stacks, innermost first."""
    random_step = random.Random(seed)
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=USER | CALL_STACK | (crafted.BRANCH_HW_INDEX if known else 0),
                       sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.PERIOD | crafted.CALLCHAIN | crafted.BRANCH_STACK)
    add_mappings(file, "/usr/bin/nothere")
    # Of each thread: calls, innermost first; how many the registers hold; the newest one's register.
    threads = {7: ([], 0, registers - 1), 8: ([], 0, registers - 1)}
    stacks = []
    for i in range(steps):
        tid = random_step.choice(list(threads))
        calls, held, newest = threads[tid]
        for _ in range(random_step.randrange(1, 6)):
            if not calls or random_step.random() < 0.62:
                calls = [MISSING + 0x10 * random_step.randrange(1, 4000)] + calls
                newest, held = (newest + 1) % registers, min(held + 1, registers)
            elif held > 1:
                calls, newest, held = calls[1:], (newest - 1) % registers, held - 1
        threads[tid] = calls, held, newest
        file.sample(event, ip=MISSING, pid=7, tid=tid, time=1000 + i, period=10, callchain=[USER_MARK, MISSING], hw_index=newest,
                    branches=[(call, call + 8, {}) for call in calls[:held]])
        stacks.append(["%x" % addr for addr in [MISSING] + calls])
    names = {"max_precise": "3", "branches": str(registers)}
    file.feature(CPU_PMU_CAPS, file.pack("I", len(names)) + b"".join(file.text(name) + file.text(names[name]) for name in names))
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")
    return stacks


def stacks_of(text):
    return [block.split() for block in text.split("\n\n") if block.strip()]


def printed_stacks(*args, stdin=b""):
    return stacks_of(strobe("script", "-i", "-" if stdin else "x.data", "--kallsyms=/dev/null", "-F", "ip", *args, stdin=stdin).ok().out)


@case
def call_stacks_of_branches_are_stitched_as_in_perf():
    stacks = call_stacks(120)
    same("--stitch-lbr", "--no-children", "-g", "0", "-s", "pid")
    same("--stitch-lbr", "-g", "0,folded", "-s", "comm")
    stitched, plain = printed_stacks("--stitch-lbr"), printed_stacks()
    theirs = stacks_of(perf("script", "-i", "x.data", "--stitch-lbr", "--kallsyms=/dev/null", "-F", "ip").ok().out)
    for ours, stack in zip(stitched, theirs):  # perf's script forgets some, which its report has
        check(len(stack) > 1 and stack == ours[:len(stack)])
    whole = sum(stack == printed for stack, printed in zip(stacks, stitched))
    for stack, printed, short in zip(stacks, stitched, plain):
        check(len(short) <= len(printed) and printed == stack[:len(printed)], "%s is no part of %s" % (printed, stack))
    check(whole > sum(stack == printed for stack, printed in zip(stacks, plain)), "nothing was stitched")
    with open("x.data", "rb") as file:
        equal(printed_stacks("--stitch-lbr", stdin=file.read()), stitched)


@case
def call_stacks_are_stitched_only_where_registers_are_known():
    call_stacks(60, known=False)
    equal(printed_stacks("--stitch-lbr"), printed_stacks())
    call_stacks(60, registers=2000)
    equal(printed_stacks("--stitch-lbr"), printed_stacks())
    call_stacks(60)
    longest = max(len(stack) for stack in printed_stacks("--stitch-lbr", "--max-stack", "11"))
    equal(longest, 11)
    equal(strobe("report", "-i", "x.data", "--stitch-lbr", "--max-stack", "11", "-q").code, 0)


@case
def lbr_chains_of_the_kernel_show_where_it_was_entered():
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=USER | CALL_STACK, sample_type=crafted.IP | crafted.TID | crafted.TIME |
                       crafted.CALLCHAIN | crafted.BRANCH_STACK)
    file.comm(7, "work")
    add_mappings(file, "/usr/bin/nothere")
    inside, kernel_mark = 0xffffffff81000010, (1 << 64) - 128
    branches = [(MISSING + 0x20, MISSING + 0x100, {}), (MISSING + 0x30, MISSING + 0x10, {})]
    for i, told in enumerate(([MISSING + 0x123, 1234], [])):
        file.sample(event, misc=crafted.KERNEL_MODE, ip=inside - 4, pid=7, tid=7, time=1000 + i, branches=branches,
                    callchain=[kernel_mark, inside, USER_MARK] + told)
    file.sample(event, misc=crafted.KERNEL_MODE, ip=inside, pid=7, tid=7, time=2000, branches=branches, callchain=[USER_MARK])
    file.write("x.data")
    expected = [[inside, MISSING + entry, MISSING + 0x20, MISSING + 0x30] for entry in (0x123, 0x100, 0x100)]
    equal(printed_stacks(), [["%x" % addr for addr in stack] for stack in expected])


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
