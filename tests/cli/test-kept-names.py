"""Names that survive: of containers, of files that are deleted, of processes that are gone."""
import re

from crafted import HEADER_FEATURE, IP, STROBE_NAMES, TID, TIME, Crafted
from tap import case, compile_c, contains, equal, lacks, main, need_program, perf_path, run, skip, strobe, write

SYMBOLS = ("script", "-F", "ip,sym,symoff,dso")


def crafted(order="<", names=True, **options):
    """One sample each of a container's program, of a deleted one, and of JIT code."""
    file = Crafted(order=order)
    event = file.event(sample_type=IP | TID | TIME, ids=[7])
    file.comm(10, "ant")
    file.mmap2(10, 0x10000, 0x8000, "/srv/app", pgoff=0x2000, build_id=b"\1" * 20)
    file.mmap2(10, 0x20000, 0x8000, "/srv/app (deleted)", inode=8)
    file.mmap2(10, 0x30000, 0x8000, "//anon", inode=0)
    for n, ip in enumerate((0x11010, 0x20110, 0x30020, 0x30050)):
        file.sample(event, ip=ip, pid=10, tid=10, time=1 + n)
    if names:
        file.kept_names("/srv/app", [(0x403000, 0x40, "_Z4walki")], segments=((0x2000, 0x8000, 0x402000),), build_id=b"\1" * 20)
        file.kept_names("/srv/app", [(0x100, 0x40, "other")], inode=8)
        file.kept_names("/tmp/perf-10.map", [(0x30000, 0x100, "old"), (0x2fff0, 0x40, "new")], jit=True)
    return file


EXPECTED = ["11010 walk(int)+0x10 (/srv/app)", "20110 other+0x10 (/srv/app (deleted))", "30020 new+0x30 (/tmp/perf-10.map)",
            "30050 old+0x50 (/tmp/perf-10.map)"]


def names(path, **more):
    return [line.strip() for line in strobe(*SYMBOLS, "-i", path, **more).ok().lines() if line.strip()]


@case
def names_that_a_recording_kept_are_those_of_the_object_and_of_no_other():
    for order in "<>":
        equal(names(crafted(order).write("x.data")), EXPECTED)


@case
def a_size_that_is_a_guess_takes_nothing_from_other_functions():
    file = crafted(names=False)
    file.kept_names("/srv/app", [(0x3000, 0x40, "sized"), (0x3004, 0x1000, "label", True)], segments=((0x2000, 0x8000, 0x2000),),
                    build_id=b"\1" * 20)
    contains(names(file.write("x.data"))[0], "sized+0x10")


@case
def pipes_carry_names_too_before_their_samples_or_behind_them():
    file = crafted()
    file.round()
    equal(names(file.write("x.data", pipe=True)), EXPECTED)
    first = file.features.pop(STROBE_NAMES)
    for part in (first[:first.index(b"/tmp") - 52], first[first.index(b"/tmp") - 52:]):
        file.record(HEADER_FEATURE, file.words(STROBE_NAMES) + part)
    with open(file.write("late.data", pipe=True), "rb") as late:
        equal(names("-", stdin=late.read()), EXPECTED)
    equal(names("late.data"), EXPECTED)
    report = strobe("report", "-i", "-", "--stdio", "-s", "sym", stdin=late_bytes()).ok()
    for name in ("walk(int)", "other", "new", "old"):
        contains(report.out, name)
    lacks(report.err, "no names")


def late_bytes():
    with open("late.data", "rb") as late:
        return late.read()


@case
def a_file_with_the_build_id_goes_before_kept_names_and_these_before_a_perf_map():
    path = compile_c("int hot(void) { return 1; }\nint main(void) { return hot(); }\n", flags=("-O0", "-Wl,--build-id"))
    build_id = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", path).ok().out).group(1))
    start = int(re.search(r"(\w+) +\d+ FUNC +GLOBAL \S+ +\d+ hot$", run("readelf", "-sW", path).ok().out, re.M).group(1), 16)
    for known, expected in ((build_id, "hot+0x4"), (b"x" * 20, "kept+0x4")):
        file = Crafted()
        event = file.event(sample_type=IP | TID | TIME, ids=[7])
        file.mmap2(10, 0x70000000, 0x10000, path, build_id=known)
        file.sample(event, ip=0x70000000 + start + 4, pid=10, tid=10, time=1)
        file.kept_names(path, [(start, 16, "kept")], build_id=known)
        contains(names(file.write("x.data"))[0], expected)


@case
def another_object_of_that_name_gets_none_of_its_names():
    file = crafted(names=False)
    file.kept_names("/srv/app", [(0, 1 << 30, "wrong")], build_id=b"\2" * 20)
    file.kept_names("/srv/app", [(0, 1 << 30, "wrong")], inode=9)
    file.kept_names("/tmp/perf-11.map", [(0, 1 << 30, "wrong")], jit=True)
    lacks("\n".join(names(file.write("x.data"))), "wrong")


@case
def a_folder_of_symbols_goes_before_kept_names():
    lacks("\n".join(names(crafted().write("x.data"), env={}) and
                    strobe(*SYMBOLS, "--symfs", ".", "-i", "x.data").ok().lines()), "walk")


@case
def the_header_counts_kept_names():
    contains(strobe("report", "--header-only", "-i", crafted().write("x.data")).ok().out,
             "# kept names : 3 objects, 4 symbols\n")
    contains(strobe("report", "--header-only", "--format", "json", "-i", "x.data").ok().out,
             '"kept_names":{"objects":3,"symbols":4}')
    contains(strobe("report", "--header-only", "-i", crafted().write("x.data", pipe=True)).ok().out,
             "# kept names : 3 objects, 4 symbols\n")
    lacks(strobe("report", "--header-only", "-i", crafted(names=False).write("x.data")).ok().out, "kept names")


@case
def what_of_kept_names_is_damaged_is_passed_over():
    file = crafted()
    whole = file.features[STROBE_NAMES]
    for size in range(0, len(whole), 9):
        file.features[STROBE_NAMES] = whole[:size]
        equal(len(names(file.write("x.data"))), 4)
    contains(strobe("report", "--header-only", "-i", "x.data").ok().out, "# STROBE_NAMES info is damaged\n")
    contains(strobe("report", "--header-only", "--format", "json", "-i", "x.data").ok().out, '"damaged_features":["STROBE_NAMES"]')


@case
def perf_reads_a_file_with_kept_names_as_if_they_were_not_there():
    crafted().write("with.data")
    crafted(names=False).write("without.data")
    for program in {perf_path(), need_program("perf")}:
        with_names, without = (run(program, "script", "-F", "ip,sym,dso", "-i", path).ok() for path in ("with.data", "without.data"))
        equal(with_names.out, without.out)
        equal(with_names.err, without.err)


main()
