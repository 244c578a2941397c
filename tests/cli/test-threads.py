"""report and script: what several threads print is what one does, of a file that gives all of them work.

ci/check runs this with ThreadSanitizer too, which sees races that do not show.
"""
import random

import crafted
from crafted import Crafted
from tap import case, check, compile_c, main, on_cpus, strobe, usable_cpus

PROGRAM = """
__attribute__((noinline)) long leaf(long n)
{
	return n * 3;
}
__attribute__((noinline)) long work(long n)
{
	return leaf(n) +
	       leaf(n + 1);
}
int main(int argc, char **argv)
{
	return work(argc) == 7;
}
"""
TEXT, MISSING = 0x401000, 0x7f0000000000
COMM_EXEC = 1 << 13
ROUNDS, SAMPLES = 60, 80 # each round is a slice that a thread takes


def names(file, number):
    """Processes of one name, some of which get another one later."""
    pid = 10 + number
    file.fork(pid, 1, time=number * 100)
    file.comm(pid, "sh", time=number * 100 + 1)
    if number % 3 == 0:
        file.comm(pid, "a-name-of-%d" % number, misc=COMM_EXEC, time=number * 100 + 60)


def compile_program():
    return compile_c(PROGRAM, flags=("-O1", "-g", "-no-pie", "-nostartfiles", "-Wl,-e,main", "-Wl,-Ttext=0x401000"))


def recording():
    """Samples of all times of a round, in no order, of two events and with branches and chains."""
    pick = random.Random(5)
    program = compile_program()
    file = Crafted()
    sample_type = (crafted.IDENTIFIER | crafted.IP | crafted.TID | crafted.TIME | crafted.CPU | crafted.PERIOD |
                   crafted.CALLCHAIN | crafted.BRANCH_STACK)
    events = [file.event(ids=[100 + i], config=i, branch_sample_type=crafted.BRANCH_ANY, sample_type=sample_type)
              for i in range(2)]

    def place():
        return pick.choice([TEXT + pick.randrange(0x30), MISSING + pick.randrange(0x8000)])
    for number in range(ROUNDS):
        names(file, number)
        file.mmap2(10 + number, TEXT, 0x1000, program, pgoff=0x1000, time=number * 100 + 2)
        file.mmap2(10 + number, MISSING, 0x10000, "/usr/lib/nothere.so", time=number * 100 + 2)
        for _ in range(SAMPLES):
            pid, ip = 10 + pick.randrange(number + 1), place()
            chain = [0xfffffffffffffe00, ip] + [place() for _ in range(pick.randrange(6))]
            event = pick.randrange(2)
            file.sample(events[event], id=100 + event, ip=ip, pid=pid, tid=pid, period=pick.randrange(1, 1000),
                        time=number * 100 + pick.randrange(10, 100), cpu=pick.randrange(2), callchain=chain,
                        branches=[(place(), place(), {"cycles": 1})])
        file.round()
    file.write("x.data")


@case
def what_is_printed_does_not_depend_on_the_number_of_threads():
    cpus = usable_cpus(2)
    report = ["report", "--stdio", "--kallsyms=/dev/null", "-f", "-i", "x.data"]
    script = ["script", "--kallsyms=/dev/null", "-f", "-i", "x.data"]
    recording()
    for command in (report + ["--no-branch-stack"], report + ["--no-branch-stack", "--no-children", "-s", "pid,comm,sym"],
                    report + ["--no-branch-stack", "-g", "caller", "-s", "comm,dso", "--group"],
                    report + ["--no-branch-stack", "--no-children", "-s", "srcline,srcfile", "-v"],
                    report + ["--no-branch-stack", "-H", "-s", "comm,dso,sym"],
                    report + ["--no-branch-stack", "-p", "work", "-s", "parent,sym"],
                    report + ["--no-branch-stack", "--format", "json"], report + ["--branch-stack", "-s", "srcline_from,srcline_to"],
                    report + ["--branch-stack", "-v", "-s", "symbol_from,symbol_to"], script, script + ["--format", "json"]):
        one, all_of_them = (on_cpus(some, *command) for some in (cpus[:1], cpus))
        check(len(one) > 1000, "hardly anything is printed: %s" % one)
        check(one == all_of_them, "%s differs" % " ".join(command))


def repeating():
    """Samples of few places, chains and threads, most of which say what one before them said; each with what else
    can be in a chain, and damage."""
    pick = random.Random(7)
    program = compile_program()
    file = Crafted()
    sample_type = crafted.IP | crafted.TID | crafted.TIME | crafted.ID | crafted.PERIOD | crafted.CALLCHAIN
    events = [file.event(ids=[100 + i], config=i, sample_type=sample_type) for i in range(2)]
    places = [TEXT + 8 * i for i in range(4)] + [MISSING + 16 * i for i in range(4)]
    kernel, user, other = 0xffffffffffffff80, 0xfffffffffffffe00, 0xfffffffffffff800
    chains = [[mark] + pick.sample(places, pick.randrange(1, 4)) for mark in (user, user, kernel, other)]
    chains += [[kernel, places[0], user, places[1]], [], [user, places[2], other]]
    file.mmap2(9, MISSING, 0x1000, "/usr/lib/before.so", time=1)
    file.mmap2(9, TEXT, 0x1000, program, pgoff=0x1000, time=1)
    for number in range(ROUNDS):
        pid = 10 + number // 8
        if number % 8 == 0:
            names(file, number // 8)
            file.mmap2(pid, TEXT, 0x1000, program, pgoff=0x1000, time=number * 100 + 2)
        if number % 5 == 0:
            file.mmap2(pid, MISSING, 0x1000, "/usr/lib/nothere%d.so" % (number % 3), time=number * 100 + 30)
        for _ in range(SAMPLES):
            event, who = pick.randrange(2), pick.choice([0, 9, pid, pid])
            file.sample(events[event], misc=pick.choice([1, 2, 2, 2, 3]), id=100 + event, ip=pick.choice(places), pid=who,
                        tid=who, period=pick.randrange(1, 1000), time=number * 100 + pick.randrange(100),
                        callchain=pick.choice(chains))
        file.record(crafted.SAMPLE, b"\xff" * 64, 2)
        file.round()
    file.write("y.data")


@case
def samples_that_repeat_are_counted_like_all_others():
    cpus = usable_cpus(2)
    repeating()
    for options in ([], ["--no-children", "-g", "none"], ["-s", "comm,dso"], ["-s", "sym", "-g", "caller"], ["-p", "work", "-x"],
                    ["--max-stack", "1", "-n", "--show-total-period"], ["-U"]):
        report = ["report", "--stdio", "-q", "--kallsyms=/dev/null", "-f", "-i", "y.data"] + options
        # A filter that leaves out nothing: now each sample is looked at.
        expected = on_cpus(cpus[:1], *report, "--time", ",1000")
        check(len(expected) > 100, "hardly anything is printed: %s" % expected)
        for some in (cpus[:1], cpus):
            check(on_cpus(some, *report) == expected, "%s differs" % " ".join(report))


main()
