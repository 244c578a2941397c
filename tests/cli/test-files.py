"""Every form that a recording may have: folders, old and future headers, other machines."""
import os
import re

from crafted import *
from tap import case, check, compile_c, contains, equal, lacks, main, need_fixtures, need_program, need_root, perf, perf_path, run, same_text, skip, strobe, write

FIELDS = ["script", "-f", "-G", "-F", "comm,pid,tid,cpu,time,event,ip,period"]


def ants(count=3, size=112, more_type=0, **options):
    """Samples of two processes, and who they are."""
    file = Crafted(**options)
    event = file.event(sample_type=IP | TID | TIME | CPU | PERIOD | more_type, ids=[7], size=size,
                       flags=["mmap", "comm", "task"])
    file.comm(10, "ant")
    file.comm(11, "bee")
    file.mmap2(10, 0x10000, 0x2000, "/bin/ant")
    for n in range(count):
        file.sample(event, ip=0x10100 + n, pid=10 + n % 2, tid=10 + n % 2, time=1000000 * (n + 1), cpu=n % 2, period=10 + n)
    file.feature(HOSTNAME, file.text("box"))
    file.feature(ARCH, file.text("x86_64"))
    return file


def shown(path, command=None):
    return strobe(*(command or FIELDS), "-i", path).ok()


def same(path, command=None):
    theirs = perf(*(command or FIELDS), "-i", path).ok()
    same_text(shown(path, command).out, theirs.out, expected_name="perf")
    return theirs.out


# Folders

def folder(compressed=False):
    """All samples of ants(), every second in another file, as two threads would write them."""
    whole = ants(6)
    os.mkdir("folder")
    samples, parts = whole.records[3:], ([], [])
    for n, record in enumerate(samples):
        parts[n % 2].append(record)
    del whole.records[3:]
    whole.feature(DIR_FORMAT, whole.words(1))
    for n, records in enumerate(parts):
        part = Crafted()
        part.records = records
        if compressed:
            part.compressed(padded_record=n == 1)
            whole.feature(FEATURE_COMPRESSED, part.features[FEATURE_COMPRESSED])
        write("folder/data.%d" % (9 + n), b"".join(part.records))
    whole.write("folder/data")
    write("folder/data.old", b"rubbish")


@case
def the_files_of_a_folder_are_read_as_one_by_time():
    folder()
    ants(6).write("x.data")
    same_text(shown("folder").out, shown("x.data").out)
    contains(shown("folder", ["report", "--stats"]).out, "SAMPLE events:          6")
    contains(shown("folder", ["report", "--stdio", "-n", "-s", "comm"]).out, "3  bee")


@case
def each_file_of_a_folder_has_a_compressed_stream_of_its_own():
    need_program("zstd")
    folder(compressed=True)
    ants(6).write("x.data")
    same_text(shown("folder").out, shown("x.data").out)


@case
def a_part_that_is_cut_off_costs_only_its_own_end():
    folder()
    size = os.path.getsize("folder/data.9")
    os.truncate("folder/data.9", size - 4)
    result = shown("folder")
    equal(len(result.out.splitlines()), 5)
    contains(result.err, "not whole")


@case
def what_perf_recorded_in_threads_is_read_whole():
    need_root()
    made = run(perf_path(), "record", "--threads", "-a", "-e", "cpu-clock", "-F", "200", "-o", "x.data", "--", "sleep", "0.2")
    if made.code != 0 or not os.path.isdir("x.data"):
        skip("this perf records no folders")
    command = ["script", "-f", "-G", "-F", "tid,cpu,time,event,ip"]
    check(len(same("x.data", command).splitlines()) > 10)


# Headers of other times and machines

@case
def attrs_of_all_published_sizes_are_read_as_perf_reads_them():
    for size in ATTR_SIZES:
        ants(size=size).write("x.data")
        if perf("evlist", "-f", "-i", "x.data").code == 0:  # older perfs refuse younger sizes
            same("x.data")
            same("x.data", ["evlist", "-f", "-v"])
        equal(len(shown("x.data").out.splitlines()), 3)


@case
def of_an_attr_larger_than_ours_the_known_part_is_read():
    file = ants(size=200)
    whole = file.file_bytes()
    at = whole.index(file.events[0].pack())
    write("x.data", whole[:at + 150] + b"\x55" * 50 + whole[at + 200:])
    ants().write("y.data")
    same_text(shown("x.data").out, shown("y.data").out)


@case
def the_oldest_header_and_recorders_of_32_bits_are_read_as_perf_reads_them():
    # perf takes a file of version 1 only if its attrs are as small as they were then.
    for options in ({"version": 1}, {"version": 1, "order": ">"}, {"word": 4}, {"order": ">", "word": 4}, {"order": ">"}):
        ants(size=64, **options).write("x.data")
        equal(len(same("x.data").splitlines()), 3)
        same("x.data", ["report", "--stdio", "-f", "--header-only"])


@case
def a_header_without_features_is_one():
    ants().write("y.data")
    file = ants()
    file.features.clear()
    file.write("x.data", header_size=72)
    same_text(shown("x.data").out, shown("y.data").out)


@case
def samples_with_fields_of_the_future_are_counted_and_left_out():
    for order in "<>":
        file = ants(order=order)
        future = file.event(sample_type=IP | TID | TIME | CPU | PERIOD | 1 << 40, ids=[8], size=112)
        file.sample(future, ip=1, pid=10, tid=10, more=bytes(16))
        reading = file.event(sample_type=IP | TID | TIME | CPU | PERIOD | READ, read_format=1 << 20, ids=[9], size=112)
        file.sample(reading, ip=1, pid=10, tid=10)
        file.events[0].fields["sample_type"] |= IDENTIFIER
        for event in file.events[1:]:
            event.fields["sample_type"] |= IDENTIFIER
        file.records.clear()
        for n, event in enumerate(file.events):
            file.sample(event, ip=0x10100, pid=10, tid=10, time=n + 1, more=bytes(16) if n == 1 else b"")
        result = shown(file.write("x.data"), ["script", "-f", "-F", "ip,time"])
        equal(len(result.out.splitlines()), 1)
        contains(result.err, "records that are left out: 2 with fields that this version does not know")
        equal(len(result.err.splitlines()), 1)


@case
def records_of_unknown_types_are_counted_and_left_out():
    for order in "<>":
        file = ants(order=order)
        for kind in (23, 40, 63, 99, 200, 32767, 1 << 20):
            file.records.insert(1, file.pack("IHH", kind, 0, 24) + bytes(16))
        result = shown(file.write("x.data"))
        ants().write("y.data")
        same_text(result.out, shown("y.data").out)
        contains(result.err, "records that are left out: 7 of unknown type\n")
        lacks(result.err, "not whole")


# Names that a recording carries

def simpleperf_file(file, path, kind, symbols, vaddr=0x1000, offset=0x1000):
    """An entry of the feature FILE: see data/simpleperf.h."""
    body = path.encode() + b"\0" + file.pack("IQI", kind, vaddr, len(symbols))
    for start, size, name in symbols:
        body += file.pack("QI", start, size) + name.encode() + b"\0"
    return body + file.words(offset) if kind in (1, 2) else body


def android(entries, build_id=None, order="<", large=False):
    """Samples in a program and in the kernel, of which the file has the names."""
    file = Crafted(order=order)
    event = file.event(sample_type=IP | TID | TIME, ids=[7])
    if large:  # a record of more than 65535 bytes, as only simpleperf's are
        file.records.append(file.pack("IHH", 32769, 2, 16) + bytes(2 * 65536 + 8))
    file.comm(10, "ant")
    file.mmap2(10, 0x70001000, 0x2000, "/nowhere/ant", pgoff=0x1000, build_id=build_id)
    file.mmap(0xffffffff, 0xffff000000000000, 0x10000000, "[kernel.kallsyms]", misc=KERNEL_MODE)
    file.sample(event, ip=0x70001018, pid=10, tid=10, time=1)
    file.sample(event, ip=0xffff000000000108, pid=10, tid=10, time=2, misc=KERNEL_MODE)
    for bit in (128, 132):
        section = b"".join(file.pack("I", len(entry)) + entry for number, entry in entries(file) if number == bit)
        if section:
            file.feature(bit, section)
    file.feature(HOSTNAME, file.text("phone"))
    file.feature(ARCH, file.text("aarch64"))
    return file.write("x.data")


def first_form(file):
    return [(128, simpleperf_file(file, "/nowhere/ant", 2, [(0x1010, 16, "_Z4walki")])),
            (128, simpleperf_file(file, "[kernel.kallsyms]", 0, [(0xffff000000000100, 16, "do_walk")]))]


def second_form(file):
    symbol = b"\x08\x90\x20\x10\x10\x1a\x04walk"
    return [(132, b"\x0a\x0c/nowhere/ant\x10\x02\x18\x80\x20" + b"\x22" + bytes([len(symbol)]) + symbol
             + b"\x32\x03\x08\x80\x20")]


SYMBOLS = ["script", "-f", "-F", "ip,sym,symoff"]


@case
def objects_that_are_not_here_are_named_by_what_the_file_carries():
    for order in "<>":
        out = shown(android(first_form, order=order), SYMBOLS).out
        contains(out, "70001018 walk(int)+0x8")
        contains(out, "ffff000000000108 do_walk+0x8")


@case
def the_second_form_of_carried_names_is_read_too():
    contains(shown(android(second_form), SYMBOLS).out, "70001018 walk+0x8")


@case
def a_record_with_a_size_of_32_bits_is_stepped_over():
    result = shown(android(first_form, large=True), SYMBOLS)
    contains(result.out, "70001018 walk(int)+0x8")
    lacks(result.err, "not whole")


@case
def a_file_with_the_build_id_goes_before_carried_names_and_those_before_another_file():
    path = compile_c("int hot(void) { return 1; }\nint main(void) { return hot(); }\n", flags=("-O0", "-Wl,--build-id"))
    notes = run("readelf", "-n", path).ok().out
    build_id = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", notes).group(1))
    start = int(re.search(r"(\w+) +\d+ FUNC +GLOBAL \S+ +\d+ hot$", run("readelf", "-sW", path).ok().out, re.M).group(1), 16)
    for known, expected in ((build_id, "hot+0x4"), (None, "carried+0x4"), (b"x" * 20, "carried+0x4")):
        file = Crafted()
        event = file.event(sample_type=IP | TID | TIME, ids=[7])
        file.comm(10, "ant")
        file.mmap2(10, 0x70000000, 0x10000, path, build_id=known)
        file.sample(event, ip=0x70000000 + start + 4, pid=10, tid=10, time=1)
        entry = simpleperf_file(file, path, 2, [(start, 16, "carried")], vaddr=0, offset=0)
        file.feature(128, file.pack("I", len(entry)) + entry)
        contains(shown(file.write("x.data"), SYMBOLS).out, expected)


@case
def an_android_recording_is_named_without_its_objects():
    path = os.path.join(need_fixtures(), "data/two-functions-arm64.data")
    out = strobe(*SYMBOLS, "-i", path).ok().out
    for name in ("Function1()+0x48", "Function2()+0x48", "main+0x10", "__libc_init+0x60"):
        contains(out, name)


main()
