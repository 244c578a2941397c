"""What only other files know goes into the recording: code of JIT dumps, and build-ids."""
import os
import re

from crafted import Crafted
from jitdump import JitDump
from tap import (STROBE, case, check, contains, equal, lacks, main, need_perf_events, need_program, newest_perf, perf_path, run, skip,
                 strobe, write)

MONOTONIC = 1
FIELDS = ("script", "-F", "comm,tid,time,event,ip,sym,symoff,dso")
TIMES = ((0x1000, 50), (0x1004, 150), (0x100f, 199), (0x1004, 250), (0x1008, 299), (0x1004, 450), (0x2004, 450))


def dump(order="<", moves=False, machine=62):
    out = JitDump(7, order, machine=machine)
    out.lines(0x1000, [(0x1000, 11, "a.js"), (0x1004, 400, "lib/b.js"), (0x1008, 2, "a.js")])
    out.load("first", 0x1000, b"\x90" * 15 + b"\xc3", index=1, time=100)
    out.load("second", 0x1000, b"\xc3" * 16, index=2, time=200)
    if moves:
        out.move(0x1000, 0x2000, 16, index=2, time=300)
    out.load("_ZN5third3runEi", 0x1000, b"\xc3" * 8, index=3, time=400)
    return out


def recording(clock=MONOTONIC, times=TIMES, order="<", rounds=False):
    file = Crafted(order=order)
    flags = ("mmap", "mmap2", "comm", "sample_id_all") + (("use_clockid",) if clock is not None else ())
    event = file.event(flags=flags, clockid=clock or 0)
    file.comm(7, "made", time=1)
    file.mmap2(7, 0x9000, 0x1000, os.path.join(os.getcwd(), "jit-7.dump"), time=2, inode=0)
    file.mmap2(7, 0x1000, 0x7000, "//anon", time=3)
    for addr, time in times:
        file.sample(event, ip=addr, pid=7, tid=7, time=time)
        if rounds:
            file.round()
    return file


def inject(*words, **more):
    return strobe("inject", *words, **more).ok()


def perfs():
    return sorted({perf_path(), newest_perf()})


def same_script(perf, ours, theirs, *words):
    texts = [run(perf, *FIELDS, *words, "-i", path).ok().out for path in (ours, theirs)]
    equal(texts[0], texts[1])
    return texts[0]


@case
def code_has_the_names_that_perf_gives_it_after_its_own_inject():
    perf = newest_perf()
    dump().write("jit-7.dump")
    for rounds in (False, True):
        recording(rounds=rounds).write("F")
        run(perf, "inject", "-j", "-i", "F", "-o", "theirs").ok()
        inject("-j", "-i", "F", "-o", "ours")
        for reader in perfs():
            contains(same_script(reader, "ours", "theirs"), "first+0x4 (%s/jitted-7-1.so)" % os.getcwd())
        equal(strobe(*FIELDS, "-i", "ours").ok().out, strobe(*FIELDS, "-i", "theirs").ok().out)
    inject("-j", "-o", "late", stdin=open("F", "rb").read())
    write("P", inject("-j", stdin=open("F", "rb").read()).out_bytes)
    for path in ("late", "P"):
        same_script(perf, path, "theirs")


@case
def code_that_moved_is_found_where_it_is():
    dump(moves=True).write("jit-7.dump")
    recording().write("F")
    inject("-j", "-i", "F", "-o", "ours")
    for program in perfs():
        lines = run(program, "script", "-F", "ip,sym", "-i", "ours").ok().lines()
        equal([re.sub(r"\(.*", "", line.split()[1]) for line in lines],
              ["[unknown]", "first", "first", "second", "second", "third::run", "second"])
    equal([line.split()[-1] for line in strobe("script", "-F", "ip,sym", "-i", "ours").ok().lines()],
          ["[unknown]", "first", "first", "second", "second", "third::run(int)", "second"])


@case
def a_number_that_comes_again_has_another_file():
    out = JitDump(7)
    for n, name in enumerate(("one", "two")):
        out.load(name, 0x1000, b"\xc3" * 16, index=5, time=100 + 100 * n)
    out.write("jit-7.dump")
    recording(times=((0x1004, 150), (0x1004, 250))).write("F")
    inject("-j", "-i", "F", "-o", "ours")
    equal([line.split()[-1] for line in strobe("script", "-F", "ip,sym", "-i", "ours").ok().lines()], ["one", "two"])


@case
def source_lines_are_in_the_files():
    dump().write("jit-7.dump")
    recording().write("F")
    inject("-j", "-i", "F", "-o", "ours")
    expected = ["a.js:11", "b.js:400", "a.js:2"]
    recording(times=((0x1001, 150), (0x1004, 151), (0x100f, 152))).write("F")
    inject("-j", "-i", "F", "-o", "ours")
    for program in (None, newest_perf()):
        words = ("script", "-F", "ip,sym,srcline", "-i", "ours")
        text = run(program, *words).ok().out if program else strobe(*words).ok().out
        equal([os.path.basename(line.strip()) for line in text.splitlines() if ".js:" in line], expected)


@case
def files_are_those_of_the_machine_that_made_the_code():
    need_program("readelf")
    for order, machine, text in (("<", 62, "little endian"), (">", 22, "big endian"), ("<", 3, "ELF32")):
        dump(order, machine=machine).write("jit-7.dump")
        recording().write("F")
        inject("-j", "-i", "F", "-o", "ours")
        told = run("readelf", "-hsnW", "--debug-dump=decodedline", "jitted-7-1.so").ok()
        contains(told.out, text)
        start = "0x80" if machine != 3 else "0x60"
        check(re.search(r"b\.js +400 +0x%x\b" % (int(start, 16) + 4), told.out), told.out)
        check(re.search(r"0*%s +16 FUNC +GLOBAL DEFAULT +1 first$" % start[2:], told.out, re.M), told.out)
        check(re.search(r"Build ID: [0-9a-f]{40}$", told.out, re.M), told.out)
        equal(told.err, "")


@case
def call_frame_information_follows_the_code():
    need_program("readelf")
    write("f.s", ".cfi_startproc\nnop\n.cfi_def_cfa_offset 16\nnop\n.cfi_endproc\n")
    if run("gcc", "-c", "-o", "f.o", "f.s").code != 0 or run("objcopy", "-O", "binary", "-j", ".eh_frame", "f.o", "frames").code != 0:
        skip("no assembler")
    with open("frames", "rb") as file:
        frames = file.read()
    out = JitDump(7)
    out.unwinding(frames)
    out.load("hot", 0x1000, b"\x90\xc3", index=1, time=100)
    out.write("jit-7.dump")
    recording(times=((0x1000, 150),)).write("F")
    inject("-j", "-i", "F", "-o", "ours")
    told = run("readelf", "-SW", "--debug-dump=frames", "jitted-7-1.so").ok().out
    check(re.search(r"\.eh_frame +PROGBITS +0+88 0+88 0+%x " % len(frames), told), told)
    contains(told, "DW_CFA_def_cfa_offset: 16")
    contains(strobe("script", "-F", "ip,sym", "-i", "ours").ok().out, " hot")


@case
def what_lies_where_a_file_goes_is_not_written_to():
    dump().write("jit-7.dump")
    write("victim", "mine")
    os.symlink("victim", "jitted-7-1.so")
    recording().write("F")
    inject("-j", "-i", "F", "-o", "ours")
    equal(open("victim").read(), "mine")
    check(not os.path.islink("jitted-7-1.so"), "a link is still there")


@case
def times_of_another_clock_are_refused():
    dump().write("jit-7.dump")
    for clock in (None, 4):
        recording(clock=clock).write("F")
        result = strobe("inject", "-j", "-i", "F", "-o", "ours")
        equal(result.code, 1)
        contains(result.err, "record with -k mono")
        check(not os.path.exists("ours"), "it wrote something")


@case
def a_dump_that_is_not_used_is_told_of_and_changes_nothing():
    recording().write("F")
    for text in (None, "no dump"):
        if text:
            write("jit-7.dump", text)
        said = inject("-j", "-i", "F", "-o", "ours").err
        contains(said, "jit-7.dump' is not used: ")
        equal(strobe(*FIELDS, "--show-mmap-events", "-i", "ours").ok().out, strobe(*FIELDS, "--show-mmap-events", "-i", "F").ok().out)
    recording(order=">").write("F")
    result = strobe("inject", "-i", "F", "-o", "ours")
    equal(result.code, 1)
    contains(result.err, "other byte order")


def ids_of(path, program=None):
    """But of the kernel, whose perf leaves out, and the vdso, whose perf adds though nothing hit it."""
    listed = run(program, "buildid-list", "-i", path) if program else strobe("buildid-list", "-i", path)
    return [line for line in listed.ok().lines() if " [" not in line]


@case
def build_ids_are_those_that_perf_adds():
    need_perf_events()
    perf = newest_perf()
    strobe("record", "-q", "-B", "--no-buildid-mmap", "-F", "1999", "-g", "-o", "F", "--", "sh", "-c", "ls -lR /usr/lib/python3; gzip -c /usr/bin/env",
           stdout=-3).ok()
    for option in ("-b", "--buildid-all"):
        inject(option, "-i", "F", "-o", "ours")
        theirs = run(perf, "inject", option, "-i", "F", "-o", "theirs")
        if theirs.code != 0:
            skip("perf cannot do that here: " + theirs.err)
        equal(ids_of("ours"), ids_of("theirs", perf))
        equal(ids_of("ours", perf), ids_of("theirs", perf))
        check(len(ids_of("ours")) >= 3, ids_of("ours"))


@case
def nothing_else_changes():
    need_perf_events()
    for recorder, more in ((STROBE, ()), (newest_perf(), ("-z",))):
        run(recorder, "record", "-q", "-F", "1999", "-e", "{cpu-clock:u,task-clock:u}", "-g", *more, "-o", "F", "--",
            "sh", "-c", "ls -l /usr/bin | sort", stdout=-3).ok()
        inject("-i", "F", "-o", "copy")
        write("P", inject("-b", "-i", "F").out_bytes)
        inject("-i", "P", "-o", "back")
        for program in (perf_path(), newest_perf()):
            expected = run(program, "script", "-i", "F").ok().out
            for path in ("copy", "P", "back"):
                equal(run(program, "script", "-i", path).ok().out, expected)
        for words in (("script", "-F", "+period"), ("evlist", "-v"), ("buildid-list",), ("report", "--stdio")):
            expected, *others = (re.sub(r"size: \d+", "", strobe(*words, "-i", path).ok().out) for path in ("F", "copy", "back"))
            for other in others:
                equal(other, expected)


@case
def copies_of_stacks_become_the_chains_that_they_are_unwound_to():
    need_perf_events()
    words = ("record", "-q", "-e", "cpu-clock", "-F", "997", "--call-graph", "dwarf,4096", "--store-stacks", "-o", "F", "--")
    strobe(*words, "sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done").ok()
    inject("--convert-callchain", "-i", "F", "-o", "ours")
    write("P", inject("--convert-callchain", stdin=open("F", "rb").read()).out_bytes)
    saved = os.path.getsize("F") - os.path.getsize("ours")
    check(saved > 2000 * strobe(*FIELDS, "-i", "F").ok().out.count("\n\n"), saved)
    lacks(strobe("evlist", "-v", "-i", "ours").ok().out, "_USER")
    for path in ("ours", "P"):
        equal(*(strobe(*FIELDS, "-i", p).ok().out for p in (path, "F")))
        equal(*(re.findall(r'"stack":"(\w+)"', strobe("script", "--format", "json", "-i", p).ok().out) for p in (path, "F")))
        equal(*(strobe("report", "--stdio", "-i", p).ok().err for p in (path, "F")))
    perf = newest_perf()
    if run(perf, "inject", "--convert-callchain", "-i", "F", "-o", "theirs").code != 0:
        skip("this perf does not convert call chains")
    # Where a function has taken its frame from the stack in part, libdw may go another way.
    ours, theirs = (run(perf, *FIELDS, "--no-inline", "-i", path).ok().out.split("\n\n") for path in ("ours", "theirs"))
    equal(len(ours), len(theirs))
    same = sum(stack == other for stack, other in zip(ours, theirs))
    check(same >= 0.9 * len(ours), "%d of %d" % (same, len(ours)))


@case
def what_has_no_copies_of_stacks_is_not_converted():
    recording().write("F")
    done = strobe("inject", "--convert-callchain", "-i", "F", "-o", "ours")
    equal(done.code, 1)
    contains(done.err, "no event of the recording has copies of stacks\n  hint: ")


@case
def node_s_code_is_called_as_after_perf_s_inject():
    need_perf_events()
    need_program("node")
    perf = newest_perf()
    write("hot.js", "function hot(n) { let s = 0; for (let i = 0; i < n; i++) { s = (s * 31 + i) | 0; } return s; }\n"
          "let x = 0;\nfor (let i = 0; i < 700; i++) { x ^= hot(100000); }\n")
    strobe("record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-F", "1000", "-g", "-o", "F", "node", "--perf-prof", "hot.js").ok()
    run(perf, "inject", "-j", "-i", "F", "-o", "theirs").ok()
    theirs = run(perf, *FIELDS, "--no-inline", "-i", "theirs").ok().out
    for name in os.listdir("."):
        if name.endswith(".so"):
            os.remove(name)
    inject("-j", "-i", "F", "-o", "ours")
    equal(run(perf, *FIELDS, "--no-inline", "-i", "ours").ok().out, theirs)
    check(len(re.findall(r"JS:.hot .*jitted-\d+-\d+\.so", theirs)) > 20, theirs[-2000:])
    lacks(strobe("report", "--stdio", "-i", "ours").ok().err, "no names in '[JIT]")


main()
