"""The writer of tests/lib/crafted.py: perf reads what it writes, and strobe prints the same."""
from crafted import *
from tap import case, equal, main, need_program, same_text, perf, strobe

FIELDS = ["script", "-f", "-G", "-F", "comm,pid,tid,cpu,time,event,ip,addr,period"]


def ants(**options):
    """Three samples of two processes, in two rounds."""
    file = Crafted(**options)
    event = file.event(sample_type=IP | TID | TIME | ADDR | CPU | PERIOD | ID, ids=[7, 8], type=1, config=0,
                       size=112, flags=["mmap", "comm", "task"])
    file.comm(10, "ant")
    file.mmap2(10, 0x10000, 0x2000, "/bin/ant")
    file.round()
    for n, pid in enumerate((10, 11, 10)):
        file.sample(event, ip=0x10100 + n, pid=pid, tid=pid, time=1000000 * (n + 1), addr=0xabc, cpu=n % 2, id=7 + n % 2,
                    period=1000 + n)
    file.comm(11, "bee", time=1500000)
    file.round()
    file.feature(HOSTNAME, file.text("box"))
    file.feature(ARCH, file.text("x86_64"))
    return file


def same(command, path):
    theirs = perf(*command, "-i", path).ok()
    same_text(strobe(*command, "-i", path).ok().out, theirs.out, expected_name="perf")
    return theirs.out


@case
def a_file_is_read_by_perf_and_strobe_alike():
    ants().write("x.data")
    equal(len(same(FIELDS, "x.data").splitlines()), 3)
    same(["report", "--stdio", "-f", "--header-only", "-I"], "x.data")


@case
def a_file_of_the_other_byte_order_is_read_alike():
    ants(order=">").write("x.data")
    equal(len(same(FIELDS, "x.data").splitlines()), 3)


@case
def what_is_read_does_not_depend_on_order_or_version():
    ants().write("little.data")
    expected = strobe(*FIELDS, "-i", "little.data").ok().out
    for options in ({"order": ">"}, {"order": ">", "word": 4}, {"word": 4}, {"version": 1},
                    {"version": 1, "order": ">"}):
        ants(**options).write("x.data")
        same_text(strobe(*FIELDS, "-i", "x.data").ok().out, expected, actual_name=str(options))


@case
def a_pipe_is_read_alike():
    ants().write("x.data", pipe=True)
    equal(len(same(FIELDS, "x.data").splitlines()), 3)
    expected = strobe(*FIELDS, "-i", "x.data").ok().out
    # perf takes the unused half of the CPU's word in such a pipe.
    ants(order=">").write("x.data", pipe=True)
    same_text(strobe(*FIELDS, "-i", "x.data").ok().out, expected)


@case
def compressed_records_are_read_alike():
    need_program("zstd")
    for padded_record in (False, True):
        file = ants()
        file.compressed(first=1, padded_record=padded_record)
        file.write("x.data")
        equal(len(same(FIELDS, "x.data").splitlines()), 3)


@case
def every_field_of_a_sample_is_read_alike():
    for order in "<>":
        file = Crafted(order=order)
        event = file.event(sample_type=(1 << 25) - 1 & ~(READ | AUX | STACK_USER | RAW | WEIGHT | REGS_USER | REGS_INTR),
                           ids=[7], size=136, branch_sample_type=8 | BRANCH_HW_INDEX)
        file.comm(10, "ant")
        file.mmap2(10, 0x10000, 0x2000, "/bin/ant")
        for n in range(2):
            file.sample(event, ip=0x10100, pid=10, tid=10, time=1000 + n, addr=0xabc, stream_id=7, period=5,
                        callchain=[0x10100, 0x10200], hw_index=1,
                        branches=[(0x10010, 0x10020, {"predicted": 1, "cycles": 9}), (0x10030, 0x10040, {"mispred": 1})],
                        weight=(300, 20, 1), data_src=0x68100142, transaction=1, phys_addr=0xfff000, cgroup=3,
                        data_page_size=4096, code_page_size=1 << 21)
        file.feature(HOSTNAME, file.text("box"))  # perf refuses files of the other order without it
        file.write("x.data")
        for fields in ("ip,sym,addr,period", "brstack", "weight", "phys_addr,data_page_size,code_page_size",
                       "ins_lat,retire_lat"):
            same(["script", "-f", "-F", fields], "x.data")


@case
def registers_stacks_and_counts_are_read_alike():
    for order in "<>":
        file = Crafted(order=order)
        event = file.event(sample_type=IP | TID | TIME | READ | REGS_USER | STACK_USER | ID, ids=[7], size=136,
                           read_format=READ_GROUP | READ_ID | TOTAL_TIME_ENABLED, sample_regs_user=0x101,
                           sample_stack_user=16)
        file.comm(10, "ant")
        for n in range(2):
            file.sample(event, ip=0x10100, pid=10, tid=10, time=1000 + n, read=[(5 + 5 * n, 7)], enabled=1,
                        regs_user=[0xaa, 0xbb], stack=b"0123456789abcdef")
        file.feature(ARCH, file.text("x86_64"))
        file.write("x.data")
        same(["script", "-f", "-F", "ip,period,uregs"], "x.data")


main()
