"""Files that are not as they should be: cut off, killed, overwritten, lying. What is whole is shown, one line says what is not."""
import os

from crafted import *
from tap import case, check, contains, equal, lacks, main, need_fixtures, strobe, write

COMMANDS = [["report", "--stdio"], ["script"], ["evlist", "-v"], ["buildid-list"], ["report", "--header-only", "-I"], ["report", "--stats"],
            ["script", "--show-mmap-events", "--show-task-events", "--show-lost-events", "--show-switch-events",
             "--show-namespace-events", "--show-cgroup-events", "--show-bpf-events"], ["report", "--tasks"], ["report", "--mmaps"]]


def ants(rounds=3, **options):
    """A file with records of every kind that timelines read."""
    file = Crafted(**options)
    event = file.event(sample_type=IP | TID | TIME | CPU | CALLCHAIN | ID, ids=[7], size=112, flags=["mmap", "comm", "task"])
    file.comm(10, "ant")
    file.mmap2(10, 0x10000, 0x2000, "/bin/ant")
    for n in range(rounds):
        at = 1000 * (n + 1)
        file.sample(event, ip=0x10100, pid=10, tid=10, time=at, callchain=[0x10100, 0x10200])
        file.fork(11 + n, 10, time=at + 1)
        file.namespaces(11 + n, [(1, 2)], time=at + 2)
        file.ksymbol(0xffffffff81000000, 64, "bpf_prog_1", time=at + 3)
        file.cgroup(5, "/hill", time=at + 4)
        file.lost(3, time=at + 5)
        file.switch(True, time=at + 6)
        file.exit(11 + n, 10, time=at + 7)
        file.round()
    file.feature(HOSTNAME, file.text("box"))
    file.feature(ARCH, file.text("x86_64"))
    file.feature(CMDLINE, file.pack("I", 1) + file.text("perf"))
    return file


def try_all(path, codes=(0, 1)):
    """Every command ends by itself, with one of these codes (strobe() fails on what a sanitizer says)."""
    for command in COMMANDS:
        result = strobe(*command, "-f", "-i", path, timeout=20)
        check(result.code in codes, "%s exited with %d\n%s" % (command, result.code, result.err))


def samples(path):
    result = strobe("script", "-f", "-G", "-F", "time,ip", "-i", path)
    return len(result.out.splitlines()), result


@case
def files_that_crashed_another_reader_do_no_harm():
    folder = os.path.join(need_fixtures(), "damaged")
    for name in sorted(os.listdir(folder)):
        try_all(os.path.join(folder, name))


def cut_everywhere(file, whole, step, pipe=False):
    """Cuts at many places: as many samples as are whole, and a line that says so where bytes are missing."""
    ends = []
    at = whole.index(file.records[0])
    for record in file.records:
        at += len(record)
        if int.from_bytes(record[:4], "little" if file.order == "<" else "big") == SAMPLE:
            ends.append(at)
    first = whole.index(file.records[0])
    last = at
    for size in sorted(set(range(0, len(whole), step)) | {end + d for end in ends for d in (-1, 0, 1)}):
        write("cut.data", whole[:size])
        count, result = samples("cut.data")
        if size < first:
            check(result.code in (0, 1), "cut at %d: %d" % (size, result.code))
            continue
        equal(result.code, 0, "cut at %d\n%s" % (size, result.err))
        equal(count, sum(end <= size for end in ends), "cut at %d" % size)
        if not pipe and size < last:
            contains(result.err, "'cut.data' is not whole: ")
            equal(result.err.count("is not whole"), 1)


@case
def a_file_cut_anywhere_keeps_its_whole_records():
    file = ants()
    cut_everywhere(file, file.file_bytes(), 29)


@case
def a_file_of_the_other_byte_order_does_too():
    file = ants(order=">", rounds=2)
    cut_everywhere(file, file.file_bytes(), 53)


@case
def a_pipe_cut_anywhere_keeps_its_whole_records():
    file = ants(rounds=2)
    cut_everywhere(file, file.pipe_bytes(), 53, pipe=True)


@case
def every_command_bears_a_cut():
    whole = ants(rounds=1).file_bytes()
    for size in (0, 1, 8, 16, 71, 72, 103, 104, 150, 300, len(whole) // 2, len(whole) - 70, len(whole) - 1):
        try_all(write("cut.data", whole[:size]))


@case
def a_killed_recorder_left_no_size_and_no_features():
    file = ants()
    file.features.clear()
    file.write("x.data", data_size=0)
    count, result = samples("x.data")
    equal(count, 3)
    contains(result.err, "unfinished")
    try_all("x.data", codes=(0,))


@case
def bits_of_features_that_were_never_written_do_no_harm():
    file = ants()
    header = file.file_bytes(data_size=0)
    at = header.index(file.records[-1])
    whole = header[:header.rindex(file.records[-1]) + 8]
    check(at > 0)
    count, result = samples(write("x.data", whole))
    equal(count, 3)
    contains(result.err, "unfinished")


@case
def rubbish_behind_the_end_is_no_matter():
    count, result = samples(write("x.data", ants().file_bytes() + b"\xff" * 1000))
    equal(count, 3)
    lacks(result.err, "not whole")


@case
def rubbish_between_records_is_stepped_over_and_counted():
    for rubbish in (bytes(64), b"\xff" * 64, b"\x09\0\0\0\x02\0\0\0" * 8, b"\x09\0\0\0\x02\0\xff\xff" + bytes(56)):
        file = ants()
        file.records.insert(len(file.records) // 2, rubbish)
        count, result = samples(file.write("x.data"))
        equal(count, 3, repr(rubbish))
        equal(result.code, 0)
        contains(result.err, "'x.data' is not whole: ")
        contains(result.err, "bytes not read")


@case
def what_is_left_out_is_told_by_the_command_and_counted_in_words():
    for count, words in ((1, "1 damaged record skipped"), (2, "2 damaged records skipped")):
        file = ants()
        for i in (3, 8)[:count]:
            file.records[i] = file.records[i][:6] + b"\x04\0" + bytes(len(file.records[i]) - 8)
        for command in ("report", "script"):
            result = strobe(command, "-f", "-i", "-", stdin=file.pipe_bytes())
            contains(result.err, "strobe %s: '-' is not whole: %s, " % (command, words))


@case
def a_sample_that_is_too_short_for_its_fields_is_left_out():
    file = ants()
    file.record(SAMPLE, file.words(0x10100, 10))
    count, result = samples(file.write("x.data"))
    equal(count, 3)
    contains(result.err, "records that are left out: ")
    contains(result.err, "1 damaged")


@case
def a_chain_longer_than_its_record_is_left_out():
    file = ants()
    file.record(SAMPLE, file.words(0x10100, 10, 4000, 7, 0, 1 << 60, 1, 2))
    count, result = samples(file.write("x.data"))
    equal(count, 3)
    contains(result.err, "1 damaged")


@case
def empty_sections_of_all_features_do_no_harm():
    file = ants()
    for bit in range(256):
        file.feature(bit, b"")
    file.write("x.data")
    equal(samples("x.data")[0], 3)
    try_all("x.data", codes=(0,))
    file.write("x.data", pipe=True)
    try_all("x.data", codes=(0,))


@case
def sections_of_rubbish_do_no_harm():
    for rubbish in (b"\0" * 7, b"\xff" * 64, b"\x01" * 200, b"\x08\0\0\0" * 30, b"\xff\xff\xff\x7f" + b"a" * 40):
        file = ants(rounds=1)
        for bit in range(256):
            file.feature(bit, rubbish)
        try_all(file.write("x.data"))


@case
def sections_may_overlap_lie_anywhere_and_at_odd_places():
    whole = bytearray(ants().file_bytes())
    table = len(whole) - sum(len(body) for body in ants().features.values()) - 3 * 16
    for offset, size in ((0, len(whole)), (1, 77), (len(whole) - 1, 1), (len(whole), 0), (len(whole), 8), (1 << 63, 1 << 63),
                         ((1 << 64) - 8, 16)):
        for entry in range(3):
            whole[table + 16 * entry:table + 16 * entry + 16] = Crafted().words(offset, size)
        write("x.data", whole)
        equal(samples("x.data")[0], 3)
        try_all("x.data", codes=(0,))


@case
def headers_that_point_anywhere_do_no_harm():
    for at in range(16, 72, 8):
        for value in (0, 1, 104, 1 << 32, 1 << 63, (1 << 64) - 1, (1 << 64) - 8):
            whole = bytearray(ants(rounds=1).file_bytes())
            whole[at:at + 8] = Crafted().words(value)
            write("x.data", whole)
            result = strobe("script", "-f", "-i", "x.data", timeout=20)
            check(result.code in (0, 1), "offset %d, %x: %d" % (at, value, result.code))


@case
def text_without_an_end_is_not_read_on():
    file = ants()
    file.record(COMM, file.pack("II", 10, 10) + b"x" * 16)
    file.record(MMAP2, file.pack("IIQQQIIQQII", 10, 10, 0x50000, 0x1000, 0, 1, 1, 1, 0, 5, 2) + b"/" * 32)
    write("x.data", file.file_bytes())
    equal(samples("x.data")[0], 3)
    try_all("x.data", codes=(0,))
    lacks(strobe("report", "--mmaps", "-f", "-i", "x.data").out, "////////////////////////////////")


main()
