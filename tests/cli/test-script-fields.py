"""script: fields that few machines record, of files that are laid by hand, as perf prints them."""
import json
import os
import struct

import recordings
from crafted import *
from tap import (case, check, compile_c, contains, equal, golden, main, need_program, perf, perf_path, perf_version, run, same_text,
                 skip, strobe)

HOT = 0x400159 # in tests/recordings/symfs/tmp/victim/shares: a loop from 0x40016a to 0x400182
JUMP, LOOP = 0x400182, 0x40016b
KERNEL = 0xffffffff81000000
NOBODY = 2 ** 32 - 1
GROUP_DESC, CPU_PMU_CAPS = 17, 28


def craft(name, samples, sample_type=0, features=None, **attr):
    """A process 5 that runs "shares". samples: what each has, beside pid, tid, cpu and a time of its own."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CPU | sample_type, **attr)
    file.comm(5, "shares")
    file.mmap2(NOBODY, KERNEL, 0x1276f48, "[kernel.kallsyms]_text", pgoff=KERNEL, misc=KERNEL_MODE)
    file.mmap2(5, 0x400000, 0x1000, "/tmp/victim/shares")
    for i, sample in enumerate(samples):
        file.sample(event, pid=5, tid=5, cpu=1, time=10 ** 9 + 1000 * i, **sample)
    file.feature(ARCH, file.text("x86_64"))
    for bit, body in (features or {}).items():
        file.feature(bit, body)
    file.write(name + ".data")


def branches():
    flags = [{"type": i, "predicted": 1, "priv": i % 8} for i in range(16)]
    flags += [{"type": 15, "new_type": i, "spec": i % 4, "cycles": 9000 * i} for i in range(8)]
    flags += [{"mispred": i & 1, "predicted": i >> 1 & 1, "in_tx": i >> 2 & 1, "abort": i >> 3 & 1} for i in range(16)]
    flags += [{"predicted": 1, "not_taken": 1}]
    far = [(JUMP, KERNEL + 0x1266ec8, {}), (KERNEL + 0x1266ec9, LOOP, {}), (0x1234, 0x7f1234567, {}), (0, 0, {})]
    craft("branches", [{"ip": HOT + 0x26, "branches": [(JUMP, LOOP, each)]} for each in flags] +
          [{"ip": HOT, "branches": far}], BRANCH_STACK, type=0, branch_sample_type=BRANCH_ANY, sample_period=1000)


def accesses():
    """Every bit of data_src alone, and levels that were hit or missed; the longest text so far decides on the width."""
    hit, miss, first_level = 1 << 6, 1 << 7, 1 << 8
    values = [1 << bit for bit in range(64)]
    values += [first_level | hit, first_level | miss, first_level | hit | miss, 0x500 | hit, 1 << 5 | hit | first_level]
    values += [number << 33 | hit for number in range(16)] + [number << 33 | 1 << 37 | miss for number in range(16)]
    values += [hops << 43 | 11 << 33 | 1 << 37 | hit for hops in range(5)]
    values += [set_bits << 19 for set_bits in range(32)] + [set_bits << 26 for set_bits in range(127)] # perf cuts 127 off
    values += [set_bits << 24 for set_bits in range(4)] + [set_bits << 40 for set_bits in range(8)]
    craft("accesses", [{"ip": HOT, "data_src": value, "weight": (i, i + 1, i + 2)} for i, value in enumerate(values)],
          DATA_SRC | WEIGHT_STRUCT)


def code():
    """Stacks of one to three branches between instructions, as they may be, and as no code can have run."""
    starts = [0x400144, HOT, LOOP - 1, 0x400171, JUMP, 0x400184, 0x400185]
    kinds = [{"predicted": 1, "cycles": 5}, {"mispred": 1}, {"in_tx": 1, "abort": 1, "cycles": 700}]
    samples = []
    for i, first in enumerate(starts):
        for second in starts:
            stack = [(first, second, kinds[i % 3]), (second, HOT, kinds[(i + 1) % 3]), (0x400240, LOOP - 1, kinds[0])]
            samples += [{"ip": 0x400171, "branches": stack[:1 + len(samples) % 3]}]
    odd = [(LOOP, LOOP, {}), (JUMP, KERNEL + 0x100, {}), (KERNEL + 0x200, HOT, {}), (0x1234, 0x1234, {}), (0, 0, {})]
    samples += [{"ip": ip, "branches": odd[i:i + 3]} for i in range(len(odd)) for ip in (0x400171, HOT, KERNEL + 0x300)]
    craft("code", samples, BRANCH_STACK, type=0, branch_sample_type=BRANCH_ANY, sample_period=1000)


def traced():
    """Every branch, as "branches" with a period of 1 has them: ip and addr are its ends."""
    ends = [(JUMP, LOOP - 1), (0x400240, HOT), (0x400184, 0x1234)]
    craft("traced", [{"ip": origin, "addr": target, "callchain": [2 ** 64 - 512, origin, 0x400245]} for origin, target in ends],
          ADDR | CALLCHAIN, type=0, config=4)


def clock():
    """Recorded with -k monotonic, when that clock showed 1 s and the wall 2020-01-01 00:00."""
    clocks = struct.pack("<IIQQ", 1, 1, recordings.CAPTURED_ON * 10 ** 9, 10 ** 9)
    craft("clock", [{"ip": HOT}] * 3, features={CLOCK_DATA: clocks})



FILES = {"accesses": accesses, "branches": branches, "clock": clock,
         "code": code, "traced": traced}

# file: fields
SHOWN = [
    ("traced", "+flags"), ("traced", "ip,sym,addr,srcline,insn"), ("traced", "comm,event,addr"), ("traced", "ip,dso"),
    ("code", "ip,insn"), ("code", "comm,insnlen,insn"), ("code", "ip,sym,brstackinsn"), ("code", "ip,brstackinsnlen,insn"),
    ("clock", "comm,tod,time,ip"), ("accesses", "ip,data_src"), ("accesses", "ip,data_src,weight,ins_lat,retire_lat"),
    ("branches", "ip,brstack"), ("branches", "ip,brstacksym"), ("branches", "ip,brstackoff"),
    ("branches", "ip,sym,dso,brstack"), ("branches", "ip,sym,dso,dsoff,brstacksym"), ("branches", "ip,sym,dso,brstackoff"),
]


def need_disassembler():
    if "built without" in strobe("script", "-F", "insn", "-i", recordings.data("flat")).err:
        skip("strobe was built without a disassembler")


def printed(program, name, fields):
    if "insn" in fields:
        need_disassembler()
    FILES[name]()
    return program("script", "-f", *recordings.NAMES, "-F", fields, "-i", name + ".data", env=recordings.ENVIRONMENT).ok().out


def add_cases(name, fields):
    def is_golden():
        golden(printed(strobe, name, fields), "script/%s.%s.txt" % (name, fields.replace(",", "-")))
    def is_perfs():
        same_text(printed(strobe, name, fields), printed(perf, name, fields), expected_name="perf")
    what = "%s_of_%s" % (fields.replace(",", "_"), name)
    is_golden.__name__ = what + "_are_as_they_were"
    is_perfs.__name__ = what + "_are_as_perf_prints_them"
    case(is_golden)
    case(is_perfs)


# Lines 3 and 4 are the loop.
PROGRAM = """volatile long sink;
int main(void) {
	for (long i = 0; i < 1000; i++)
		sink += i;
	return 0;
}
"""


def lines():
    """Samples all over a program with source lines, and a branch in it."""
    path = compile_c(PROGRAM, "lines", ("-g", "-O0", "-no-pie"))
    start = next(int(line.split()[0], 16) for line in run(need_program("nm"), path).out.splitlines() if line.endswith(" T main"))
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | BRANCH_STACK, type=0, branch_sample_type=BRANCH_ANY)
    file.comm(5, "lines")
    file.mmap2(5, start & ~0xfff, 0x1000, path, pgoff=(start & ~0xfff) - 0x400000)
    for i in range(50): # less than main has
        file.sample(event, ip=start + i, pid=5, tid=5 + i % 2, time=10 ** 9 + i, branches=[(start + 1, start, {})] * 2)
    file.feature(ARCH, file.text("x86_64"))
    file.write("lines.data")


def printed_lines(program, *words):
    return program("script", "-f", "--no-inline", "-i", "lines.data", *words).ok().out


@case
def places_have_source_lines():
    lines()
    out = printed_lines(strobe, "-F", "ip,sym,srcline")
    for line in (3, 4):
        contains(out, " main\n  lines.c:%d\n" % line)
    contains(printed_lines(strobe, "-F", "ip,srcline", "--full-source-path"), "\n  %s:4\n" % os.path.realpath("lines.c"))


@case
def source_code_is_shown_where_the_line_is_another():
    lines()
    out = printed_lines(strobe, "-F", "ip,srccode", "--tid", "5")
    contains(out, "\n|4        \t\tsink += i;\n")
    shown = [line for line in out.splitlines() if line.startswith("|")]
    check(len(shown) > 3, out)
    check(all(line != next_one for line, next_one in zip(shown, shown[1:])), out)


@case
def source_lines_need_the_address():
    result = strobe("script", "-F", "comm,srcline", "-i", recordings.data("flat"))
    equal(result.code, 2)
    contains(result.err, "want the field 'ip' too")


@case
def fields_that_are_added_one_by_one_are_taken_and_refused_as_by_perf():
    taken = {}
    for name in ("flat", "new-tracepoints"):
        path = recordings.data(name)
        for field in ("comm tid pid time cpu event trace ip sym dso dsoff addr symoff period iregs uregs weight bpf-output "
                      "phys_addr misc data_page_size code_page_size ins_lat cgroup retire_lat data_src tod srcline srccode "
                      "flags synth ipc machine_pid vcpu callindent").split():
            command = ["script", "-f", *recordings.NAMES, "-i", path, "-F", "+" + field]
            ours, theirs = strobe(*command), perf(*command)
            equal(ours.code == 0, theirs.code == 0, name + " +" + field)
            same_text(ours.out, theirs.out, expected_name="perf with %s +%s" % (name, field))
            taken[name, field] = ours.code == 0
    equal([taken["flat", "symoff"], taken["new-tracepoints", "symoff"]], [True, False])


@case
def fields_that_bring_others_or_need_counters_are_as_in_perf():
    for name in ("flat", "new-tracepoints"):
        for fields in ("ip,dsoff", "comm,ip,sym,dsoff"):
            args = ["script", "-f", *recordings.NAMES, "-i", recordings.data(name), "-F", fields]
            same_text(strobe(*args).ok().out, perf(*args).ok().out, expected_name="perf with %s %s" % (name, fields))
    branches()
    for fields in ("ip,brstack,brcntr", "+brcntr"):
        result = strobe("script", "-i", "branches.data", "-F", fields)
        equal([result.code, perf("script", "-i", "branches.data", "-F", fields).code != 0], [2, True])
        contains(result.err, "-j any,counter")


@case
def symbols_of_code_that_is_written_to_are_shown_with_it():
    file = Crafted()
    file.event(ids=[100], sample_type=IP | TID | TIME | CPU)
    file.ksymbol(0xffffffffc0000000, 64, "bpf_prog_1", time=1000)
    file.write("x.data")
    for option in ("--show-text-poke-events", "--show-bpf-events"):
        args = ["script", "-f", "-i", "x.data", option]
        theirs = perf(*args).ok().out
        contains(theirs, "PERF_RECORD_KSYMBOL")
        same_text(strobe(*args).ok().out, theirs, expected_name="perf with " + option)


@case
def source_lines_and_code_are_as_perf_prints_them():
    lines()
    for words in (["-F", "ip,sym,srcline"], ["-F", "ip,srcline", "--full-source-path"], ["-F", "ip,dso,srccode"],
                  ["-F", "ip,srcline,srccode"]):
        same_text(printed_lines(strobe, *words), printed_lines(perf, *words), expected_name="perf")


@case
def instructions_have_source_lines_as_in_perf():
    need_disassembler()
    lines()
    for words in (["-F", "ip,insn,srcline"], ["-F", "ip,brstackinsn,srcline"], ["-F", "ip,brstackinsnlen,srcline,srccode"]):
        same_text(printed_lines(strobe, *words), printed_lines(perf, *words), expected_name="perf")


for file_name, shown in SHOWN:
    add_cases(file_name, shown)

def grouped(names, configs, readings, types=None):
    """A group whose leader's samples read all."""
    file = Crafted()
    form = READ_GROUP | READ_ID | TOTAL_TIME_ENABLED | TOTAL_TIME_RUNNING
    events = [file.event(ids=[100 + i], type=(types or [0] * len(names))[i], config=config, read_format=form,
                         sample_period=0 if i else 1000, sample_type=IDENTIFIER | IP | TID | TIME | CPU | PERIOD | READ)
              for i, config in enumerate(configs)]
    file.comm(5, "shares")
    for i, values in enumerate(readings):
        file.sample(events[0], id=100, ip=HOT, pid=5, tid=5, cpu=1, time=10 ** 9 + 1000 * i, period=1000, enabled=i, running=i,
                    read=[(value, 100 + k) for k, value in enumerate(values)])
    body = file.pack("II", len(names), 128)
    for event, name in zip(events, names):
        body += event.pack() + file.pack("I", 1) + file.text(name) + file.words(*event.ids)
    file.feature(EVENT_DESC, body)
    file.feature(GROUP_DESC, file.pack("I", 1) + file.text("group") + file.pack("II", 0, len(names)))
    file.write("x.data")
    return file


def metric_lines(*args, stdin=b""):
    source = "-" if stdin else "x.data"
    out = strobe("script", "-i", source, "--kallsyms=/dev/null", "-F", "comm,tid,cpu,time,period,event,metric", *args, stdin=stdin)
    return out.ok().lines()


@case
def metrics_stand_below_the_group_that_they_are_of():
    grouped(["cycles", "instructions"], [0, 1], [(1000, 500), (2000, 1700), (2000, 1700), (3000, 1700)])
    lines = metric_lines()
    start = "          shares       5 [001]     1.00000%d: "
    equal([line for line in lines if "metric" in line],
          [start % i + "\tmetric:    %.2f  insn per cycle" % value for i, value in ((0, 0.5), (1, 1.2), (3, 0))])
    equal([i for i, line in enumerate(lines) if "metric" in line], [2, 5, 7])
    if perf_version(perf_path()) >= 7:
        check(perf("script", "-i", "x.data", "-F", "ip,metric").code != 0, "perf knows metrics again: compare")
    with open("x.data", "rb") as file:
        equal(metric_lines(stdin=file.read()), lines)
    rows = [json.loads(line) for line in metric_lines("--format", "json")]
    equal([row["metrics"] for row in rows if "metrics" in row][1], [{"event": "instructions", "name": "insn per cycle", "value": 1.2}])


@case
def a_metric_is_of_the_counts_of_one_reading():
    grouped(["task-clock", "cycles", "page-faults", "branches", "branch-misses"], [1, 0, 2, 4, 5],
            [(10 ** 6, 5 * 10 ** 5, 10, 100, 5), (2 * 10 ** 6, 17 * 10 ** 5, 30, 300, 35)], types=[1, 0, 1, 0, 0])
    equal([line.split("metric:")[1].split() for line in metric_lines() if "metric" in line],
          [text.split() for text in ("0.500 GHz", "10.000 K/sec", "100.000 K/sec", "5.00% of all branches",
                                     "1.200 GHz", "20.000 K/sec", "200.000 K/sec", "15.00% of all branches")])


def counted_branches(width):
    """Two groups; the second event of the first is not counted for branches."""
    file = Crafted()
    names = ["cycles", "instructions", "cache-misses", "branches"]
    events = [file.event(ids=[100 + i], type=0, config=i, sample_type=IDENTIFIER | IP | TID | TIME | CPU | BRANCH_STACK,
                         branch_sample_type=BRANCH_ANY | (BRANCH_COUNTERS if i != 1 else 0)) for i in range(4)]
    file.comm(5, "shares")
    file.mmap2(5, 0x400000, 0x1000, "/tmp/victim/shares")
    for i, counters in enumerate(([0b100111, 3], [0, 2], [0b1001, 1], [0b11, 2])):
        event = events[i // 2 * 3]
        file.sample(event, id=event.ids[0], pid=5, tid=5, cpu=1, time=10 ** 9 + 1000 * i, ip=0x400171, counters=counters,
                    branches=[(JUMP, LOOP, {"predicted": 1, "cycles": 5}), (JUMP, LOOP, {})])
    file.feature(ARCH, file.text("x86_64"))
    caps = {"branches": "32", "branch_counter_width": str(width)}
    file.feature(CPU_PMU_CAPS, file.pack("I", len(caps)) + b"".join(file.text(key) + file.text(caps[key]) for key in caps))
    body = file.pack("II", 4, 128)
    for event, name in zip(events, names):
        body += event.pack() + file.pack("I", 1) + file.text(name) + file.words(*event.ids)
    file.feature(EVENT_DESC, body)
    file.feature(GROUP_DESC, file.pack("I", 1) + file.text("group") + file.pack("II", 0, 3))
    file.write("x.data")


@case
def events_that_were_counted_for_branches_are_shown_as_in_perf():
    for width in (2, 4):
        counted_branches(width)
        for fields in ("ip,brstackinsn,brcntr", "+brstackinsnlen,+brcntr"):
            args = ["script", "-i", "x.data", *recordings.NAMES, "-F", fields]
            ours, theirs = strobe(*args, env=recordings.ENVIRONMENT).ok().out, perf(*args, env=recordings.ENVIRONMENT).ok().out
            # perf explains the letters before each sample.
            def without_legend(text):
                return "\n".join(line for line in text.split("\n") if not line.startswith("# "))
            same_text(without_legend(ours), without_legend(theirs), expected_name="perf")
            check(ours.startswith(theirs[:theirs.index("saturated\n")]) and ours.count("\n# ") == 5)
            contains(ours, "br_cntr: A")
    rows = strobe("script", "-i", "x.data", "-F", "ip,brstack,brcntr", "--format", "json").ok().lines()
    equal(json.loads(rows[1])["branches"][0]["counts"], [{"event": "cycles", "count": 7, "saturated": False},
                                                         {"event": "cache-misses", "count": 2, "saturated": False}])
    contains(strobe("script", "-i", "x.data", *recordings.NAMES, "-v", "-F", "ip,brstackinsn,brcntr",
                    env=recordings.ENVIRONMENT).ok().out, "# br_cntr: cycles 7 cache-misses 2   PRED 5 cycles")


@case
def samples_that_are_out_of_order_are_told_of():
    file = Crafted()
    event = file.event(ids=[100], sample_type=IP | TID | TIME | CPU)
    for cpu, time in ((0, 1000), (1, 500), (0, 2000), (0, 1500), (0, 1600), (1, 600)):
        file.sample(event, ip=1, pid=5, tid=5, cpu=cpu, time=time)
    file.lost(5, time=3000)
    file.write("x.data")
    result = strobe("script", "-d", "-i", "x.data").ok()
    equal(result.lines(), ["Samples misordered, previous: 2000 this: 1500", "Samples misordered, previous: 2000 this: 1600",
                           "Misordered timestamps: 2"])
    contains(result.err, "5 lost by the kernel")
    equal(strobe("script", "-d", "-i", "x.data", "--format", "json").code, 2)
    equal(strobe("script", "-a", "-i", "x.data").ok().out, strobe("script", "-i", "x.data").ok().out)


main()
