"""Stacks that are right: of programs that know their own call paths, in the forms that compilers and linkers make."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

from tap import (case, check, contains, equal, lacks, main, need_perf_events, need_program, perf, perf_path, run, same_text,
                 skip, strobe, SOURCE_ROOT, STROBE)

SOURCE = os.path.join(SOURCE_ROOT, "tests/programs/path.c")
BASIC = ["-O2", "-g", "-fomit-frame-pointer", "-fno-optimize-sibling-calls"]
BUILDS = {
    "C": [],
    "C without optimization": ["-O0"],
    "position-dependent": ["-fno-pie", "-no-pie"],
    "position-independent": ["-fPIE", "-pie"],
    "static": ["-static"],
    "static and position-independent": ["-static-pie"],
    "C++ with exceptions": ["-x", "c++"],
    "frame pointers": ["-fno-omit-frame-pointer"],
    "frame pointers, C++ with exceptions": ["-fno-omit-frame-pointer", "-x", "c++"],
    "frame pointers but in leaves": ["-fno-omit-frame-pointer", "-momit-leaf-frame-pointer"],
    "call frame information for debuggers alone": ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"],
}
KEEPS_FRAME_POINTERS = "-fno-omit-frame-pointer"
PATHS = 300
# The C library's functions on a path are not known.
FUNCTIONS = ("main", "step", "a", "b", "c", "d", "e", "compare", "touch", None)
LEAST = 0.995


def build(flags, name="program"):
    compiler = need_program("g++" if "c++" in flags else "gcc")
    if subprocess.run([compiler, *BASIC, *flags, "-w", "-o", name, SOURCE], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, check=False).returncode:
        skip("no such programs can be built here")
    return os.path.abspath(name)


def strip_with_link(program):
    """All that names functions goes to a file of its own."""
    objcopy = need_program("objcopy")
    run(objcopy, "--only-keep-debug", program, program + ".debug").ok()
    run(objcopy, "--strip-all", "--add-gnu-debuglink=" + program + ".debug", program).ok()


def samples_of(path, fields="ip,sym,dso"):
    lines = strobe("script", "--format", "json", "-F", fields, "--max-stack", "200", "-i", path).ok().lines()
    return [s for s in map(json.loads, lines) if s.get("type") == "sample"]


def names_of(sample):
    """From main() on."""
    names = [frame.get("symbol") for frame in sample["frames"]]
    return names[:names.index("main") + 1][::-1] if "main" in names else names[::-1]


def record(options, program, mode, count, how="dwarf,32768"):
    return strobe("record", "-q", "-o", "x.data", "-m", "8M", "--call-graph", how, *options, "--", program, mode,
                  str(count)).ok()


def functions_of(letter):
    return ("step", "e", "compare") if letter == "e" else ("step", letter)


def pages_right(program, options, leaf=("step", "touch"), mode="pages", how="dwarf,32768"):
    """(right, all) of the samples whose path is known; paths end with the leaf."""
    said = record(["-e", "page-faults:u", "-c", "1", "-d", *options], program, mode, PATHS, how).out.splitlines()
    first, paths = int(said[0], 16), said[1:]
    right = known = 0
    for sample in samples_of("x.data", "ip,sym,addr"):
        page = (int(sample["addr"]["addr"], 16) - first) // 4096
        if not 0 <= page < PATHS:
            continue
        known += 1
        expected = ["main"] + [name for letter in paths[page] for name in functions_of(letter)] + list(leaf)
        # What only wraps may have become a part of main().
        names = [name for name in names_of(sample) if name in FUNCTIONS]
        right += names == expected
    return right, known


def cycles_right(program, options):
    record(["-e", "cpu-clock:u", "-F", "4000", *options], program, "cycle", 20)
    right = known = 0
    for sample in samples_of("x.data"):
        names = [name for name in names_of(sample) if name not in ("run_cycle", "leaf")]
        inner = [frame.get("symbol") for frame in sample["frames"]][0]
        if inner not in ("one", "two", "three", "leaf"):
            continue
        known += 1
        row = ["one", "two", "three"] * 8
        right += names == ["main"] + row[:len(names) - 1] and len(names) > 1
    return right, known


def all_are_right(program, keeps_frame_pointers=False):
    """With copies that hold the whole stack, and, with frame pointers, with those that hold the innermost frames."""
    for options in ([], ["--store-stacks"]):
        figures = [pages_right(program, options), cycles_right(program, options),
                   pages_right(program, options, mode="mixed", how="auto,32768")]
        if keeps_frame_pointers:
            figures.append(pages_right(program, options, how="auto,1024"))
        for right, known in figures:
            check(known > 100, "only %d samples of known paths" % known)
            check(right >= LEAST * known, "%s: %d of %d stacks are right" % (options, right, known))


def add_build(name, flags):
    def case_of_build():
        need_perf_events()
        all_are_right(build(flags), KEEPS_FRAME_POINTERS in flags)
    case_of_build.__name__ = "stacks_are_right_of_%s" % re.sub(r"\W+", "_", name)
    case(case_of_build)


for build_name, build_flags in BUILDS.items():
    add_build(build_name, build_flags)


@case
def stacks_are_right_of_stripped_programs_with_a_debug_file():
    need_perf_events()
    for flags in ([], ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]):
        program = build(flags)
        strip_with_link(program)
        all_are_right(program)


def has_no_copies(path):
    sizes = re.findall(r"ustack: size (\d+)", strobe("report", "-D", "-i", path).ok().out)
    equal(set(sizes), {"0"})


@case
def each_stack_says_what_became_of_it():
    need_perf_events()
    program = build([])
    recording = ["record", "-q", "-m", "8M", "-e", "cpu-clock:u", "-F", "999", "--call-graph", "dwarf,4096"]
    work = ["--", program, "cycle", "2000", "0.1"]
    strobe(*recording, "-o", "x.data", *work).ok()
    with open("x.pipe", "wb") as out:
        out.write(strobe(*recording, "-o", "-", *work).ok().out_bytes)
    strobe(*recording, "-o", "stored.data", "--store-stacks", *work).ok()
    for path in ("x.data", "x.pipe", "stored.data"):
        stacks = json.loads(strobe("report", "--format", "json", "--max-stack", "200", "-i", path).ok().out)["stacks"]
        said = [sample.get("stack") for sample in samples_of(path, "ip")]
        for verdict in ("stitched", "gap", "truncated", "no_cfi", "damaged", "cut"):
            equal((path, verdict, said.count(verdict)), (path, verdict, stacks[verdict]))
        check(len(said) - said.count(None) > 10, said)
    # perf passes over what it does not know, in files and in pipes.
    if perf_path():
        for path in ("x.data", "x.pipe"):
            outputs = [reader("script", "--no-inline", "-F", "ip,time", "-i", path, env={"HOME": os.getcwd()}).ok().lines()
                       for reader in (strobe, perf)]
            # perf prints names of pipes, too.
            equal(*([line.split()[:1] for line in lines] for lines in outputs))


@case
def who_cannot_keep_up_stores_stacks():
    need_perf_events()
    program = build([])
    recorder = subprocess.Popen([STROBE, "record", "-o", "x.data", "-m", "256K", "-e", "cpu-clock:u", "-F", "999", "--call-graph",
                                 "dwarf,8192", "--", program, "cycle", "20", "1"], stderr=subprocess.PIPE, text=True)
    time.sleep(0.4)
    recorder.send_signal(signal.SIGSTOP)
    time.sleep(0.4)
    recorder.send_signal(signal.SIGCONT)
    said = recorder.communicate()[1]
    equal(recorder.returncode, 0)
    told = re.search(r"could not keep up, and stored (\d+) stacks that it did not unwind, from (\d+\.\d+) to (\d+\.\d+)", said)
    check(told, said)
    stored, first, last = int(told[1]), float(told[2]), float(told[3])
    samples = samples_of("x.data", "time,ip,sym")
    whole = [names_of(sample)[0] == "main" for sample in samples]
    check(sum(whole) > 0.97 * len(whole), "%d of %d" % (sum(whole), len(whole)))
    times = [int(sample["time_ns"]) / 1e9 for sample in samples]
    check(min(times) <= first <= last <= max(times) + 1e-6 and stored < len(samples), (first, last))
    sizes = [int(size) for size in re.findall(r"ustack: size (\d+)", strobe("report", "-D", "-i", "x.data").ok().out)]
    equal(sum(size > 0 for size in sizes), stored)
    stacks = json.loads(strobe("report", "--format", "json", "-i", "x.data").ok().out)["stacks"]
    equal((stacks["stored"], stacks["count"]), (stored, len(samples)))
    if perf_path():
        reading = ["script", "--no-inline", "-F", "ip,time", "-i", "x.data"]
        same_text(strobe(*reading).ok().out, perf(*reading, env={"HOME": os.getcwd()}).ok().out, expected_name="perf")


@case
def chains_by_frame_pointers_and_copies_are_joined():
    """The kernel's chain lacks callers of what keeps no frame pointers, and a small copy lacks the outer frames."""
    need_perf_events()
    program = build([KEEPS_FRAME_POINTERS, "-momit-leaf-frame-pointer"])
    right, known = pages_right(program, [], how="fp")
    check(known > 100 and right < 0.5 * known, "frame pointers alone: %d of %d" % (right, known))
    right, known = pages_right(program, ["--store-stacks"], how="dwarf,1024")
    check(known > 100 and right < 0.5 * known, "small copies alone: %d of %d" % (right, known))
    right, known = pages_right(program, [], how="auto,1024")
    check(known > 100 and right >= LEAST * known, "both: %d of %d" % (right, known))
    attr = strobe("evlist", "-v", "-i", "x.data").ok().out
    lacks(attr, "exclude_callchain_user")
    has_no_copies("x.data")
    # perf reads what was joined; a stack that was stored both ways it shows twice.
    if perf_path():
        reading = ["script", "--no-inline", "-i", "x.data", "-F", "ip"]
        same_text(strobe(*reading).ok().out, perf(*reading, env={"HOME": os.getcwd()}).ok().out, expected_name="perf")
    pages_right(program, ["--store-stacks"], how="auto,1024")
    attr = strobe("evlist", "-v", "-i", "x.data").ok().out
    contains(attr, "REGS_USER|STACK_USER")
    contains(attr, "sample_stack_user: 1024")
    lacks(attr, "exclude_callchain_user")


@case
def what_call_graph_means_can_be_set():
    need_perf_events()
    program = build([])
    with open("settings", "w") as out:
        out.write("[record]\n\tcall-graph = auto,2048\n")
    strobe("record", "-q", "-o", "x.data", "-g", "--store-stacks", "-e", "cpu-clock:u", "--", program, "cycle", "3", "0.01",
           env={"PERF_CONFIG": os.path.abspath("settings")}).ok()
    contains(strobe("evlist", "-v", "-i", "x.data").ok().out, "sample_stack_user: 2048")


@case
def live_unwinding_writes_plain_call_chains():
    need_perf_events()
    program = build([])
    record(["-e", "cpu-clock:u", "-F", "999"], program, "cycle", 20)
    attr = strobe("evlist", "-v", "-i", "x.data").ok().out
    contains(attr, "CALLCHAIN")
    lacks(attr, "exclude_callchain_user")
    has_no_copies("x.data")
    live = os.path.getsize("x.data")
    # What became of the stacks is kept, and perf's reading is ours.
    stacks = json.loads(strobe("report", "--format", "json", "-i", "x.data").ok().out)["stacks"]
    check(stacks["count"] > 10 and stacks["complete"] > 0.99 * stacks["count"], stacks)
    if perf_path():
        reading = ["script", "--no-inline", "-i", "x.data", "-F", "ip,sym"]
        same_text(strobe(*reading).ok().out, perf(*reading, env={"HOME": os.getcwd()}).ok().out, expected_name="perf")
    record(["-e", "cpu-clock:u", "-F", "999", "--store-stacks"], program, "cycle", 20)
    attr = strobe("evlist", "-v", "-i", "x.data").ok().out
    contains(attr, "REGS_USER|STACK_USER")
    check(live * 40 < os.path.getsize("x.data"), "%d bytes, and %d with copies" % (live, os.path.getsize("x.data")))


@case
def deep_stacks_are_stitched_from_small_copies():
    need_perf_events()
    program = build([])
    strobe("record", "-q", "-o", "x.data", "-m", "4M", "-e", "cpu-clock:u", "-F", "4000", "--call-graph", "dwarf,8192", "--",
           program, "cycle", "2000").ok()
    lines = strobe("script", "--format", "json", "-F", "ip,sym", "--max-stack", "4000", "-i", "x.data").ok().lines()
    stacks = [names_of(s) for s in map(json.loads, lines) if s.get("type") == "sample"]
    row = ["one", "two", "three"] * 2000
    deep = [[name for name in names if name not in ("run_cycle", "leaf")] for names in stacks if len(names) > 600]
    check(len(deep) > 20, "only %d deep stacks" % len(deep))
    whole = [names for names in deep if names[0] == "main" and None not in names]
    check(len(whole) > 0.9 * len(deep), "%d of %d are whole" % (len(whole), len(deep)))
    check(all(names[1:] == row[:len(names) - 1] for names in whole), "a stack is not right")


@case
def of_the_deepest_stacks_both_ends_are_there():
    need_perf_events()
    program = build([])
    strobe("record", "-q", "-o", "x.data", "-m", "8M", "-e", "cpu-clock:u", "-F", "999", "--call-graph", "dwarf,8192", "--",
           program, "cycle", "20000").ok()
    stacks = json.loads(strobe("report", "--format", "json", "-g", "none", "--no-children", "-i", "x.data").ok().out)["stacks"]
    lines = strobe("script", "--format", "json", "-F", "ip,sym", "--max-stack", "9000", "-i", "x.data").ok().lines()
    gaps = 0
    for sample in (s for s in map(json.loads, lines) if s.get("type") == "sample"):
        frames = sample["frames"]
        at = [i for i, frame in enumerate(frames) if frame["addr"] == "0x0"]
        if not at:
            continue
        gaps += 1
        names = [name for name in names_of(sample) if name not in ("run_cycle", "leaf")]
        equal(names[0], "main")
        outer = names[1:names.index(None)]
        equal(outer, (["one", "two", "three"] * 3000)[:len(outer)])
        check(len(frames) < 8192 and (len(outer) > 500 or len(frames) < 4000), (len(frames), at))
    equal(stacks["gap"], gaps)
    check(gaps > 10, stacks)


@case
def compilers_stacks_reach_main_with_small_copies():
    """Their frames are large, deep inside, and come and go."""
    need_perf_events()
    compiler = need_program("gcc")
    with open("big.c", "w") as out:
        for i in range(150):
            out.write("int f%d(int *p, int n)\n{\n\tint s = 0;\n\tfor (int i = 0; i < n; i++)\n"
                      "\t\ts += p[i] * %d + (p[i] >> %d);\n\treturn s ? s : n;\n}\n" % (i, i, i % 31))
    strobe("record", "-q", "-o", "x.data", "-F", "2999", "--call-graph", "dwarf,16384", "--", compiler, "-O2", "-c", "big.c").ok()
    stacks = json.loads(strobe("report", "--format", "json", "-g", "none", "--no-children", "-i", "x.data").ok().out)["stacks"]
    reach = stacks["complete"] + stacks["stitched"] + stacks["gap"]
    check(stacks["count"] > 200 and reach > 0.97 * stacks["count"], stacks)


@case
def registers_that_were_asked_for_stay():
    need_perf_events()
    program = build([])
    record(["-e", "cpu-clock:u", "-F", "999", "--user-regs=ip,sp"], program, "cycle", 20)
    attr = strobe("evlist", "-v", "-i", "x.data").ok().out
    contains(attr, "REGS_USER")
    has_no_copies("x.data")
    check(all(set(sample["uregs"]["values"]) == {"SP", "IP"} for sample in samples_of("x.data", "ip,uregs")), "registers")
    right = [names_of(sample)[0] == "main" for sample in samples_of("x.data")]
    check(sum(right) > 0.9 * len(right), right)


@case
def deleted_programs_are_unwound_while_they_run():
    need_perf_events()
    program = build([])
    shutil.copy(program, "gone")
    result = strobe("record", "-q", "-o", "x.data", "-e", "cpu-clock:u", "-F", "999", "--call-graph", "dwarf", "--",
                    "sh", "-c", "./gone cycle 20 0.8 & sleep 0.1; rm ./gone; wait").ok()
    equal(result.err, "")
    depths = [len(sample["frames"]) for sample in samples_of("x.data")
              if sample["frames"] and sample["frames"][0].get("dso", "").startswith(os.getcwd())]
    check(len(depths) > 50, depths)
    check(sum(depth > 3 for depth in depths) > 0.95 * len(depths), depths)


@case
def programs_without_a_build_id_are_unwound_that_end_before_anybody_looks():
    need_perf_events()
    program = build(["-Wl,--build-id=none"])
    for _ in range(3):
        strobe("record", "-q", "-o", "x.data", "-e", "page-faults:u", "-c", "1", "--call-graph", "dwarf", "--",
               program, "pages", "50").ok()
        stacks = json.loads(strobe("report", "--format", "json", "-i", "x.data").ok().out)["stacks"]
        check(stacks["count"] > 50, stacks)
        check(stacks["no_cfi"] < 0.05 * stacks["count"], stacks)


@case
def frame_pointers_lead_where_nothing_else_does():
    need_perf_events()
    flags = ["-g0", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-omit-frame-pointer"]
    program = build(flags)
    for options in ([], ["--store-stacks"]):
        # Nothing tells that the leaf has no frame of its own, and whose is the one that is there.
        right, known = pages_right(program, options, leaf=("touch",))
        check(known > 100 and right >= LEAST * known, "%d of %d stacks are right" % (right, known))
        stacks = json.loads(strobe("report", "--format", "json", "-i", "x.data").ok().out)["stacks"]
        check(stacks["no_cfi"] >= known, stacks)
        equal(stacks["objects"][0]["dso"], "program")
        contains(strobe("report", "-i", "x.data").ok().err, "no call frame information in 'program'")


@case
def what_is_not_complete_is_said_with_what_helps():
    need_perf_events()
    program = build([])
    strobe("record", "-q", "-o", "x.data", "-e", "page-faults:u", "-c", "1", "-d", "-m", "4M", "--store-stacks", "--call-graph",
           "dwarf,1024", "--", program, "pages", "200").ok()
    said = strobe("report", "-i", "x.data").ok().err
    check(re.search(r"of \d+ copied stacks [\d.]+% are complete, longer than their copy: [\d.]+%", said), said)
    contains(said, "hint: longer copies ")
    check("--call-graph dwarf,1024" not in said, said)
    stacks = json.loads(strobe("report", "--format", "json", "-i", "x.data").ok().out)["stacks"]
    equal(stacks["count"], sum(stacks[key] for key in ("complete", "truncated", "no_cfi", "damaged", "cut")))
    check(stacks["truncated"] > 50 and 1024 < stacks["size_needed"] < 65528, stacks)
    # As said: no copy of this size is too small.
    size = (stacks["size_needed"] + 7) // 8 * 8
    strobe("record", "-q", "-o", "x.data", "-e", "page-faults:u", "-c", "1", "-d", "-m", "4M", "--store-stacks", "--call-graph",
           "dwarf,%d" % (size + 2048), "--", program, "pages", "200").ok()
    equal(json.loads(strobe("report", "--format", "json", "-i", "x.data").ok().out)["stacks"]["truncated"], 0)


main()
