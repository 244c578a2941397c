"""Every form that a recording may have: folders, old and future headers, other machines."""
import os

from crafted import *
from tap import case, check, contains, equal, main, need_program, need_root, perf, perf_path, run, same_text, skip, strobe, write

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


main()
