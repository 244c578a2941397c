"""Hardware counters: strobe for arm64 in a virtual machine that has a PMU, beside the perf there.

STROBE_GUEST names what tests/guest/build made (ci/check and "make check-guest" do both); else those cases skip. The
machine is booted once, runs all of tests/guest/record.sh, and hands back what that left; the cases look at it. Those
that look at what tests/guest/pmu.sh left do so on this machine, too, if it has a PMU.
"""
import os
import re
import shutil
import subprocess
import tempfile

import selfcount
from tap import (BUILD_ROOT, SOURCE_ROOT, STROBE, Failure, case, check, contains, equal, lacks, main, need_program, read, run,
                 same_text, skip, strobe)

SECONDS = 600

_booted = []
_here = []


def boot(guest):
    """The folder of what the guest left."""
    out = tempfile.mkdtemp(prefix="strobe-guest-")
    files = [os.path.join(guest, name) for name in ("strobe/src/cmd/strobe", "work", "work.symbols", "self-count")]
    files += [os.path.join(SOURCE_ROOT, "tests/guest/pmu.sh")]
    done = subprocess.run([os.path.join(SOURCE_ROOT, "tests/guest/boot"), "-o", out, guest,
                           os.path.join(SOURCE_ROOT, "tests/guest/record.sh"), *files],
                          env=dict(os.environ, TIMEOUT=str(SECONDS)), check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS + 60)
    if done.returncode != 0:
        shutil.rmtree(out)
        return Failure("the guest ended with %d\n%s" % (done.returncode, done.stdout[-3000:]))
    return out


def guest_path(name):
    """Where lies what the guest left under that name; boots it if that was not done yet."""
    guest = os.environ.get("STROBE_GUEST") or skip("STROBE_GUEST names no guest; see tests/guest/build")
    need_program("qemu-system-aarch64")
    need_program("cpio")
    if not _booted:
        _booted.append(boot(guest))
        if isinstance(_booted[0], Failure):
            raise _booted[0]
    if isinstance(_booted[0], Failure):
        skip("the guest did not run")
    path = os.path.join(_booted[0], name)
    check(os.path.exists(path), "the guest left no " + name)
    return path


def guest_file(name):
    return read(guest_path(name))


def measure_here():
    """The folder of what pmu.sh left on this machine; None if that has no PMU, or not all of it for us."""
    out = tempfile.mkdtemp(prefix="strobe-here-")
    library = os.path.join(BUILD_ROOT, "src/lib/libstrobe.a")
    flags = ["-fsanitize=address,undefined"] if "__asan_" in run("nm", library).out else []
    run("gcc", "-O2", "-I", os.path.join(SOURCE_ROOT, "include"), "-o", out + "/self-count",
        os.path.join(SOURCE_ROOT, "tests/programs/self-count.c"), library, *flags).ok()
    if "direct cycles " not in run(out + "/self-count", "direct").out:
        shutil.rmtree(out)
        return None
    run("gcc", "-O1", "-g", "-fno-builtin", "-fno-omit-frame-pointer", "-o", out + "/work",
        os.path.join(SOURCE_ROOT, "tests/guest/work.c")).ok()
    os.symlink(STROBE, out + "/strobe")
    run("sh", os.path.join(SOURCE_ROOT, "tests/guest/pmu.sh"), cwd=out, timeout=SECONDS,
        env={"PATH": out + ":" + os.environ["PATH"], "TURNS": "200000000"}).ok()
    return out


def on_each_pmu(look):
    """Calls look(file, is_guest) for the guest and for this machine, as far as there are such: file(NAME) is what pmu.sh
    left as pmu.NAME."""
    if not _here:
        _here.append(measure_here())
    if _here[0]:
        look(lambda name: read(os.path.join(_here[0], "pmu." + name)), False)
    if os.environ.get("STROBE_GUEST"):
        look(lambda name: guest_file("pmu." + name), True)
    elif not _here[0]:
        skip("there are no hardware counters, and STROBE_GUEST names no guest")


def attrs(name, program="strobe"):
    """What evlist -v says of each event, as {field: value}; its name is the field "event"."""
    text = guest_file("%s.%s-evlist" % (name, program))
    events = []
    for line in text.splitlines():
        if not line.startswith("#"):
            event, fields = re.match(r"(.*?): (type: .*)", line).groups()
            fields = fields.replace("{ sample_period, sample_freq }", "sample_freq")
            fields = re.sub(r"{ bp_(addr|len), config\d }", r"bp_\1", fields)
            events.append(dict([("event", event)] + [f.split(": ", 1) for f in fields.split(", ")]))
    check(events, "no events in:\n" + text)
    return events


def samples(name):
    """Of each sample: the event's line, then the frames as "symbol (file)", innermost first."""
    found = []
    for block in guest_file(name + ".strobe-script").split("\n\n"):
        lines = block.strip("\n").splitlines()
        if lines:
            found.append([lines[0]] + [re.sub(r"^\s*[0-9a-f]+ |\+0x[0-9a-f]+", "", line) for line in lines[1:]])
    return found


def shares(name):
    """{symbol: percent} of a report without call chains."""
    found = {}
    rows = re.findall(r"^ +([0-9.]+)% +\S+ +\S+ +\[.\] (\S+)", guest_file(name + ".strobe-report"), re.M)
    for percent, symbol in rows:
        found[symbol] = found.get(symbol, 0) + float(percent)
    return found


def said(name):
    return guest_file(name + ".strobe-said")


def recorded(name):
    contains(said(name), "\nexit 0\n")
    return int(re.search(r"\((\d+) samples\)", said(name)).group(1))


@case
def an_event_that_nobody_names_is_cycles_as_precise_as_can_be():
    check(recorded("default") > 0)
    attr, = attrs("default")
    equal((attr["event"], attr["type"], attr["config"]), ("cycles:P", "0 (PERF_TYPE_HARDWARE)", "0 (PERF_COUNT_HW_CPU_CYCLES)"))
    equal(attr["sample_freq"], "4000")
    equal(attr["precise_ip"], "3")
    lacks(said("default"), "cpu-clock")


# The guest's perf is 6.1: later ones leave exclude_guest alone, ask for build-ids, and name the default cycles:P.
YOUNGER = ("event", "size", "exclude_guest", "build_id")


@case
def attrs_are_perfs():
    for name in ("default", "user", "terms", "group", "read", "chains", "registers", "some-registers", "copies"):
        theirs = [{k: v for k, v in attr.items() if k not in YOUNGER} for attr in attrs(name, "perf")]
        ours = [{k: v for k, v in attr.items() if k not in YOUNGER} for attr in attrs(name)]
        if name == "copies":
            # Where the data were: later ones do not ask for that to unwind stacks.
            theirs[0]["sample_type"] = theirs[0]["sample_type"].replace("ADDR|", "").replace("|DATA_SRC", "")
        equal((name, ours), (name, theirs))


@case
def modifiers_say_what_is_excluded():
    user, = attrs("user")
    equal([user.get("exclude_" + what) for what in ("kernel", "user", "hv")], ["1", None, "1"])
    kernel, = attrs("kernel")
    equal([kernel.get("exclude_" + what) for what in ("kernel", "user", "hv")], [None, "1", "1"])


@case
def who_may_not_watch_the_kernel_gets_user_space_and_is_told():
    contains(said("unprivileged"), "no permission to watch the kernel: 'cycles:P' counts user space only")
    attr, = attrs("unprivileged")
    equal((attr["exclude_kernel"], attr["precise_ip"], attr["config"]), ("1", "3", "0 (PERF_COUNT_HW_CPU_CYCLES)"))


@case
def raw_events_and_terms_of_the_pmu_are_its_own():
    raw, = attrs("raw")
    equal((raw["type"].split()[0], raw["config"]), ("4", "0x11"))
    pmu, number = guest_file("pmu").strip(), guest_file("pmu-type").strip()
    by_number, by_name = attrs("terms")
    equal(by_number["event"], pmu + "/config=0x11/")
    equal(by_name["event"], pmu + "/cpu_cycles/u")
    for attr in (by_number, by_name):
        equal((attr["type"].split()[0], attr["config"]), (number, "0x11"))
    equal(by_name["exclude_kernel"], "1")


@case
def groups_are_recorded_and_read_together():
    check(recorded("group") > 0 and recorded("read") > 0)
    leader, member = attrs("group")
    equal((leader.get("disabled"), member.get("disabled")), ("1", None))
    for attr in attrs("read"):
        contains(attr["sample_type"], "READ")
        contains(attr["read_format"], "GROUP")
    equal(attrs("read")[1].get("sample_freq"), None)


@case
def a_fixed_period_gives_as_many_samples_as_the_work_takes():
    # One instruction is one cycle here, and the loops have at least 5.
    check(100000 * 4 * 5 / 10000 < recorded("period") < 1000, said("period"))
    check(recorded("often") < recorded("default"))


@case
def call_chains_name_every_function_down_to_main():
    hot = [frames for _, *frames in samples("chains") if frames and frames[0].startswith("leaf_hot ")]
    cold = [frames for _, *frames in samples("chains") if frames and frames[0].startswith("leaf_cold ")]
    check(len(hot) > len(cold) > 0, "%d hot, %d cold" % (len(hot), len(cold)))
    want = ["%s (/t/work)" % name for name in ("middle", "outer", "use_chain", "main")]
    whole = [frames for frames in hot + cold if frames[1:5] == want]
    # Not those of the few samples before a function has its frame.
    check(len(whole) > 0.9 * len(hot + cold), "%d of %d" % (len(whole), len(hot + cold)))


@case
def with_frame_pointers_the_link_register_is_sampled():
    equal(attrs("chains")[0]["sample_regs_user"], "0x40000000")


@case
def stubs_of_the_plt_are_named():
    found = shares("plt")
    for name in ("abs@plt", "abs", "use_plt"):
        check(found.get(name, 0) > 10, "%s: %r" % (name, found))


@case
def functions_of_the_vdso_are_named():
    contains(guest_file("vdso.strobe-script"), "__kernel_clock_gettime")
    check(shares("vdso").get("__kernel_clock_gettime", 0) > 20, repr(shares("vdso")))


@case
def functions_of_the_kernel_are_named_from_the_innermost_to_the_entry():
    chains = [frames for _, *frames in samples("syscalls") if frames and "[kernel.kallsyms]" in frames[0]]
    for frames in chains:
        check(not [frame for frame in frames if "unknown" in frame], repr(frames))
    whole = [frames for frames in chains if frames[-1].startswith("el0t_64_sync ")]
    called = [frames for frames in whole if "invoke_syscall ([kernel.kallsyms])" in frames]
    check(len(whole) > 0.8 * len(chains), "%d of %d" % (len(whole), len(chains)))
    check(len(called) > 0.1 * len(chains), "%d of %d" % (len(called), len(chains)))


@case
def every_hit_of_a_breakpoint_is_a_sample():
    equal(recorded("written"), 10)
    equal(recorded("entered"), 10)
    for _, frame in ((line, line.split()[-2]) for line in guest_file("entered.strobe-script").splitlines()):
        equal(frame, "middle+0x0")
    equal(attrs("written")[0]["bp_type"], "2")
    check(attrs("written")[0]["event"].endswith(":w"), attrs("written")[0]["event"])
    contains(guest_file("written.strobe-script"), "use_chain+")


@case
def every_call_of_a_probed_function_is_a_sample_with_its_callers():
    equal(recorded("uprobe"), 10)
    equal(recorded("kprobe"), 500)
    for name, want in (("uprobe", ["middle", "outer", "use_chain", "main"]),
                       ("kprobe", ["__arm64_sys_getppid", "el0t_64_sync", "syscall", "use_kernel", "main"])):
        for line, *frames in samples(name):
            names = [frame.split()[0] for frame in frames]
            contains(line, "strobe:")
            equal(names[0], want[0])
            equal((name, [n for n in names if n in want]), (name, want))


@case
def the_caller_of_a_function_without_a_frame_is_known_from_the_link_register():
    chains = [[frame.split()[0] for frame in frames] for _, *frames in samples("leaf")]
    for leaf in ("abs", "abs@plt"):
        found = [names[1:3] for names in chains if names and names[0] == leaf]
        check(len(found) > 5, "%s: %d" % (leaf, len(found)))
        equal((leaf, [names for names in found if names != ["use_plt", "main"]]), (leaf, []))
    # It is there once, where the function has a frame that tells, too.
    for names in chains:
        check(names.count("use_plt") <= 1, repr(names))


@case
def a_stack_is_unwound_to_the_first_function_while_it_is_recorded_or_later():
    want = ["middle", "outer", "use_chain", "main", "__libc_start_main", "_start"]
    for name in ("unwound", "copies"):
        chains = [[frame.split()[0] for frame in frames] for _, *frames in samples(name)]
        hot = [names for names in chains if names and names[0] in ("leaf_hot", "leaf_cold")]
        check(len(hot) > 10, repr(len(hot)))
        for names in hot:
            equal((name, [n for n in names[1:] if n != "[unknown]"]), (name, want))


@case
def registers_are_those_of_the_sample():
    for name in ("registers", "some-registers"):
        lines = guest_file(name + ".strobe-values").splitlines()
        check(len(lines) > 5, repr(lines))
        for line in lines:
            ip, values = re.match(r" *([0-9a-f]+) +(ABI:2 .*)", line).groups()
            values = dict(pair.split(":") for pair in values.split())
            equal(int(values["pc"], 16), int(ip, 16))
            equal(sorted(values) if name != "registers" else len(values), ["ABI", "lr", "pc", "sp", "x0", "x29"] if name != "registers" else 34)


@case
def a_running_process_and_a_whole_machine_are_watched():
    check(recorded("attached") > 0)
    found = shares("attached")
    check(found.get("leaf_hot", 0) + found.get("leaf_cold", 0) > 80, repr(found))
    check(recorded("system") > 0)
    contains(guest_file("system.strobe-script"), "work ")


def spaces_aside(text):
    """Later perfs pad names of threads otherwise, and unknown places get their offset in the file."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(re.sub(r"^([0-9a-f]+) \[unknown\]", "[unknown]", line) for line in lines)


@case
def perf_reads_the_recordings_and_says_the_same():
    for name in ("plt", "vdso", "syscalls"):
        same_text(spaces_aside(guest_file(name + ".strobe-script")), spaces_aside(guest_file(name + ".perf-script")),
                  expected_name="perf: " + name)


def frames_of(text):
    """Of each sample: the names of its frames, as perf finds them: it shows some callers twice, as the address that is
    returned to and as the one before."""
    found = []
    for block in text.split("\n\n"):
        rows = [line.split(None, 1) for line in block.splitlines() if line.strip()]
        addrs = [int(addr, 16) for addr, _ in rows]
        if rows:
            found.append([name for i, (_, name) in enumerate(rows) if addrs[i] + 1 not in addrs[i + 1:i + 2]])
    return found


@case
def perf_finds_the_same_callers():
    for name in ("chains", "leaf", "uprobe", "kprobe", "copies", "unwound"):
        ours = [[re.sub(r" \(.*", "", frame) for frame in frames] for _, *frames in samples(name)]
        theirs = frames_of(guest_file(name + ".perf-frames"))
        equal((name, len(ours)), (name, len(theirs)))
        for mine, perfs in zip(ours, theirs):
            # Of ld.so, which has no names, perf also finds callers that called nobody.
            if mine[:1] != ["[unknown]"]:
                equal((name, mine), (name, perfs))
    for name in ("registers", "some-registers"):
        same_text(spaces_aside(guest_file(name + ".strobe-values")), spaces_aside(guest_file(name + ".perf-values")),
                  expected_name="perf: " + name)


@case
def a_recording_is_read_on_another_machine_as_on_its_own():
    folder = os.path.dirname(guest_path("kallsyms"))
    for name in ("chains", "leaf", "uprobe", "kprobe", "copies", "unwound", "syscalls", "registers"):
        here = strobe("script", "-i", "%s/kept/%s.strobe" % (folder, name), "--symfs", folder + "/symfs",
                      "--kallsyms", folder + "/kallsyms").ok()
        same_text(here.out, guest_file(name + ".strobe-script"), expected_name=name + " in the guest")


def counts_at_samples(dump):
    """Of each sample: what each event of its group had counted."""
    found = []
    for block in re.findall(r"PERF_RECORD_SAMPLE.*\n\.\.\. sample_read:\n\.{4} group nr \d+\n((?:\.{5} id .*\n)+)", dump):
        found.append([int(value, 16) for value in re.findall(r"value ([0-9a-f]+)", block)])
    check(found, dump[-2000:])
    return found


@case
def a_fixed_period_of_cycles_samples_each_multiple_of_it_once():
    def look(file, is_guest):
        counts = counts_at_samples(file("exact.dump"))
        contains(file("exact.said"), "(%d samples)" % len(counts))
        check(len(counts) > 20, repr(len(counts)))
        for number, (cycles, instructions) in enumerate(counts, 1):
            late = cycles - number * 100003
            check(0 <= late < 100003, "sample %d at %d" % (number, cycles))
            if is_guest:
                # There an instruction is a cycle, and an interrupt is never late.
                equal((late, instructions), (0, cycles))
    on_each_pmu(look)


@case
def samples_of_the_kernel_are_late_but_not_early():
    counts = counts_at_samples(guest_file("counted.dump"))
    check(len(counts) > 100, repr(len(counts)))
    # Interrupts wait until they are allowed again, there.
    for number, (cycles, _) in enumerate(counts, 1):
        check(cycles >= number * 9973, "sample %d at %d" % (number, cycles))


def script_rows(text):
    """Of each line: its time in seconds, the period, the event."""
    rows = re.findall(r"^ *work +([0-9.]+): +(\d+) +(\S+): ", text, re.M)
    check(rows, text[-2000:])
    return [(float(time), int(period), event) for time, period, event in rows]


@case
def a_frequency_is_kept_and_loses_no_cycle():
    def look(file, is_guest):
        rows = script_rows(file("often.script"))
        whole = sum(period for _, period, _ in script_rows(file("seldom.script")))
        check(abs(sum(period for _, period, _ in rows) - whole) < (0.1 if is_guest else 0.3) * whole, repr((len(rows), whole)))
        # The kernel finds the period in the first samples.
        later = rows[len(rows) // 2:]
        rate = (len(later) - 1) / (later[-1][0] - later[0][0])
        check(1000 < rate < 3000, "%.0f a second" % rate)
    on_each_pmu(look)


@case
def members_of_a_group_have_what_they_counted_since_the_last_sample():
    def look(file, is_guest):
        rows = script_rows(file("together.script"))
        equal({event for _, _, event in rows}, {"cycles:u", "instructions:u"})
        cycles, instructions = ([p for _, p, e in rows if e.startswith(name)] for name in ("cycles", "instructions"))
        equal(len(cycles), len(instructions))
        equal(set(cycles), {1000003})
        if is_guest:
            equal(instructions, cycles)
        else:
            check(0.05 < sum(instructions) / sum(cycles) < 10)
        alone = script_rows(file("seldom.script"))
        check(abs(len(cycles) - len(alone)) < (0.1 if is_guest else 0.3) * len(alone), repr((len(cycles), len(alone))))
    on_each_pmu(look)


def stat_rows(text):
    """Of each row of stat -x,: event, count, percent of the time that it was counted, metric."""
    rows = [line.split(",") for line in text.splitlines() if "," in line and not line.startswith("#")]
    return [(row[2], row[0], float(row[4]), row[5:7]) for row in rows]


@case
def stat_counts_what_perf_counts_and_says_what_it_means():
    def look(file, is_guest):
        (first, cycles, *_), (_, instructions, percent, ipc), (_, both, _, ghz), clock = stat_rows(file("stat.csv"))
        equal((first, percent), ("cycles:u", 100.0))
        check(abs(float(ipc[0]) - int(instructions) / int(cycles)) < 0.01, repr(ipc))
        check(int(both) > int(cycles))
        check(abs(float(ghz[0]) - int(both) / float(clock[1]) / 1e6) < 0.01, repr((ghz, both, clock)))
        text = file("stat.text")
        check(re.search(r"\d +instructions:u +# +\d+\.\d\d  insn per cycle", text), text)
        check(re.search(r"\d +cycles +# +\d+\.\d+ GHz", text), text)
        if is_guest:
            equal(ipc[0], "1.00")
            perfs = stat_rows(guest_file("stat.perf.csv"))
            for (event, ours, *_), (_, theirs, *_) in zip(stat_rows(file("stat.csv")), perfs):
                check(abs(float(ours) - float(theirs)) < 0.02 * float(theirs), repr((event, ours, theirs)))
    on_each_pmu(look)


@case
def stat_scales_events_that_take_turns_and_says_for_how_long_they_were_counted():
    def look(file, is_guest):
        (_, always, percent, _), *others = stat_rows(file("stat-turns.csv"))
        equal((percent, len(others)), (100.0, 16))
        check(any(percent < 90 for _, _, percent, _ in others))
        for event, count, percent, _ in others:
            check(percent > 0 and abs(int(count) - int(always)) < 0.1 * int(always), repr((event, count, percent, always)))
        check(re.search(r"instructions:u .*\(\d\d\.\d\d%\)", file("stat-turns.text")), file("stat-turns.text"))
    on_each_pmu(look)


@case
def counts_that_were_recorded_are_reported():
    def rows(text):
        return re.findall(r"^ +(\d+) +((?:cycles|instructions):u)", text, re.M)

    def look(file, is_guest):
        recorded_rows = rows(file("stat-record.text"))
        equal([event for _, event in recorded_rows], ["cycles:u", "instructions:u"])
        equal(rows(file("stat-report.text")), recorded_rows)
        if is_guest:
            equal(rows(guest_file("stat-report.perf.text")), recorded_rows)
    on_each_pmu(look)


@case
def stat_says_what_the_cpu_cannot_count():
    text = guest_file("stat-unsupported.text")
    check(re.search(r"<not supported> +branch-misses", text), text)
    check(re.search(r"\d +cycles:u", text), text)


def reads_directly(file):
    """Whether programs may read counters there at all; in the guest they may."""
    return "direct cycles 1" in file("direct")


@case
def counters_of_a_program_are_read_without_a_system_call():
    def look(file, is_guest):
        if is_guest or reads_directly(file):
            selfcount.direct(file("direct"))
        selfcount.between(file("between"))
        selfcount.region(file("region"))
    on_each_pmu(look)


@case
def a_counter_more_takes_forty_instructions_more_at_most():
    def look(file, is_guest):
        if is_guest:
            selfcount.cost(file("cost"), each=40)
        elif reads_directly(file) and "__asan_" not in run("nm", os.path.join(BUILD_ROOT, "src/lib/libstrobe.a")).out:
            selfcount.cost(file("cost"), each=60)
    on_each_pmu(look)


@case
def counters_that_take_turns_are_extrapolated():
    on_each_pmu(lambda file, is_guest: selfcount.turns(file("turns")))


@case
def where_programs_may_read_no_counters_the_kernel_is_asked():
    text = guest_file("self-count.forbidden")
    contains(text, "direct cycles 0\n")
    selfcount.region(text)


try:
    main()
finally:
    for folder in _booted + _here:
        if folder and not isinstance(folder, Failure):
            shutil.rmtree(folder)
