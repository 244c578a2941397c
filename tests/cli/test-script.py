"""script: every sample as a line of text."""
import os
import re
import shutil

import fixtures
import recordings
from crafted import *
from tap import (case, compile_c, contains, equal, lacks, main, need_program, perf, read, run, same_text, strobe)

# What perf shows of it takes a decoder of Intel PT.
UNREACHED = ["intel-pt"]


def what_perf_does_not_know(text):
    """perf forgets a thread's name when it exits: its last sample is then one of ":TID". It does not read the names
    of functions that Android recordings carry."""
    text = text.replace("717300481c [unknown]", "717300481c __libc_init+0x60")
    return re.sub(r"^:(106\d\d)   \1 ", r"chown   \1 ", text, flags=re.M)


def without_entry(text):
    """Without the user's frame that entered the kernel: of LBR call chains perf prints the sample's own place there."""
    lines, in_kernel = [], False
    for line in text.split("\n"):
        named = line.replace("([unknown])", "([kernel.kallsyms])") if line.startswith("\tffffffff") and not in_kernel else line
        if not in_kernel or line.startswith("\tffffffff") and "([unknown])" not in line:
            lines.append(named)
        in_kernel = named == line and line.startswith("\tffffffff") and "([unknown])" not in line
    return "\n".join(lines)


def add_golden(name):
    def golden():
        change = without_entry if name == "lbr-callgraph" else what_perf_does_not_know
        fixtures.compare(name, "script", "script", "-f", "--symfs", fixtures.symfs(name), "--kallsyms=/dev/null",
                         "--no-inline", change=change, unreached=UNREACHED)
    golden.__name__ = "script_prints_%s_as_perf_does" % name
    case(golden)


for fixture in fixtures.NAMES:
    add_golden(fixture)


@case
def an_unknown_field_is_refused_with_the_nearest():
    result = strobe("script", "-F", "comm,perod")
    equal(result.code, 2)
    contains(result.err, "unknown field 'perod'")
    contains(result.err, "did you mean 'period'?")


@case
def an_unknown_word_without_a_neighbour_is_told_where_the_list_is():
    for command, words, page in (("script", ["-F", "comm,xyzzy"], "script"), ("report", ["-s", "xyzzy"], "report"),
                                 ("report", ["-F", "overhead,xyzzy"], "report")):
        result = strobe(command, *words, "-i", recordings.data("flat"))
        equal(result.code, 2)
        contains(result.err, "'xyzzy'\n  hint: 'strobe help %s' lists them\n" % page)


@case
def a_field_that_was_not_recorded_is_said_with_recordings_option():
    options = strobe("record", "-h").ok().out
    for field, option in (("addr", "-d"), ("weight", "-W"), ("phys_addr", "--phys-data"), ("cgroup", "--all-cgroups"),
                          ("cpu", "--sample-cpu"), ("iregs", "-I"), ("uregs", "--user-regs"), ("ins_lat", "-W"),
                          ("data_page_size", "--data-page-size"), ("code_page_size", "--code-page-size")):
        result = strobe("script", "-F", "comm," + field, "-i", recordings.data("flat"))
        equal(result.code, 2)
        contains(result.err, "hint: leave '%s' out of -F, or record with %s\n" % (field, option))
        contains(options, option)


@case
def changes_and_fields_do_not_mix():
    result = strobe("script", "-F", "comm,-tid")
    equal(result.code, 2)
    contains(result.err, "not both")


@case
def a_field_of_another_kind_is_ignored_with_a_remark():
    result = strobe("script", "-F", "trace", "-i", "nowhere.data")
    contains(result.err, "strobe script: 'trace' not valid for hardware events. Ignoring.\n")
    lacks(result.err, "tracepoint events. Ignoring")


@case
def a_missing_file_is_one_sentence_and_one_that_helps():
    result = strobe("script", "-i", "nowhere.data")
    equal(result.code, 1)
    equal(result.out, "")
    contains(result.err, "'nowhere.data'")
    contains(result.err, "hint: ")


@case
def what_strobe_does_not_do_is_answered_with_what_to_do():
    for words, sentence in ((["--itrace=i"], "does not decode hardware traces"),
                            (["--insn-trace"], "does not decode hardware traces"),
                            (["--graph-function", "hot"], "does not decode hardware traces"),
                            (["-l"], "has no scripts"), (["-s", "py:x"], "has no scripts"), (["-g", "python"], "has no scripts"),
                            (["--dlfilter", "x.so"], "loads no filters that are programs"),
                            (["--guestmount=/tmp"], "does not know the files of guests"),
                            (["--xed"], "runs no other programs"), (["record", "x"], "takes no 'record'")):
        result = strobe("script", *words, "-i", recordings.data("flat"))
        equal((result.code, result.out), (2, ""))
        contains(result.err, sentence)


@case
def times_count_from_the_first_or_from_the_one_before():
    result = strobe("script", "--reltime", "--deltatime", "-i", recordings.data("flat"))
    equal(result.code, 2)
    contains(result.err, "--reltime")


@case
def the_time_of_day_needs_to_be_recorded():
    result = strobe("script", "-F", "ip,tod", "-i", recordings.data("flat"))
    equal((result.code, result.out), (1, ""))
    contains(result.err, "hint: leave 'tod' out of -F, or record with -k\n")


@case
def no_frames_are_printed_where_none_are_wanted_as_in_perf():
    path = recordings.data("stacks")
    for more in ((), ("-F", "comm,ip,sym")):
        words = ("script", "-f", "-i", path, *recordings.NAMES, "--max-stack", "0", *more)
        same_text(strobe(*words).ok().out, perf(*words).ok().out, expected_name="perf")
    equal(strobe("script", "-i", path, "--max-stack", "4294967296").code, 2)


@case
def files_may_lie_flat_below_symfs_as_in_perf():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    program = compile_c("int main(void) { return 0; }", flags=("-O1", "-no-pie"))
    start = int(run(need_program("nm"), program).ok().out.split(" T main")[0].split("\n")[-1], 16)
    file.mmap2(7, start & ~0xfff, 0x1000, "/not/here/" + os.path.basename(program), pgoff=start & 0xf000)
    file.sample(event, ip=start, pid=7, tid=7, time=1)
    file.write("x.data")
    for layout, name in ((",flat", "main"), (",hierarchy", "[unknown]"), ("", "[unknown]")):
        words = ("script", "-i", "x.data", "--kallsyms=/dev/null", "-F", "ip,sym", "--symfs", os.getcwd() + layout)
        contains(strobe(*words).ok().out, name)
        same_text(strobe(*words).ok().out, perf(*words).ok().out, expected_name="perf")


@case
def an_event_that_switches_must_be_one_of_the_recording():
    for option in ("--switch-on", "--switch-off"):
        result = strobe("script", option, "page-fault", "-i", recordings.data("events"))
        equal((result.code, result.out), (1, ""))
        contains(result.err, "no event 'page-fault' in the recording")


def late_chains():
    """Samples with the numbers 7, 8, 7 and 9 in place of the user's part, and records with those of 7 and 8."""
    kernel, user, late = 2 ** 64 - 128, 2 ** 64 - 512, 2 ** 64 - 640
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CPU | CALLCHAIN, flags=["defer_callchain", "defer_output"])
    for pid in (5, 6):
        file.comm(pid, "shares")
        file.mmap2(pid, 0x400000, 0x1000, "/tmp/victim/shares")

    def sample(pid, time, *chain):
        file.sample(event, misc=KERNEL_MODE, ip=2 ** 63 + 1, pid=pid, tid=pid, cpu=1, time=time, callchain=chain)

    def part(pid, time, number, *chain):
        file.record(22, file.words(number, len(chain), *chain) + file.trailer(pid=pid, time=time, cpu=1), misc=USER_MODE)

    sample(5, 1000000, kernel, 2 ** 63 + 1, late, 7)
    sample(6, 2000000, kernel, 2 ** 63 + 2, late, 8)
    sample(5, 3000000, kernel, 2 ** 63 + 3, late, 7)
    sample(5, 4000000, user, 0x400171, 0x400245)
    part(5, 5000000, 7, user, 0x400171, 0x400245)
    sample(5, 6000000, kernel, 2 ** 63 + 4, late, 9)
    part(6, 7000000, 8, user, 0x40017f, 0x400158)
    file.write("late.data")
    return ["script", "-f", *recordings.NAMES, "-F", "tid,time,ip,sym", "-i", "late.data"]


@case
def call_chains_have_the_part_that_was_walked_late():
    blocks = strobe(*late_chains()).ok().out.split("\n\n")
    equal([re.findall(r"^\t *(?:[0-9a-f]+) (\S+)$", block, re.M)[1:] for block in blocks[:4]],
          [["hot", "start"], ["hot", "_start"], ["hot", "start"], ["start"]])
    lacks("\n".join(blocks), "\t               9 ")


@case
def late_parts_are_as_perf_puts_them_in():
    command = late_chains()
    theirs = re.sub(r"\n.*\(cookie\).*", "", perf(*command).ok().out)
    same_text("\n\n".join(sorted(strobe(*command).ok().out.split("\n\n"))), "\n\n".join(sorted(theirs.split("\n\n"))),
              expected_name="perf")


@case
def copied_stacks_without_registers_have_the_kernels_part_and_the_sampled_address():
    kernel = 2 ** 64 - 128
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CPU | CALLCHAIN | STACK_USER, flags=["exclude_callchain_user"],
                       sample_stack_user=8)
    file.comm(5, "shares")
    file.mmap2(5, 0x400000, 0x1000, "/tmp/victim/shares")
    file.sample(event, ip=0x400171, pid=5, tid=5, cpu=1, time=1000000, stack=b"12345678")
    file.sample(event, ip=2 ** 63 + 1, pid=5, tid=5, cpu=1, time=2000000, misc=KERNEL_MODE, stack=b"12345678",
                callchain=[kernel, 2 ** 63 + 1, 2 ** 63 + 2])
    file.write("copies.data")
    result = strobe("script", "-f", *recordings.NAMES, "-F", "time,ip,sym", "-i", "copies.data").ok()
    equal(result.err, "")
    equal([re.findall(r"^\t *([0-9a-f]+) ", block, re.M) for block in result.out.split("\n\n")[:2]],
          [["400171"], ["8000000000000001", "8000000000000002"]])


def dump(program, folder):
    """What script says, and {file: text}."""
    os.mkdir(folder)
    shutil.move(recordings.data("events"), folder)
    said = program("script", "-f", *recordings.NAMES, "--per-event-dump", "--show-task-events", "-i", folder + "/events.data",
                   env=recordings.ENVIRONMENT).ok().out
    return said, {name: read(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".dump")}


@case
def each_event_may_have_a_file_of_its_own():
    said, files = dump(strobe, "ours")
    equal(sorted(files), ["events.data.%s.dump" % event for event in
                          ("context-switches", "cpu-clock", "page-faults", "task-clock:u")])
    equal([len(files[name].splitlines()) for name in sorted(files)], [6, 1, 4, 1])
    contains(said, "PERF_RECORD_FORK(9:10):(9:9)\n")
    contains(said, "[ strobe script: Wrote 0.000 MB ours/events.data.page-faults.dump (4 samples) ]\n")


@case
def files_of_events_are_as_perf_writes_them():
    def without_sizes(said, folder): # perf looks at them before it has written all
        return re.sub(r"[\d.]+ MB %s/" % folder, "", said.replace("[ perf script", "[ strobe script"))

    said, files = dump(strobe, "ours")
    expected_said, expected = dump(perf, "theirs")
    same_text(without_sizes(said, "ours"), without_sizes(expected_said, "theirs"), expected_name="perf")
    equal(files, expected)


@case
def a_file_of_an_event_that_cannot_be_written_is_an_error():
    recordings.data("events")
    os.mkdir("events.data.cpu-clock.dump")
    result = strobe("script", "--per-event-dump", "-i", "events.data")
    equal(result.code, 1)
    contains(result.err, "cannot write 'events.data.cpu-clock.dump': Is a directory")


main()
