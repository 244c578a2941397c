"""Names that survive: of containers, of files that are deleted, of processes that are gone."""
import json
import os
import re
import sys

import victim
from crafted import EVENT_UPDATE, IP, STROBE_NAMES, TID, TIME, UPDATE_NAMES, Crafted
from tap import (STROBE, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program, need_root,
                 perf_path, run, skip, strobe, write)

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
def debuginfo_tells_how_many_there_are():
    path = crafted().write("x.data")
    text = strobe("debuginfo", "-i", path).ok().out
    equal([line.strip() for line in text.splitlines() if "kept" in line],
          ["names       kept in the recording (%d)" % n for n in (1, 1, 2)])
    objects = json.loads(strobe("debuginfo", "--format", "json", "-i", path).ok().out)["objects"]
    equal([(o["has_file"], o["named"], o["kept"]) for o in objects], [(True, "kept", 1), (True, "kept", 1), (False, "kept", 2)])
    objects = json.loads(strobe("debuginfo", "--format", "json", "-i", crafted(names=False).write("y.data")).ok().out)["objects"]
    equal({(o["named"], o["kept"]) for o in objects}, {("none", 0)})


@case
def pipes_carry_names_too_before_their_samples_or_behind_them():
    for order in "><":
        file = crafted(order)
        file.round()
        equal(names(file.write("x.data", pipe=True)), EXPECTED)
    first = file.features.pop(STROBE_NAMES)
    for part in (first[:first.index(b"/tmp") - 52], first[first.index(b"/tmp") - 52:]):
        file.record(EVENT_UPDATE, file.words(UPDATE_NAMES, 7) + part)
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
    for size in range(0, len(whole), 31):
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


# Live

MAIN = """
void mid(void);
int main(void)
{
	for (int i = 0; i < 2; i++)
		mid();
	return 0;
}
"""
CLOCK = ("-e", "cpu-clock:u", "-F", "999")
REPORT = ("report", "--stdio", "--no-children", "-g", "none", "-F", "overhead,dso,sym")


def compile_victim(name="v", *flags):
    return compile_c(victim.source(main=MAIN), name, flags=victim.FLAGS + flags)


def record(*words, options=("-g",), **more):
    return strobe("record", "-q", *CLOCK, *options, "-o", "F", *words, **more).ok()


def kept():
    """How many objects and symbols the recording has."""
    header = strobe("report", "--header-only", "--format", "json", "-i", "F").ok().out
    found = re.search(r'"kept_names":{"objects":(\d+),"symbols":(\d+)}', header)
    return (int(found.group(1)), int(found.group(2))) if found else (0, 0)


def check_kept(dso, command=None):
    """All of the victim's stacks have names, and come from the recording alone."""
    stacks = victim.stacks("F", *(("--comm", command) if command else ()))
    victim.check_named([stack for stack in stacks if stack[0][1].endswith(dso)], dso)


def container(program, *files, run="exec chroot box /app 2>/dev/null", mount="mount -t tmpfs none box"):
    """The words of a command that runs a program as /app in a mount namespace, whose files go with it."""
    need_root()
    os.makedirs("box", exist_ok=True)
    copies = "".join("mkdir -p box%s; cp %s box%s; " % (os.path.dirname(file), file, file) for file in files)
    return ("unshare", "-m", "--propagation", "private", "sh", "-ec", "%s; %scp %s box/app; %s" % (mount, copies, program, run))


def need_namespaces():
    need_root()
    need_perf_events()
    if run("unshare", "-pfm", "--mount-proc", "true").code != 0:
        skip("namespaces are not allowed here")


@case
def a_program_that_is_deleted_after_it_ran_is_named():
    need_namespaces()
    compile_victim()
    record("-a", "--", "sh", "-c", "./v; rm ./v")
    check_kept("/v", "v")


@case
def a_program_that_was_replaced_keeps_its_names():
    need_namespaces()
    compile_victim()
    compile_c("int hot(void) { return 1; }\nint main(void) { return hot(); }\n", "other")
    record("-a", "--", "sh", "-c", "./v & sleep .2; rm v; cp other v; wait")
    check_kept("/v", "v")


@case
def a_program_of_a_container_that_is_gone_is_named():
    need_namespaces()
    compile_victim("v", "-static")
    record("--", *container("v"))
    check_kept("/app", "app")
    contains(strobe("buildid-list", "-i", "F").ok().out, " /app\n")
    lacks(strobe(*REPORT, "-i", "F").err, "no names")


@case
def libraries_of_a_container_are_named_too():
    need_namespaces()
    compile_victim("v", "-Wl,--build-id=none")
    lines = run("ldd", "v").ok().out
    files = re.findall(r"(/\S+) \(0x", lines)
    for mode in (("-g",), ("--call-graph", "dwarf,1024")):
        record("--", *container("v", *files), options=mode)
        check_kept("/app", "app")


@case
def a_program_in_an_overlay_is_named():
    need_namespaces()
    compile_victim("v", "-static")
    os.makedirs("lower")
    mount = "mount -t tmpfs none lower; mkdir lower/low lower/up lower/work; " \
            "mount -t overlay none -o lowerdir=lower/low,upperdir=lower/up,workdir=lower/work box"
    os.makedirs("box")
    if run("unshare", "-m", "sh", "-ec", mount).code != 0:
        skip("no overlayfs")
    record("--", *container("v", mount=mount))
    check_kept("/app", "app")


@case
def a_program_that_only_memory_has_is_named():
    need_namespaces()
    compile_victim()
    write("run.py", """
import os, sys
fd = os.memfd_create("app", 0)
os.write(fd, open("v", "rb").read())
os.execve(fd, ["app"], os.environ)
""")
    record("--", sys.executable, "run.py")
    check(any(stack[0][0] == "hot" for stack in victim.stacks()), "hot has no name")
    check(kept() >= (1, 1), kept())


@case
def a_perf_map_of_a_namespace_is_read_before_it_goes():
    need_namespaces()
    compile_c("jit.c", "jit", flags=("-O1", "-nostdlib", "-static"))
    command = ("unshare", "-pfm", "--mount-proc", "sh", "-ec", "mount -t tmpfs none /tmp; exec ./jit 3")
    record("--", *command)
    write("P", strobe("record", "-q", *CLOCK, "-o", "-", "--", *command).ok().out_bytes)
    with open("P", "rb") as stream:
        outputs = [strobe(*REPORT, "-i", "F"), strobe(*REPORT, "-i", "P"), strobe(*REPORT, "-i", "-", stdin=stream.read())]
    for out in outputs:
        share = re.search(r"([\d.]+)% +\[JIT\] tid \d+ +\[\.\] made::inner", out.out)
        check(share and float(share.group(1)) > 50, out.out)
        contains(out.out, "made::outer(int)")
        lacks(out.err, "no perf map")
    for program in {perf_path(), need_program("perf")}:
        run(program, "report", "-i", "F", "--stdio").ok()
        theirs = run(program, "script", "-i", "P").ok()
        equal(theirs.err, "")
        check(len(theirs.lines()) > 30, theirs.out)


def top(*words):
    """The rows of the frame that is drawn when the command has ended."""
    return strobe("top", "--batch", "-d", "60", *CLOCK, "--", *words).ok().out


@case
def top_names_what_has_gone_before_its_frame_is_drawn():
    need_namespaces()
    compile_victim("v", "-static")
    shares = re.findall(r"([\d.]+)% +app +\[\.\] hot$", top(*container("v")), re.M)
    check(shares and float(shares[0]) > 50, shares)
    check(re.search(r"% +v +\[\.\] hot$", top("sh", "-c", "./v; rm ./v"), re.M), "a deleted file has no names")
    compile_c("jit.c", "jit", flags=("-O1", "-nostdlib", "-static"))
    out = top("unshare", "-pfm", "--mount-proc", "sh", "-ec", "mount -t tmpfs none /tmp; exec ./jit 3")
    check(re.search(r"\[JIT\] tid \d+ +\[\.\] made::inner", out), out)


@case
def a_perf_map_that_was_deleted_since_is_in_the_recording():
    need_perf_events()
    path = compile_c("jit.c", "jit", flags=("-O1", "-nostdlib", "-static"))
    record("--", "sh", "-c", path + " 3& wait $!; sleep .3; rm /tmp/perf-$!.map")
    contains(strobe(*REPORT, "-i", "F").ok().out, "made::inner")


@case
def a_program_that_stays_where_it_is_costs_nothing():
    need_perf_events()
    compile_victim()
    record("--", "./v")
    equal(kept(), (0, 0))
    victim.check_named(victim.stacks(), "/v")


@case
def no_names_are_kept_where_nobody_wants_any():
    need_namespaces()
    compile_victim("v", "-static")
    for words in (("--no-kept-names",), ("-B",), ("--no-timestamp",)):
        record("--", *container("v"), options=words)
        equal(kept(), (0, 0), words)
        contains(strobe(*REPORT, "-i", "F").ok().err, "no names in 'app'")


@case
def build_ids_of_files_that_are_gone_are_in_the_header_of_a_recording_without_them_in_its_mappings():
    need_namespaces()
    compile_victim("v", "-static")
    build_id = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", "v").ok().out).group(1)
    record("--no-buildid-mmap", "--", *container("v"))
    contains(strobe("buildid-list", "-i", "F").ok().out, build_id + " /app\n")
    contains(run(perf_path(), "buildid-list", "-i", "F").ok().out, build_id + " /app\n")
    check_kept("/app", "app")


@case
def few_descriptors_are_enough():
    need_namespaces()
    compile_victim("v", "-static")
    script = "ulimit -Hn 24; exec \"$@\""
    run("sh", "-c", script, "sh", STROBE, "record", "-q", *CLOCK, "-g", "-o", "F", "--", *container("v"),
        env={"ASAN_OPTIONS": "detect_leaks=0"}).ok()
    check_kept("/app", "app")


main()
