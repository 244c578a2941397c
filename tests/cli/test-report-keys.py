"""report: sort keys, on files laid by hand, since few machines record what they are about."""
import json
import random
import re

import crafted
from crafted import Crafted
from tap import (case, check, compile_c, contains, equal, lacks, main, need_program, perf, run, same_text, strobe)

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

BRANCH_STACK_FEATURE = 15
TEXT, ANON, MISSING = 0x401000, 0x7f1000000000, 0x7f0000000000
USER_MARK = (1 << 64) - 512


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def report(*args):
    return strobe("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", *args).ok().out


def same(*args):
    """strobe's report is perf's."""
    theirs = perf("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "--no-inline", *args).ok().out
    same_text(without_tip(report(*args)), without_tip(theirs), expected_name="perf " + " ".join(args))


def program():
    """Its code begins with work(), at TEXT and 0x1000 in the file."""
    return compile_c(PROGRAM, flags=("-O1", "-g", "-no-pie", "-nostartfiles", "-Wl,-e,main", "-Wl,-Ttext=0x401000"))


def add_mappings(file, path):
    for pid, name in ((7, "work"), (8, "other")):
        file.comm(pid, name)
        file.mmap2(pid, TEXT, 0x1000, path, pgoff=0x1000)
        file.mmap2(pid, MISSING, 0x10000, "/usr/lib/nothere.so")
        file.mmap2(pid, ANON, 0x10000, "//anon", inode=0)


def memory():
    """Loads and stores with all that a sample may tell of them."""
    pick = random.Random(1).choice
    file = Crafted()
    event = file.event(ids=[100], type=4, config=0x1cd, sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.CPU |
                       crafted.ADDR | crafted.PERIOD | crafted.WEIGHT_STRUCT | crafted.DATA_SRC | crafted.TRANSACTION |
                       crafted.PHYS_ADDR | crafted.CGROUP | crafted.DATA_PAGE_SIZE | crafted.CODE_PAGE_SIZE)
    sources = [0x68100142, 0x68100242, 0x1068100842, 0x2068104142, 0, 0x68100144, 0x168100442, 0x20ef081222, 0x6800a81042,
               1 << 40 | 0x29081242]
    add_mappings(file, program())
    for i in range(60):
        file.sample(event, ip=pick([TEXT, TEXT + 0x13, MISSING + 0x123, MISSING + 0x456]), pid=7 + i % 2, tid=7 + i % 2,
                    time=1000 + i, cpu=pick([0, 1, 5]), period=pick([10, 20, 300]),
                    addr=pick([ANON + 0x60, MISSING + 0x123, 0x7ffe00001234, 0x7ffe00001244]),
                    weight=(pick([0, 1, 5, 30, 100]), pick([0, 7, 9]), pick([0, 2, 40])), data_src=pick(sources),
                    transaction=pick([0, 1, 3, 0x51, 6, 0x300000008, 0x80, 0x78]), phys_addr=pick([0, 0x1234000, 0x99]),
                    data_page_size=pick([0, 4096, 2 << 20, 1 << 30]), code_page_size=pick([0, 4096, 2 << 20]))
    file.write("x.data")


@case
def keys_of_what_was_measured_are_as_in_perf():
    memory()
    for key in ("weight,local_weight", "ins_lat,local_ins_lat", "p_stage_cyc,local_p_stage_cyc", "local_retire_lat",
                "retire_lat,p_stage_cyc", "transaction", "code_page_size", "socket", "cgroup", "addr", "comm,weight"):
        same("-s", key)


@case
def namespaces_of_control_groups_are_those_of_the_time_as_in_perf():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME)
    links = [(3, 100 + i) for i in range(6)]
    for pid, name in ((7, "seven"), (8, "eight"), (9, "none")):
        file.comm(pid, name)
    file.namespaces(7, links + [(3, 0xeffffffb)], time=10)
    file.namespaces(8, links + [(3, 5)], time=10)
    file.sample(event, ip=1, pid=7, tid=7, time=5)
    for i, pid in enumerate((7, 8, 9, 7)):
        file.sample(event, ip=1, pid=pid, tid=pid, time=20 + i)
    file.namespaces(7, links + [(4, 0x77)], time=30)
    file.sample(event, ip=1, pid=7, tid=7, time=40)
    file.write("x.data")
    for key in ("cgroup_id", "cgroup_id,comm", "comm,cgroup_id"):
        same("-s", key)
    rows = json.loads(report("-s", "comm,cgroup_id", "--format", "json"))["events"][0]["rows"]
    equal(sorted(str(row["cgroup_id"]) for row in rows if row["comm"] == "seven"),
          ["None", "{'dev': 3, 'inode': 4026531835}", "{'dev': 4, 'inode': 119}"])
    file.namespaces(9, links, time=15)  # of a kernel that has none of control groups
    file.write("x.data")
    contains(report("-s", "comm,cgroup_id", "-c", "none"), "0/0x0")


@case
def counts_of_threads_are_as_in_perf():
    file = Crafted()
    more = {"read_format": crafted.READ_ID | crafted.TOTAL_TIME_ENABLED, "flags": ["inherit_stat"],
            "sample_type": crafted.IDENTIFIER | crafted.IP | crafted.TID | crafted.TIME}
    events = [file.event(ids=[100, 101], type=1, config=1, **more), file.event(ids=[102], type=1, config=2, **more)]
    file.comm(7, "seven")
    file.sample(events[0], id=100, ip=1, pid=7, tid=7, time=1)
    for tid, id, value, time in ((9, 100, 12345678901234, 50), (7, 100, 5, 30), (7, 101, 6, 40), (7, 102, 2, 60)):
        file.kernel_record(crafted.READ_RECORD, file.pack("II", 7, tid) + file.words(value, 1, id), pid=7, tid=tid, id=id,
                           time=time)
    file.write("x.data")
    same("-T", "-s", "comm")
    same("-T", "-q", "-s", "comm")
    equal(report("-T", "-q", "--pretty", "raw").splitlines()[-4:],
          ["    7    7   task-clock    0              11", "    7    7  page-faults    1               2",
           "    7    9   task-clock    0  12345678901234", "    7    9  page-faults    1               0"])
    file.records = file.records[:2]
    file.write("x.data")
    said = "strobe report: no thread said what it counted\n  hint: "
    contains(strobe("report", "-i", "x.data", "-T").ok().err, said + "threads that what is recorded starts do so: record without -a")
    for flags, hint in (([], "record with -s\n"), (["inherit_stat", "inherit"], "threads that what is recorded starts do so, when they end")):
        file = Crafted()
        file.event(ids=[100], type=1, config=1, **dict(more, flags=flags))
        file.comm(7, "seven")
        file.sample(file.events[0], id=100, ip=1, pid=7, tid=7, time=1)
        file.write("y.data")
        contains(strobe("report", "-i", "y.data", "-T").ok().err, said + hint)
    equal(strobe("report", "-i", "x.data", "-T", "--pretty", "nice").code, 2)


@case
def keys_and_options_that_only_perf_has_say_why():
    memory()
    for words, why in ((("-F", "comm,simd"), "does not decode"),):
        result = strobe("report", "-i", "x.data", *words)
        equal(result.code, 2)
        contains(result.err, why)
    result = strobe("script", "-i", "x.data", "--unwind-style", "libdw")
    equal(result.code, 2)


@case
def cgroups_of_equal_weight_stand_in_the_order_of_perf():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.CGROUP)
    for id, path in ((9, "/a"), (5, "/z"), (1, "/"), (6, "/b c")):
        file.cgroup(id, path)
    for i, id in enumerate((5, 9, 1, 6, 5, 0, 7)):
        file.sample(event, ip=1, pid=7, tid=7, time=1 + i, cgroup=id)
    file.write("x.data")
    same("-s", "cgroup")
    same("-s", "comm,cgroup", "-n")


@case
def a_socket_is_chosen_as_in_perf():
    memory()
    same("--socket-filter", "0")
    same("--socket-filter", "1", "-s", "comm")
    result = strobe("report", "-i", "x.data", "--socket-filter", "a")
    equal(result.code, 2)


@case
def a_row_says_what_its_earliest_sample_says_wherever_that_stands_in_the_file():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME)
    for pid, time in ((8, 20), (7, 10)):
        file.comm(pid, "sh", time=1)
        file.sample(event, ip=1, pid=pid, tid=pid, time=time)
    file.comm(8, "cc-with-long-name", time=30)
    file.write("x.data")
    # The column is as wide as the last name of the thread of the earliest sample.
    contains(report("-s", "comm,sym"), "   100.00%  sh       [.] ")
    same("-s", "comm,sym")


@case
def weights_count_once_for_each_sample_of_a_row():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.WEIGHT)
    for i in range(4):
        file.sample(event, ip=1, pid=7, tid=7, time=1 + i, weight=30)
    file.write("x.data")
    contains(report("-s", "weight,local_weight"), "   100.00%  120           30          \n")


def some_branches(counts):
    """A sample for each of @counts: cycles of its branches, the newest first."""
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.BRANCH_STACK,
                       branch_sample_type=crafted.BRANCH_ANY)
    file.comm(7, "work")
    for i, cycles in enumerate(counts):
        file.sample(event, ip=1, pid=7, tid=7, time=1 + i,
                    branches=[(0x1000 + at, 0x2000 + at, {"cycles": number}) for at, number in enumerate(cycles)])
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")


@case
def branches_weigh_what_they_cost():
    some_branches([[0], [5], [5], [300]])  # of several, perf takes the newest one's weight for all
    for args in (("-s", "local_weight"), ("-s", "weight,local_weight"), ("-F", "overhead,weight1,comm")):
        same("-b", *args)
    some_branches([[4, 9, 9]])
    rows = report("-b", "-s", "weight,local_weight", "-q").split()
    equal(rows, ["66.67%", "18", "9", "33.33%", "4", "4"])


@case
def a_branch_leads_where_it_leads_whatever_the_sample_was_in():
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY, sample_type=crafted.IP | crafted.TID |
                       crafted.TIME | crafted.BRANCH_STACK)
    file.comm(7, "work")
    add_mappings(file, "/usr/bin/nothere")
    inside = 0xffffffff81000010
    for i, mode in enumerate((crafted.KERNEL_MODE, crafted.USER_MODE)):
        file.sample(event, misc=mode, ip=inside if i == 0 else TEXT, pid=7, tid=7, time=1000 + i,
                    branches=[(TEXT + 0x10, TEXT + 0x20, {}), (TEXT + 0x14, TEXT + 0x24, {})])
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")
    for keys in ("dso", "dso,sym", "dso_from,dso_to"):
        same("-b", "-s", keys)


@case
def branches_that_a_filter_hides_are_a_part_of_the_whole():
    many_branches()
    for args in (("--comms", "work"), ("--comms", "other"), ("--dsos", "nothere"), ("--pid", "8"), ("-S", "main")):
        same("-b", "-s", "dso_from", *args)


@case
def there_is_no_parent_without_call_chains():
    many_branches()
    for args in (("-s", "parent"), ("-F", "overhead,parent")):
        result = strobe("report", "-i", "x.data", "--stdio", *args)
        equal(result.code, 1)
        contains(result.err, "no call chains to look for the parent in\n  hint: record with -g\n")


@case
def nothing_is_added_up_for_callers_without_children():
    memory()
    for args in (("-F", "overhead,overhead_children,comm"), ("-F", "overhead,overhead_children,comm", "-t", ","),
                 ("-F", "comm,overhead_children")):
        same("--no-children", *args)


@case
def rows_without_callers_are_not_ordered_by_what_they_called():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.PERIOD | crafted.CALLCHAIN)
    file.comm(7, "work")
    add_mappings(file, "/usr/bin/nothere")
    for i in range(12):
        file.sample(event, ip=TEXT + i, pid=7, tid=7, time=1 + i, period=100 + i * 7 % 12, callchain=[USER_MARK, TEXT + i])
    file.write("x.data")
    for args in (("-F", "overhead_children,sym"), ("-s", "overhead_children,sym"), ("-F", "overhead_children,overhead,sym")):
        same("--no-children", *args)


@case
def keys_of_code_are_as_in_perf():
    memory()
    for key in ("symoff", "srcline", "srcfile", "sym,srcline", "dso,symoff"):
        same("-s", key)
    same("-s", "srcline", "--full-source-path")


@case
def source_lines_are_those_of_the_program():
    memory()
    out = report("-s", "srcline,srcfile,sym", "-S", "work")
    contains(out, "victim.c:")
    lacks(out, "/victim.c")
    contains(report("-s", "srcfile", "--full-source-path"), "/victim.c")
    contains(report("-s", "srcline"), "nothere.so[456]")


@case
def accesses_to_memory_are_shown_as_in_perf():
    memory()
    same("--mem-mode")
    same("--mem-mode", "-n", "-F", "overhead,symbol_daddr")
    for key in ("symbol_daddr", "dso_daddr", "locked", "tlb", "snoop", "symbol_iaddr", "phys_daddr", "data_page_size",
                "blocked", "pid,dcacheline", "sym,dso_daddr", "mem"):
        same("--mem-mode", "-s", key)


@case
def weights_are_averages_as_in_perf():
    memory()
    for args in (("-F", "overhead,weight1,weight2,weight3,sym"), ("-s", "weight1,sym", "-n"), ("-F", "comm,weight"),
                 ("-F", "overhead,weight1,comm", "-t", ","), ("-F", "+ins_lat,retire_lat", "-s", "sym")):
        same(*args)


@case
def overheads_stand_first_wherever_they_are_sorted_by_as_in_perf():
    memory()
    for key in ("comm,overhead", "overhead_us,comm", "overhead_us,comm,overhead", "comm,sample"):
        same("-s", key, "-n")


@case
def what_accesses_met_stands_side_by_side_as_in_perf():
    memory()
    for args in (("-F", "overhead,op,cache,memory,snoop,dtlb,sym"), ("-F", "op,overhead,comm", "-n"),
                 ("-F", "overhead,op,comm", "-t", ","), ("-H", "-F", "overhead,op,comm,sym"),
                 ("-F", "overhead,op,comm", "-w", "9,3,20"), ("-F", "+weight1,dtlb", "-s", "comm,sym"),
                 ("-F", "overhead,dtlb,comm", "--comms", "work")):
        same("--mem-mode", *args)


@case
def what_accesses_met_is_nothing_to_sort_by():
    memory()
    for args, hint in (((), "add --mem-mode"), (("--mem-mode",), "-F +op adds them")):
        result = strobe("report", "-i", "x.data", "-s", "op", *args)
        equal(result.code, 2)
        contains(result.err, hint)


@case
def each_value_of_a_data_source_is_of_the_class_that_perf_has():
    for shift, bits, field in ((0, 5, "op"), (33, 4, "cache"), (33, 4, "memory"), (19, 5, "snoop"), (26, 7, "dtlb")):
        file = Crafted()
        event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.DATA_SRC)
        for value in range(1 << bits):
            file.comm(10 + value, "v%d" % value)
            file.sample(event, ip=1, pid=10 + value, tid=10 + value, time=1 + value, data_src=value << shift)
        file.write("x.data")
        same("--mem-mode", "-F", "overhead,%s,comm" % field)


@case
def json_has_averages_and_what_accesses_met():
    memory()
    fields = "weight1,op,dtlb,comm"
    row = json.loads(report("--mem-mode", "-F", fields, "--comms", "work", "--format", "json"))["events"][0]["rows"][0]
    equal(sorted(key for key in row if key.endswith("_percent")), ["dtlb_percent", "op_percent"])
    equal(round(sum(row["op_percent"].values()), 6), round(row["percent"], 6))
    check(row["weight1"] > 0)


@case
def a_level_that_only_newer_bits_tell_is_told_apart():
    file = Crafted()
    event = file.event(ids=[100], sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.DATA_SRC)
    for i in range(3):
        file.sample(event, ip=1, pid=7, tid=7, time=1 + i, data_src=(i + 1) << 33)
    file.write("x.data")
    out = report("--mem-mode", "-s", "mem")
    for level in ("L1 ", "L2 ", "L3 "):
        contains(out, "33.33%  " + level)


@case
def keys_of_memory_need_its_mode():
    memory()
    result = strobe("report", "-i", "x.data", "-s", "mem")
    equal(result.code, 2)
    contains(result.err, "add --mem-mode")
    file = Crafted()
    event = file.event(ids=[100])
    file.sample(event, ip=1, pid=7, tid=7, time=1)
    file.write("x.data")
    result = strobe("report", "-i", "x.data", "--mem-mode")
    check(result.code != 0)
    contains(result.err, "no accesses to memory")


def branches(count):
    pick = random.Random(4).choice
    places = [TEXT, TEXT + 0x13, MISSING + 0x123, MISSING + 0x456]
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY, sample_type=crafted.IP | crafted.TID |
                       crafted.TIME | crafted.PERIOD | crafted.BRANCH_STACK)

    def any_branch():
        mispredicted = pick([0, 1])
        return (pick(places), pick(places), {"mispred": mispredicted, "predicted": 1 - mispredicted, "in_tx": pick([0, 1]),
                                             "abort": pick([0, 1]), "cycles": pick([0, 3, 700])})
    add_mappings(file, program())
    for i in range(40):
        file.sample(event, ip=pick(places), pid=7, tid=7, time=1000 + i, period=10,
                    branches=[any_branch() for _ in range(i % count)])
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")


@case
def branches_are_shown_as_in_perf():
    branches(4)
    for key in ("mispredict", "cycles", "srcline_from", "srcline_to", "addr_from", "addr_to",
                "addr_from,addr_to", "dso_from,dso_to", "dso,sym", "sym"):
        same("-s", key)
    same("--no-branch-stack")
    contains(report("-s", "in_tx,abort"), "T                      A")


def cycles(*args):
    """--total-cycles, without the average's share, in which perf counts blocks more than once."""
    def without_share(text):
        return re.sub(r"(?m)^( +[0-9.]+%  +[0-9.KM]+) +[0-9.]+%", r"\1", without_tip(text))
    theirs = perf("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "--total-cycles", *args).ok().out
    same_text(without_share(report("--total-cycles", *args)), without_share(theirs), expected_name="perf --total-cycles")


def many_branches(mask=crafted.BRANCH_ANY, events=1):
    """Branches between any bytes of the program's functions."""
    pick = random.Random(9).choice
    file = Crafted()
    for i in range(events):
        file.event(ids=[100 + i], type=0, config=i, branch_sample_type=mask, sample_type=crafted.IDENTIFIER | crafted.IP |
                   crafted.TID | crafted.TIME | crafted.PERIOD | crafted.BRANCH_STACK)
    add_mappings(file, program())
    places = list(range(TEXT, TEXT + 0x40, 3)) + [MISSING + 0x123]
    for i in range(80):
        stack = [(pick(places), pick(places), {"cycles": pick([0, 3, 8, 70, 700, 12])}) for _ in range(i % 6)]
        file.sample(file.events[i % events], id=100 + i % events, ip=TEXT, pid=7, tid=7, time=1000 + i, period=10, branches=stack)
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")
    return file


@case
def cycles_of_code_are_as_in_perf():
    many_branches()
    cycles()
    cycles("--full-source-path")
    shares = [float(line.split("%")[0]) for line in report("--total-cycles", "--percent-limit", "4", "-q").splitlines() if line]
    check(len(shares) > 3 and min(shares) >= 4)
    many_branches(mask=1 << 4)  # calls only: code between two of them did not run straight
    cycles()


@case
def each_event_has_the_cycles_of_its_own_branches():
    file = many_branches(events=2)
    tables = json.loads(report("--total-cycles", "--format", "json"))["events"]
    check(tables[0]["cycles"] != tables[1]["cycles"])
    for table in tables:
        check(len(table["blocks"]) > 3)
        check(abs(sum(block["average_percent"] for block in table["blocks"]) - 100) < 1e-6)
        check(sum(block["cycles"] for block in table["blocks"]) <= table["cycles"])
        for block in table["blocks"]:
            check(block["begin"]["offset"] <= block["end"]["offset"])
    file.write("piped.data", pipe=True)
    piped = strobe("report", "-i", "-", "--kallsyms=/dev/null", "--total-cycles", "-q", stdin=open("piped.data", "rb").read())
    equal(piped.ok().out, report("--total-cycles", "-q"))


@case
def instructions_per_cycle_are_those_of_the_code():
    file = Crafted()
    event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY, sample_type=crafted.IP | crafted.TID |
                       crafted.TIME | crafted.PERIOD | crafted.BRANCH_STACK)
    add_mappings(file, program())
    code = run(need_program("objdump"), "-d", "--disassemble=work", "victim").ok().out
    insns = [int(line.split(":")[0], 16) for line in code.splitlines() if re.match(r" +[0-9a-f]+:\t", line)]
    # Twice through the first five instructions, and once through two in the middle of them.
    blocks = [(0, 4, 10), (0, 4, 30), (1, 2, 4)]
    for begin, end, spent in blocks:
        file.sample(event, ip=TEXT, pid=7, tid=7, time=1000, period=10, branches=[
            (insns[end], insns[0], {"cycles": spent}), (MISSING, insns[begin], {"cycles": 0})])
    file.feature(BRANCH_STACK_FEATURE)
    file.write("x.data")
    wanted = "%-5.2f [%5.1f%%]" % ((5 + 5 + 2) / 44, 100 * 5 / len(insns))
    contains(report("-s", "symbol_to"), "[.] work       " + wanted)
    contains(report("-s", "dso_to,ipc_lbr"), "  victim                " + wanted)
    row = json.loads(report("-s", "ipc_lbr", "--format", "json"))["events"][0]["rows"][0]
    equal(round(row["ipc_lbr"]["insns_per_cycle"], 6), round(12 / 44, 6))
    theirs = perf("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "-s", "symbol_to").ok().out
    contains(theirs, "[.] work       %-5.2f" % (12 / 44))
    stream = open(file.write("piped.data", pipe=True), "rb").read()
    contains(strobe("report", "-i", "-", "-s", "symbol_to", "-b", stdin=stream).ok().out, "work       -")
    result = strobe("report", "-i", "-", "-s", "ipc_lbr", "-b", stdin=stream)
    equal(result.code, 2)
    contains(result.err, "not as they come")


@case
def an_empty_table_of_blocks_says_why():
    for places, cycles, said in (([MISSING + 0x123, MISSING + 0x456], 3, "is in a function that has a name here"),
                                 ([TEXT, TEXT + 0x13], 0, "does not tell how many cycles branches took")):
        file = Crafted()
        event = file.event(ids=[100], type=0, branch_sample_type=crafted.BRANCH_ANY,
                           sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.PERIOD | crafted.BRANCH_STACK)
        add_mappings(file, program())
        file.sample(event, ip=places[0], pid=7, tid=7, time=1000, period=10,
                    branches=[(places[1], places[0], {"predicted": 1, "cycles": cycles})] * 2)
        file.feature(BRANCH_STACK_FEATURE)
        file.write("x.data")
        contains(strobe("report", "-i", "x.data", "--kallsyms=/dev/null", "--total-cycles").ok().err, said)


@case
def cycles_need_branches():
    memory()
    result = strobe("report", "-i", "x.data", "--total-cycles")
    equal(result.code, 1)
    contains(result.err, "record with -b")


@case
def samples_without_branches_do_not_count_where_branches_do():
    branches(4)
    contains(report("-s", "dso_from"), "# Samples: 30  of event 'cycles'")
    contains(report("--no-branch-stack"), "# Samples: 40  of event 'cycles'")


main()
