"""Code that was made at run time is called what its compiler wrote down of it: JIT dumps, and perf maps."""
import collections
import glob
import os
import re
import struct
import subprocess

from crafted import CALLCHAIN, IP, REGS_USER, STACK_USER, TID, TIME, Crafted
from jitdump import JitDump
from tap import (STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program,
                 need_root, newest_perf, run, skip, strobe, wait_until)

PROGRAM = os.path.join(os.environ["SOURCE_ROOT"], "tests/programs/jitdump.c")
MONOTONIC = 1


def recording(path="F", pid=7, clock=MONOTONIC, dump="jit-7.dump", inode=0):
    """A process that maps a dump, and then memory; samples are the caller's."""
    file = Crafted()
    flags = ("mmap", "mmap2", "comm") + (("use_clockid",) if clock is not None else ())
    event = file.event(flags=flags, clockid=clock or 0)
    file.comm(pid, "made", time=1)
    file.mmap2(pid, 0x9000, 0x1000, os.path.join(os.getcwd(), dump), time=2, inode=inode)
    file.mmap2(pid, 0x1000, 0x7000, "//anon", time=3)
    return file, event


def sample(file, event, addr, time, pid=7):
    file.sample(event, ip=addr, pid=pid, tid=pid, time=time)


def names(path="F", *words):
    """The symbol of each sample."""
    lines = strobe("script", "-F", "ip,sym", "-i", path, *words).ok().lines()
    return [line.split(None, 1)[1] for line in lines]


def two_generations(order="<", moves=True, **more):
    """first, then second at its address; then second is moved, and third is where it was."""
    dump = JitDump(7, order, **more)
    dump.lines(0x1000, [(0x1000, 11, "a.js"), (0x1008, 12, "a.js")])
    dump.load("first", 0x1000, b"\x90" * 15 + b"\xc3", index=1, time=100)
    dump.load("second", 0x1000, b"\xc3" * 16, index=2, time=200)
    if moves:
        dump.move(0x1000, 0x2000, 16, index=2, time=300)
    dump.load("_ZN5third3runEi", 0x1000, b"\xc3" * 8, index=3, time=400)
    return dump


TIMES = ((0x1000, 50, "[unknown]"), (0x1004, 150, "first"), (0x1004, 250, "second"), (0x100f, 299, "second"),
         (0x1004, 350, "[unknown]"), (0x2004, 350, "second"), (0x1004, 450, "third::run(int)"),
         (0x100c, 450, "[unknown]"), (0x2004, 450, "second"))


@case
def code_has_the_name_that_it_had_when_it_ran():
    for order in "<>":
        two_generations(order).write("jit-7.dump")
        file, event = recording()
        for addr, time, _ in TIMES:
            sample(file, event, addr, time)
        file.write("F")
        file.write("P", pipe=True)
        equal(names(), [name for _, _, name in TIMES])
        equal(names("P"), [name for _, _, name in TIMES])
        contains(strobe("script", "-F", "ip,sym,dso", "-i", "F").ok().out, "second (/tmp/perf-7.map)\n")
    rows = strobe("report", "--stdio", "-s", "dso,sym", "-i", "F").ok().out
    contains(re.sub(" +", " ", rows), "44.44% [JIT] tid 7 [.] second")


@case
def memory_that_is_mapped_again_keeps_its_code():
    two_generations().write("jit-7.dump")
    file, event = recording()
    for time in range(110, 190, 20):
        file.mmap2(7, 0x1000, 0x7000, "//anon", time=time)
        sample(file, event, 0x1004, time + 5)
    file.mmap2(7, 0x1000, 0x7000, "/lib/other", time=190)
    sample(file, event, 0x1004, 195)
    file.write("F")
    equal(names(), ["first"] * 4 + ["[unknown]"])


@case
def its_names_are_those_that_perf_finds_in_what_it_injects():
    perf = newest_perf()
    two_generations(moves=False).write("jit-7.dump") # of moved code perf 7.2 dies
    file, event = recording()
    seen = [(addr, time, name) for addr, time, name in TIMES if addr < 0x2000 and name != "[unknown]"]
    for addr, time, _ in seen:
        sample(file, event, addr, time)
    file.write("F")
    run(perf, "inject", "-j", "-i", "F", "-o", "J").ok()
    theirs = run(perf, "script", "-F", "ip,sym", "-i", "J").ok().lines()
    equal([line.split(None, 1)[1] for line in theirs], [name for _, _, name in seen])
    equal(names(), names("J"))


@case
def lines_and_instructions_come_from_the_dump():
    two_generations().write("jit-7.dump")
    file, event = recording()
    sample(file, event, 0x1004, 150)
    sample(file, event, 0x100f, 150)
    sample(file, event, 0x1004, 250)
    file.write("F")
    text = strobe("script", "-F", "ip,sym,srcline", "-i", "F").ok().out
    equal(re.findall(r"^  (\S.*)$", text, re.M), ["a.js:11", "a.js:12", "[JIT] tid 7[1004]"])
    contains(strobe("report", "--stdio", "-s", "srcline", "-i", "F").ok().out, "a.js:12")
    text = strobe("script", "-F", "ip,insn", "-i", "F")
    if text.code == 0:
        contains(text.out, "insn: 90")
        contains(text.out, "insn: c3")


def frames_of(size, cfa_offset):
    """.eh_frame of code of that size: its CFA is so far above the stack pointer."""
    def entry(body):
        body += b"\0" * (-(len(body) + 4) % 8)
        return struct.pack("<I", len(body)) + body

    cie = entry(struct.pack("<IB3sBBBBB", 0, 1, b"zR\0", 1, 0x78, 16, 1, 0x1b) + bytes([0x0c, 7, 8, 0x90, 1]))
    start = -((size + 7) // 8 * 8 + len(cie) + 8)
    return cie + entry(struct.pack("<IiIB", len(cie) + 4, start, size, 0) + bytes([0x0e, cfa_offset]))


@case
def stacks_go_through_code_by_what_its_compiler_told_of_its_frames():
    stack = struct.pack("<5Q", 0, 0, 0x1108, 0, 0)
    for has_frames in (True, False):
        dump = JitDump(7)
        for index, (name, addr, cfa_offset) in enumerate((("inner", 0x1000, 24), ("outer", 0x1100, 16))):
            if has_frames:
                dump.unwinding(frames_of(16, cfa_offset), b"\0" * 20)
            dump.load(name, addr, b"\x90" * 16, index=index, time=10)
        dump.write("jit-7.dump")
        file = Crafted()
        event = file.event(flags=("mmap", "mmap2", "comm", "use_clockid"), clockid=MONOTONIC, sample_regs_user=0xff0fff,
                           sample_stack_user=len(stack), sample_type=IP | TID | TIME | CALLCHAIN | REGS_USER | STACK_USER)
        file.comm(7, "made", time=1)
        file.mmap2(7, 0x9000, 0x1000, os.path.join(os.getcwd(), "jit-7.dump"), time=2, inode=0)
        file.mmap2(7, 0x1000, 0x7000, "//anon", time=3)
        regs = [0] * 20
        regs[7], regs[8] = 0x100000, 0x1004
        file.sample(event, ip=0x1004, pid=7, tid=7, time=50, callchain=[], regs_user=regs, abi=2, stack=stack)
        file.write("F")
        result = strobe("script", "-F", "ip,sym", "-i", "F").ok()
        equal([line.split()[1] for line in result.lines() if line.strip()], ["inner", "outer"] if has_frames else ["inner"])
        equal("no call frame information" in result.err, not has_frames)


@case
def without_their_clock_code_is_what_was_last_at_its_address():
    two_generations().write("jit-7.dump")
    for clock in (None, 4):
        file, event = recording(clock=clock)
        for addr, time, _ in TIMES:
            sample(file, event, addr, time)
        file.write("F")
        equal(names(), ["third::run(int)" if addr < 0x1008 else "second" if addr >= 0x2000 else "[unknown]"
                        for addr, _, _ in TIMES])
        for command in ("script", "report"):
            said = strobe(command, "-i", "F").ok().err
            equal(said.count("of another clock than the recording's"), 1)
            contains(said, "record with -k mono\n")
    two_generations(flags=1).write("jit-7.dump")
    file, event = recording()
    sample(file, event, 0x1004, 250)
    file.write("F")
    equal(names(), ["third::run(int)"])


@case
def what_is_not_the_process_s_dump_is_not_used_and_the_reason_is_said():
    two_generations().write("jit-7.dump")
    inode = os.stat("jit-7.dump").st_ino

    def said(*words, **more):
        file, event = recording(**more)
        sample(file, event, 0x1004, 150)
        file.write("F")
        return strobe("report", "--stdio", "-i", "F", *words).ok().err

    equal(said(), "")
    equal(said(inode=inode), "")
    contains(said(dump="jit-8.dump"), "no names in '[JIT] tid 7': its JIT dump is not there (100")
    contains(said(dump="jit-7.dump (deleted)", inode=inode + 1), "': its JIT dump was replaced (100")
    JitDump(8).write("jit-7.dump")
    contains(said(), "': its JIT dump is of another process (100")
    JitDump(7, version=9).write("jit-7.dump")
    contains(said(), "': its JIT dump cannot be read (100")
    JitDump(7).write("jit-7.dump")
    contains(said(), "': its JIT dump does not tell of it (100")
    os.remove("jit-7.dump")
    os.mkdir("jit-7.dump")
    contains(said(), "': its JIT dump is not there (100")
    os.rmdir("jit-7.dump")
    os.symlink("elsewhere", "jit-7.dump")
    two_generations().write("elsewhere")
    contains(said(), "': its JIT dump is not there (100")


@case
def a_dump_of_someone_else_is_used_by_force_alone():
    need_root()
    two_generations().write("jit-7.dump")
    os.chown("jit-7.dump", 12345, 12345)
    file, event = recording()
    sample(file, event, 0x1004, 150)
    file.write("F")
    equal(names(), ["[unknown]"])
    contains(strobe("report", "--stdio", "-i", "F").ok().err, "its JIT dump is neither ours nor root's (use -f) (100")
    equal(names("F", "-f"), ["first"])


@case
def a_dump_may_lie_below_symfs():
    file, event = recording()
    sample(file, event, 0x1004, 150)
    file.write("F")
    folder = "symfs" + os.getcwd()
    os.makedirs(folder)
    two_generations().write(os.path.join(folder, "jit-7.dump"))
    equal(names(), ["[unknown]"])
    equal(names("F", "--symfs", "symfs"), ["first"])


@case
def of_a_dump_that_is_not_whole_what_is_there_is_used():
    dump = two_generations()
    file, event = recording()
    sample(file, event, 0x1004, 150)
    sample(file, event, 0x1004, 450)
    file.write("F")
    whole = dump.bytes
    dump.bytes = whole[:-3]
    dump.write("jit-7.dump")
    equal(names(), ["first", "[unknown]"])
    contains(strobe("script", "-i", "F").ok().err, "/jit-7.dump' is not whole: %d bytes not read\n" % (56 + 16 + 8 - 3))
    dump.bytes = whole
    dump.move(0x1000, 0x2000, 16, index=99, time=500)
    dump.record(0, b"", time=500)
    dump.write("jit-7.dump")
    equal(names(), ["first", "third::run(int)"])
    contains(strobe("report", "-i", "F").ok().err, "/jit-7.dump' is not whole: 2 damaged records skipped\n")
    for size in range(0, len(whole), 7):
        dump.bytes = whole[:size]
        dump.write("jit-7.dump")
        strobe("report", "--stdio", "-s", "sym,srcline", "-i", "F").ok()


def shares_in(text):
    """Percent by name: code that was made twice has several rows of one name."""
    sums = collections.Counter()
    for share, name in re.findall(r"^ +([0-9.]+)% +\[.\] (.*?) *$", text, re.M):
        sums[name] += round(100 * float(share))
    return {name: hundredths / 100 for name, hundredths in sums.items()}


def shares(path, *words):
    return shares_in(strobe("report", "--stdio", "--no-children", "-g", "none", "-s", "sym", "-i", path, *words).ok().out)


def made_at_run_time(turns="100000000"):
    with open(PROGRAM) as source:
        return [compile_c(source.read(), "made", ("-O1", "-fno-omit-frame-pointer")), turns]


@case
def a_program_that_replaces_its_code_is_seen_to_do_so():
    need_perf_events()
    strobe("record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-F", "2000", "-g", "-o", "F", *made_at_run_time()).ok()
    found = shares("F")
    for name, least in (("first", 15), ("second", 30), ("third::run(int)", 15), ("elsewhere", 2)):
        check(found.get(name, 0) > least, found)
    check(found["second"] > found["first"] * 1.4, found)
    stacks = strobe("script", "-F", "ip,sym", "-i", "F").ok().out
    check(re.search(r" second\n\s+[0-9a-f]+ run\n\s+[0-9a-f]+ main\n", stacks), stacks[-300:])


@case
def its_code_is_named_while_it_runs():
    need_perf_events()
    record = [STROBE, "record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-F", "500", "-o", "-"] + made_at_run_time()
    piped = run("sh", "-c", " ".join(record) + " | " + STROBE + " report --stdio -s sym -i -").ok().out
    for name in ("first", "second", "third::run(int)"):
        contains(piped, name)
    child = background(made_at_run_time("100000000000"))
    wait_until(lambda: os.path.exists("jit-%d.dump" % child.pid))
    out = strobe("top", "--batch", "--iterations", "1", "-d", "1", "-e", "cpu-clock", "-F", "500", "-p",
                 str(child.pid)).ok().out
    contains(out, "elsewhere")
    strobe("record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-F", "500", "-p", str(child.pid), "--duration", "0.2", "-o",
           "F").ok()
    child.kill()
    child.wait()
    check(shares("F").get("elsewhere", 0) > 90)


@case
def of_lines_of_a_perf_map_that_overlap_the_later_one_holds():
    """What the later one leaves of the earlier one stays."""
    file, event = recording(dump="none")
    addrs = (0x1000, 0x10ff, 0x1100, 0x11ff, 0x1200, 0x12ff, 0x1300, 0x1380, 0x1400)
    for addr in addrs:
        sample(file, event, addr, 10)
    file.write("F")
    os.makedirs("symfs/tmp")
    with open("symfs/tmp/perf-7.map", "w") as text:
        text.write("1000 300 first\n1100 100 inner\n1300 100 twice\n1300 100 again\n1380 20 tail\n1380 40 longer\n")
    equal(names("F", "--symfs", "symfs"),
          ["first", "first", "inner", "inner", "first", "first", "again", "longer", "[unknown]"])


@case
def a_perf_map_that_grows_is_read_again():
    need_perf_events()
    program = made_at_run_time("400000000")
    record = [STROBE, "record", "-q", "-e", "cpu-clock:u", "-F", "500", "-o", "-", *program, "map"]
    before = set(glob.glob("/tmp/perf-*.map"))
    for reader in ("report --stdio -s sym", "script -F ip,sym"):
        out = run("sh", "-c", " ".join(record) + " | " + STROBE + " " + reader + " -i -").ok().out
        for name in ("elsewhere", "elsewhere_again"):
            contains(out, name)
    for path in set(glob.glob("/tmp/perf-*.map")) - before:
        with open(path) as file:
            if "elsewhere_again" in file.read():
                os.remove(path)


SCRIPT = """
function hot(n) { let s = 0; for (let i = 0; i < n; i++) { s = (s * 31 + i) | 0; } return s; }
let x = 0;
for (let i = 0; i < 4000; i++) { x ^= hot(100000); }
"""


@case
def node_s_functions_are_called_as_in_what_perf_injects():
    need_perf_events()
    need_program("node")
    perf = newest_perf()
    with open("hot.js", "w") as file:
        file.write(SCRIPT)
    strobe("record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-F", "1000", "-o", "F", "node", "--perf-prof", "hot.js").ok()
    found = shares("F")
    check(sum(share for name, share in found.items() if re.match(r"JS:\*.*hot\.js:", name)) > 10, found)
    run(perf, "inject", "-j", "-i", "F", "-o", "J").ok()
    theirs = shares_in(run(perf, "report", "--stdio", "--no-children", "-s", "sym", "-i", "J").ok().out)
    made = re.compile("JS:|Builtin:|BytecodeHandler:|RegExp:|Stub:")
    equal({name: share for name, share in found.items() if made.match(name)},
          {name: share for name, share in theirs.items() if made.match(name)})


main()
