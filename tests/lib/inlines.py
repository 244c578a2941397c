"""inlines.py - programs with functions within functions, and recordings that hit all of their code."""
import os
import re

import crafted
from crafted import Crafted
from tap import compile_c, need_program, run, write

# Names of one letter are types to who takes them for mangled: they are C functions all the same.
C_PROGRAM = """
static volatile unsigned long sink;

static inline __attribute__((always_inline)) void inner(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}

static inline __attribute__((always_inline)) void middle(unsigned long n)
{
	inner(n);
	sink++;
}

static inline __attribute__((always_inline)) void wrapper(unsigned long n)
{
	middle(n + 1);
	sink += 2;
}

static inline __attribute__((always_inline)) void f(unsigned long n)
{
	middle(n + 2);
	sink -= 2;
}

__attribute__((noinline)) void outer(unsigned long n)
{
	wrapper(n);
	sink += 3;
}

__attribute__((noinline)) void other(unsigned long n)
{
	middle(n);
	f(n);
	sink += 4;
}

static inline __attribute__((always_inline)) void driver(unsigned long n)
{
	outer(n);
	other(n);
	sink++;
}

int main(int argc, char **argv)
{
	driver(argc);
	return 0;
}
"""

CXX_PROGRAM = """
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace work {
struct item { int key; double value; };

template <typename T> inline T twice(T value) { return value + value; }

static inline double weigh(const item &i) { return twice(i.value) + i.key; }

struct box {
	std::vector<item> items;
	explicit box(unsigned n) { for (unsigned i = 0; i < n; i++) items.push_back({int(n - i), i * 0.5}); }
	__attribute__((noinline)) double weight() const
	{
		double sum = 0;
		for (const item &i : items)
			sum += weigh(i);
		return sum;
	}
	__attribute__((noinline)) void sort()
	{
		std::sort(items.begin(), items.end(), [](const item &a, const item &b) { return a.key < b.key; });
	}
};

__attribute__((noinline)) double count(const box &b)
{
	std::map<int, double> sums;
	for (const item &i : b.items)
		sums[i.key % 7] += i.value;
	double most = 0;
	for (const auto &[key, sum] : sums)
		most = std::max(most, sum);
	return most;
}
}

int main(int argc, char **)
{
	work::box b(100 * argc);
	b.sort();
	return b.weight() + work::count(b) > 1e9;
}
"""

FLAGS = ("-O2", "-g", "-no-pie", "-fno-pie")


def c_program(*flags):
    return compile_c(C_PROGRAM, "inlines", FLAGS + flags)


def cxx_program(*flags, compiler="c++"):
    write("inlines.cc", CXX_PROGRAM)
    run(need_program(compiler), *FLAGS, "-std=c++17", *flags, "-o", "inlines", "inlines.cc").ok()
    return os.path.abspath("inlines")


def rust_program():
    write("inlines.rs", """
mod shapes {
    pub struct Rect { pub w: f64, pub h: f64 }
    impl Rect { #[inline(always)] fn area(&self) -> f64 { self.w * self.h } }
    #[inline(always)] fn helper(items: &[Rect]) -> f64 { items.iter().map(|x| x.area()).filter(|a| *a > 0.5).sum() }
    #[inline(never)] pub fn total(items: &[Rect]) -> f64 { helper(items) + 1.0 }
}
fn main() {
    let rects: Vec<_> = (0..std::env::args().count() as u32 * 9).map(|i| shapes::Rect { w: f64::from(i), h: 2.0 }).collect();
    std::process::exit((shapes::total(&rects) > 1e9) as i32);
}
""")
    run(need_program("rustc"), "-O", "-g", "-C", "relocation-model=static", "-o", "inlines", "inlines.rs", timeout=240).ok()
    return os.path.abspath("inlines")


def code_of(path, functions):
    """The addresses of the instructions of functions whose names match, but not of parts that were split off."""
    inside = set()
    for line in run(need_program("nm"), "-S", path).ok().lines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW" and re.search(functions, words[3]) and "." not in words[3]:
            begin = int(words[0], 16)
            inside.update(range(begin, begin + int(words[1], 16)))
    listing = run(need_program("objdump"), "-d", "--no-show-raw-insn", path).ok().out
    return [addr for addr in (int(word, 16) for word in re.findall("^ *([0-9a-f]+):\t", listing, re.M)) if addr in inside]


def record(path, addresses, name="x.data", caller=None, pipe=False):
    """A sample at each address, called from @caller. Periods differ, so that rows have an order."""
    segments = [line.split() for line in run(need_program("readelf"), "-lW", path).ok().lines() if line.split()[:1] == ["LOAD"]]
    offset, vaddr, size = next((int(s[1], 16), int(s[2], 16), int(s[4], 16)) for s in segments if "E" in "".join(s[6:8]))
    file = Crafted()
    event = file.event(type=1, config=0, sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.PERIOD | crafted.CALLCHAIN)
    file.comm(7, "inlines")
    file.mmap2(7, vaddr, (size + 0xfff) & ~0xfff, path, pgoff=offset)
    for i, addr in enumerate(addresses):
        chain = [(1 << 64) - 512, addr] + ([caller] if caller else [])
        file.sample(event, ip=addr, pid=7, tid=7, time=1000 + i, period=100 + 7 * i, callchain=chain)
    file.write(name, pipe=pipe)
    return name


def short_line(text):
    """"/src/file.c:12 (discriminator 3)" as "file.c:12"."""
    return text.split(" (discriminator")[0].rsplit("/", 1)[-1]


def of_addr2line(path, addresses):
    """{address: [(function, "file:line"), ...]} innermost first, as binutils' addr2line has it."""
    # What it says of a function that has no linkage name is wrong when it is asked for the first time.
    asked = "".join("%x\n" % addr for addr in list(addresses) * 2)
    found, frames = {}, []
    lines = iter(run(need_program("addr2line"), "-afiC", "-e", path, stdin=asked).ok().lines())
    for line in lines:
        if re.match("0x[0-9a-f]{16}$", line):
            frames = found[int(line, 16)] = []
        else:
            frames.append((line, short_line(next(lines))))
    return found


def of_script(text):
    """{address: [(function, "file:line", whether it is marked), ...]} of -F ip,sym,srcline: where samples hit."""
    found = {}
    for chain in text.split("\n\n"):
        frames = re.findall(r"^\s*([0-9a-f]+) (.*)\n  (.*?)( \(inlined\))?$", chain, re.M)
        for addr, function, line, inlined in frames:
            if addr == frames[0][0]:
                found.setdefault(int(addr, 16), []).append((function, line, bool(inlined)))
    return found
