"""Call chains of arm64 by frame pointers: the caller of what has no frame is in the link register, which is sampled."""
import os
import re

from crafted import ARCH, CALLCHAIN, IP, REGS_USER, TID, TIME, Crafted
from tap import case, contains, equal, main, need_program, perf, run, same_as_perf, skip, strobe, write

CONTEXT_USER = 2 ** 64 - 512
LINK_REGISTER = 1 << 30
BASE = 0x400000000

PROGRAM = """
int elsewhere(int);
int leaf(int x) { return x * 3; }
int framed(int x) { return elsewhere(x) + 1; }
int caller(int x) { return framed(x) + leaf(x) + 1; }
int outermost(int x) { return caller(x) + 1; }
"""


def program(*flags):
    """Where its functions lie, by name; .plt is among them."""
    need_program("ld.lld")
    write("program.c", PROGRAM)
    run(need_program("clang"), "--target=aarch64-linux-gnu", "-O1", "-fno-inline", "-fno-omit-frame-pointer", "-fPIC", "-shared",
        "-nostdlib", "-fuse-ld=lld", "-Wl,--build-id=none", *flags, "-o", "program", "program.c").ok()
    found = {}
    for line in run(need_program("llvm-readelf"), "-SsW", "program").ok().lines():
        symbol = re.match(r" +\d+: ([0-9a-f]+) +\d+ FUNC +GLOBAL +\S+ +\d+ (\S+)", line)
        section = re.match(r" +\[ *\d+\] (\.plt) +PROGBITS +([0-9a-f]+)", line)
        if symbol:
            found[symbol.group(2)] = int(symbol.group(1), 16)
        if section:
            found[".plt"] = int(section.group(2), 16)
    return found


def names(pc, link, chain):
    """The names of a sample's frames. Addresses are the program's."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CALLCHAIN | REGS_USER, sample_regs_user=LINK_REGISTER, size=136)
    file.comm(10, "ant", time=1)
    file.mmap2(10, BASE, 0x100000, os.path.abspath("program"), time=2)
    file.sample(event, ip=BASE + pc, pid=10, tid=10, time=3, abi=2, regs_user=[BASE + link],
                callchain=[CONTEXT_USER] + [BASE + addr for addr in [pc] + chain])
    file.feature(ARCH, file.text("aarch64"))
    file.write("x.data")
    done = strobe("script", "-f", "-i", "x.data", "-F", "ip,sym").ok()
    return [line.split(None, 1)[1] for line in done.lines() if line.strip()]


def mapped(at):
    """lld puts code at another address than its place in the file: the mapping is of all of it, as the file has it."""
    segments = re.findall(r"LOAD +(0x[0-9a-f]+) (0x[0-9a-f]+)", run("llvm-readelf", "-lW", "program").ok().out)
    for offset, vaddr in reversed(segments):
        if at >= int(vaddr, 16):
            return at - int(vaddr, 16) + int(offset, 16)
    return at


@case
def what_has_no_frame_yet_is_called_by_what_the_link_register_says():
    at = {name: mapped(addr) for name, addr in program().items()}
    outer = [at["outermost"] + 12]
    for leaf, offset in (("leaf", 0), ("leaf", 4), ("framed", 0)):
        equal(names(at[leaf] + offset, at["caller"] + 16, outer), [leaf, "caller", "outermost"])
    stub, *others = names(at[".plt"] + 0x20, at["framed"] + 12, [at["caller"] + 16])
    contains(stub, "@plt")
    equal(others, ["framed", "caller"])


@case
def a_caller_that_the_chain_has_is_not_added():
    at = {name: mapped(addr) for name, addr in program().items()}
    # Behind its first two instructions it has a frame, and the link register may be anything.
    equal(names(at["framed"] + 8, at["leaf"] + 4, [at["caller"] + 16, at["outermost"] + 12]), ["framed", "caller", "outermost"])
    equal(names(at["leaf"], at["caller"] + 16, [at["caller"] + 16, at["outermost"] + 12]), ["leaf", "caller", "outermost"])


@case
def without_call_frame_information_nothing_is_guessed():
    at = {name: mapped(addr) for name, addr in program("-fno-asynchronous-unwind-tables").items()}
    equal(names(at["leaf"], at["caller"] + 16, [at["outermost"] + 12]), ["leaf", "outermost"])


@case
def a_link_register_that_leads_nowhere_is_no_caller():
    at = {name: mapped(addr) for name, addr in program().items()}
    equal(names(at["leaf"], 0x7000000, [at["outermost"] + 12]), ["leaf", "outermost"])


@case
def reports_have_it_too():
    at = {name: mapped(addr) for name, addr in program().items()}
    names(at["leaf"], at["caller"] + 16, [at["outermost"] + 12])
    text = strobe("report", "-f", "-i", "x.data", "--stdio", "--no-children", "-g", "folded").ok().out
    contains(text, "leaf;caller;outermost")


@case
def perf_finds_the_same():
    at = {name: mapped(addr) for name, addr in program().items()}
    names(at["leaf"], at["caller"] + 16, [at["outermost"] + 12])
    if "caller" not in perf("script", "-f", "--no-inline", "-i", "x.data", "-F", "ip,sym").out:
        skip("this perf unwinds the stacks of its own machine alone")
    same_as_perf("script", "-f", "--no-inline", "-i", "x.data", "-F", "ip,sym", change=lambda text: text.strip("\n"))


main()
