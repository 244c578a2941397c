"""debugfiles.py - programs and libraries whose symbols and debug information are moved about, and recordings of them.

    make("lib.so")                              # functions lib_hot() and, static, lib_inner()
    recording([("/usr/lib/x.so", "lib.so", "lib_hot")])
    equal(named(), ["lib_hot"])

A recording has one sample at each function that is given, in a file that was called so when it ran; it knows files by
their build-ids. Nothing runs, so it needs no right to record.
"""
import os
import re

from crafted import IP, TID, TIME, Crafted
from tap import Failure, compile_c, run, strobe, write

BASE, APART = 0x7f0000000000, 1 << 24

SOURCE = """
#define NOINLINE __attribute__((noinline, noclone))
volatile unsigned long sink;
static NOINLINE void %(name)s_inner(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * n;
}
NOINLINE void %(name)s_hot(unsigned long n)
{
	%(name)s_inner(n + 1);
	sink++;
}
"""
INNER_LINE = 7  # of the loop in NAME_inner()


def make(path, *flags, name=None, source=SOURCE):
    """A library, with debug information."""
    name = name or re.sub(r"\W.*", "", os.path.basename(path))
    write(name + ".c", source % {"name": name})
    run("gcc", "-g", "-O1", "-fPIC", "-shared", "-Wl,--build-id", *flags, "-o", path, name + ".c").ok()
    return os.path.abspath(path)


def build_id(path):
    found = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-nW", path).ok().out)
    if not found:
        raise Failure("%s has no build-id" % path)
    return found.group(1)


def offset(path, symbol):
    """Where the function is in the file; a few bytes into it."""
    table = run("nm", path).ok().out + run("nm", "-D", path).out
    vaddr = int(re.search(r"^([0-9a-f]+) \w %s$" % symbol, table, re.M).group(1), 16)
    for line in run("readelf", "-lW", path).ok().out.splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and int(words[2], 16) <= vaddr < int(words[2], 16) + int(words[4], 16):
            return vaddr - int(words[2], 16) + int(words[1], 16) + 4
    raise Failure("%s of %s is not loaded" % (symbol, path))


def with_build_id(path, copy, wanted):
    """A copy that is of another build, as far as anyone can tell."""
    with open(path, "rb") as file:
        before = file.read()
    write(copy, before.replace(bytes.fromhex(build_id(path)), bytes.fromhex(wanted)))
    return os.path.abspath(copy)


def recording(samples, path="F", ids=None, pipe=False):
    """samples: (the name when it ran, a file that is not stripped, a function). ids: build-ids by those names, where
    they are not the file's."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    mapped, places = {}, {}
    file.comm(10, "victim", time=1)
    for name, full, _ in samples:
        if name not in mapped:
            mapped[name] = BASE + APART * len(mapped)
            own = bytes.fromhex((ids or {}).get(name) or build_id(full))
            file.mmap2(10, mapped[name], APART, name, build_id=own, inode=0, time=2)
    for time, (name, full, symbol) in enumerate(samples, 10):
        if (full, symbol) not in places:
            places[full, symbol] = offset(full, symbol)
        file.sample(event, ip=mapped[name] + places[full, symbol], pid=10, tid=10, time=time)
    file.write(path, pipe=pipe)


def named(*options, path="F", **more):
    """What script calls the address of each sample."""
    out = strobe("script", "-i", path, "-F", "ip,sym", *options, **more).ok().out
    return [line.split(None, 1)[1] for line in out.splitlines() if line]


def lines(*options, path="F", **more):
    """The source line of each sample."""
    out = strobe("script", "-i", path, "-F", "ip,srcline", *options, **more).ok().out
    return re.findall(r"^  (\S+:\d+)$", out, re.M)
