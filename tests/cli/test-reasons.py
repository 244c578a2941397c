"""Code without a name: rows and programs are told why, and the end of a report says what helps."""
import json
import os
import re

from crafted import IP, TID, TIME, Crafted
from tap import case, check, compile_c, contains, equal, lacks, main, need_program, run, skip, strobe, write

SOURCE = "int main(void) { for (volatile int i = 0; i < 9; i++) ; return 0; }\n"
REPORT = ("report", "--stdio", "--no-children", "-g", "none", "-s", "dso,sym")


def built(name, *flags, source=SOURCE):
    compile_c(source, name, flags)
    return os.path.abspath(name)


def recording(*mappings, path="F"):
    """A process for each mapping: (name, more of mmap2), with a sample in it."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    for pid, (name, more) in enumerate(mappings, 7):
        file.comm(pid, "x", time=1)
        file.mmap2(pid, 0x100000, 0x10000, name, time=2, **more)
        file.sample(event, ip=0x101234, pid=pid, tid=pid, time=9)
    file.write(path)


def rows(*words):
    """What stands in the symbol column."""
    out = strobe(*REPORT, *words, "-i", "F").ok().out
    return [row.strip() for row in re.findall(r"% .*\[[.k]\] (.*)$", out, re.M)]


def reasons(*words):
    """As programs are told: of report's rows, and of script's frames."""
    report = json.loads(strobe("report", "--format", "json", "-s", "dso,sym", *words, "-i", "F").ok().out)
    script = [json.loads(line) for line in strobe("script", "--format", "json", *words, "-i", "F").ok().lines()]
    return ([row["symbol"].get("reason") for row in report["events"][0]["rows"]],
            [record["frames"][0].get("symbol_reason") for record in script if record.get("type") == "sample"])


def said(*words):
    return strobe(*REPORT, *words, "-i", "F").ok().err


# What is mapped, the word for programs, whether rows show it, a part of the sentence, a part of what helps.
def cases():
    stripped = built("stripped", "-s", "-static", "-nostdlib", source="void _start(void) { for (;;) ; }\n")
    write("text", "no program\n" * 1000)
    other = built("other", "-Wl,--build-id")
    return (
        ("/nowhere/gone", {}, "no file", False, "no such file", "--symfs"),
        (os.path.abspath("text"), {}, "not an ELF file", True, "not an ELF file", None),
        (stripped, {"pgoff": 0, "inode": os.stat(stripped).st_ino}, "no symbols", True, "stripped", "compile and link it with -g"),
        (other, {"build_id": b"\5" * 20}, "build-id mismatch", True, "build-id mismatch", "record again"),
        (other + " (deleted)", {"inode": os.stat(other).st_ino + 1}, "deleted", True, "deleted, and no build-id", "record again"),
        ("//anon", {}, "jit", True, "no perf map of its JIT compiler", "strobe-record(1)"),
    )


@case
def each_reason_has_its_words():
    for name, more, word, is_shown, sentence, help in cases():
        recording((name, more))
        equal(reasons(), ([word], [word]), name)
        mark = re.match(r"0x0000000000[0-9a-f]*(?: (\[.*\]))?$", rows()[0])
        check(mark, rows())
        equal(mark[1], "[%s]" % word if is_shown else None, name)
        err = said()
        contains(err, ": " + sentence)
        contains(err, " (100.0% of the samples)\n")
        equal("hint: " in err, help is not None, err)
        contains(err, help or "")
        equal([line.split() for line in strobe("script", "-F", "ip,sym", "-i", "F").ok().lines()], [["101234", "[unknown]"]])


@case
def of_two_files_of_one_name_neither_is_taken():
    path = built("twice")
    inode = os.stat(path).st_ino
    recording((path, {"inode": inode + 1}), (path, {"inode": inode + 2}))
    equal(reasons()[1], ["replaced", "replaced"])
    contains(rows()[0], " [replaced]")


@case
def what_a_map_does_not_tell_of_is_made_at_run_time_too():
    recording(("//anon", {}))
    path = "/tmp/perf-7.map"
    if os.path.exists(path):
        skip("there is a %s" % path)
    try:
        write(path, "100000 100 elsewhere\n")
        equal(reasons(), (["jit"], ["jit"]))
        equal(rows(), ["0x0000000000101234 [jit]"])
        contains(said(), "not all names in '[JIT] tid 7': its perf map does not tell of it")
        write(path, "100000 2000 here\n")
        equal(reasons(), ([None], [None]))
        equal(rows(), ["here"])
        equal(said(), "")
    finally:
        os.unlink(path)


@case
def below_symfs_a_missing_map_is_but_missing():
    os.makedirs("empty")
    recording(("//anon", {}), ("/nowhere/gone", {}))
    equal(rows("--symfs", "empty"), ["0x0000000000101234", "0x0000000000001234"])


@case
def a_library_that_has_only_what_others_call_lacks_names():
    source = "static __attribute__((noinline)) int hidden(int n) { return n * 3; }\nint seen(int n) { return hidden(n) + 1; }\n"
    compile_c(source, "lib.so", ("-shared", "-fPIC", "-O1", "-s", "-Wl,--build-id=none"))
    path = os.path.abspath("lib.so")
    recording((path, {"inode": os.stat(path).st_ino, "pgoff": 0}))
    contains(said(), "not all names in 'lib.so': stripped (100.0% of the samples)\n"
             "  hint: compile and link it with -g, and do not strip it\n")
    report = json.loads(strobe("report", "--format", "json", "-i", "F").ok().out)
    equal([(item["partly"], item["word"], item["percent"], len(item["advice"])) for item in report["unnamed"]],
          [(True, "no symbols", 100, 1)])
    equal(reasons(), (["no symbols"], ["no symbols"]))
    equal(rows(), ["0x0000000000001234"])


@case
def compilers_are_known_by_their_programs():
    for program, help in (("/usr/bin/node", "--perf-basic-prof"), ("/opt/jdk/bin/java", "-XX:+DumpPerfMapAtExit"),
                          ("/usr/bin/python3.12", "PYTHONPERFSUPPORT=1"), ("/x/dotnet", "DOTNET_PerfMapEnabled=1"),
                          ("/bin/other", "/tmp/perf-PID.map")):
        file = Crafted()
        event = file.event(sample_type=IP | TID | TIME)
        file.mmap2(7, 0x400000, 0x1000, program, time=1)
        file.mmap2(7, 0x100000, 0x10000, "//anon", time=2)
        file.sample(event, ip=0x101234, pid=7, tid=7, time=9)
        file.write("F")
        contains(said(), help)


@case
def the_package_that_has_the_symbols_is_named():
    query = need_program("dpkg-query")
    path = "/usr/bin/env"
    owner = run(query, "-S", path)
    if owner.code != 0:
        skip("no package has %s" % path)
    package = owner.out.split(":")[0]
    notes = run("readelf", "-nlW", path).ok().out
    build_id = re.search(r"Build ID: ([0-9a-f]{40})", notes)
    text = re.search(r"LOAD +0x([0-9a-f]+) 0x([0-9a-f]+) .* R E ", notes)
    if not build_id or not text:
        skip("%s has no build-id" % path)
    recording((path, {"build_id": bytes.fromhex(build_id[1]), "pgoff": int(text[1], 16)}))
    if "names in 'env'" not in said():
        skip("its symbols are here")
    contains(strobe(*REPORT, "-i", "F", env={"DEBUGINFOD_URLS": ""}).ok().err, "  hint: apt install %s-dbgsym\n" % package)


@case
def quiet_reports_say_nothing():
    recording(("/nowhere/gone", {}))
    equal(said("-q"), "")
    lacks(strobe(*REPORT, "-i", "F").ok().out, "hint")


main()
