"""report: types of data that instructions read and write, each instruction of a program once, beside perf's."""
import json
import os
import platform
import re

import crafted
from crafted import Crafted
from tap import STROBE, case, check, compile_c, equal, main, need_program, newest_perf, run, skip, strobe, write

PROGRAM = """
struct node {
	struct node *next;
	struct { int x, y; } at;
	union { long l; double d; } value;
	char name[16];
	unsigned flags : 3;
	unsigned long counts[8];
};
typedef struct node node_t;
typedef struct { long size; node_t **slots; } table_t;
table_t table;
int numbers[16];
static long total;
#define N __attribute__((noinline))
N long walk(struct node *head)
{
	long sum = 0;
	for (struct node *n = head; n; n = n->next)
		sum += n->value.l + n->at.y;
	return sum;
}
N void bump(node_t *n, int i) { n->counts[i & 7]++; n->at.x += i; n->name[i & 15] ^= 1; n->flags = 2; }
N int deep(table_t *t, int i) { return t->slots[i]->next->at.y; }
N int fixed(int i) { total += i; table.size = i; return numbers[i & 15] + numbers[3]; }
N double mean(const double *values, long count)
{
	double sum = 0;
	for (long i = 0; i < count; i++)
		sum += values[i];
	return sum;
}
int main(int argc, char **argv)
{
	node_t n = { 0 };
	double values[4] = { 0 };
	bump(&n, argc);
	return walk(&n) + deep(&table, argc) + fixed(argc) + mean(values, 4);
}
"""
BASE = 0x555555554000
FUNCTIONS = ("walk", "bump", "deep", "fixed", "mean")


def build(level):
    if platform.machine() != "x86_64":
        skip("the instructions are x86's")
    return compile_c(PROGRAM, flags=(level, "-g", "-fPIE", "-pie", "-fno-inline", "-fcf-protection=none"))


def build_for_arm64(level):
    """Nothing but the functions: no library of that machine is needed."""
    path = write("arm64.c", PROGRAM)
    run(need_program("aarch64-linux-gnu-gcc"), level, "-g", "-ffreestanding", "-nostdlib", "-fno-inline", "-Wl,-emain", "-o", "arm64",
        path).ok()
    return os.path.abspath("arm64")


def recording(path, objdump="objdump"):
    """A sample of each instruction of a file; their texts, by address."""
    file = Crafted()
    event = file.event(ids=[100], type=0, sample_type=crafted.IP | crafted.TID | crafted.TIME | crafted.PERIOD)
    file.comm(7, "work")
    for line in run(need_program("readelf"), "-lW", path).ok().lines():
        match = re.match(r"\s+LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R E", line)
        if match:
            offset, vaddr, size = (int(number, 16) for number in match.groups())
            file.mmap2(7, BASE + (vaddr & ~0xfff), (size + 0x1fff) & ~0xfff, path, pgoff=offset & ~0xfff)
    texts, function = {}, None
    for line in run(need_program(objdump), "-d", "--no-show-raw-insn", path).ok().lines():
        begin, insn = re.match(r"^\w+ <(\w+)>:", line), re.match(r"^\s+(\w+):\t([^#]*)", line)
        if begin:
            function = begin.group(1)
        elif insn and function in FUNCTIONS:
            texts[int(insn.group(1), 16)] = function + ": " + insn.group(2).strip()
    for i, addr in enumerate(texts):
        file.sample(event, ip=BASE + addr, pid=7, tid=7, time=1000 + i, period=1)
    file.write("x.data")
    if "without a disassembler" in strobe("report", "-i", "x.data", "-s", "type").err:
        skip("strobe was built without a disassembler")
    return texts


def rows(*program):
    """What is said of each instruction, by address."""
    out = run(*program, "report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "-s", "addr,typeoff",
              env={"ASAN_OPTIONS": "exitcode=77"}).ok().lines()
    found = (re.match(r"\s+[0-9.]+%\s+0x(\w+)\s+(.*?)\s*$", line) for line in out)
    return {int(row.group(1), 16) - BASE: row.group(2) for row in found if row}


def rows_of(*args):
    out = strobe("report", "-i", "x.data", "--kallsyms=/dev/null", "--format", "json", *args).ok().out
    return json.loads(out)["events"][0]["rows"]


def check_fields(level, but=()):
    """Each field that the source names is there, in its function; those in @but may not."""
    found = {(row["symbol"]["name"], row["typeoff"].get("field")) for row in rows_of("-s", "sym,typeoff")
             if row["typeoff"]["type"] == "struct node"}
    wanted = {("walk", "next"), ("walk", "value.l"), ("walk", "at.y"), ("bump", "counts"), ("bump", "at.x"), ("bump", "name"),
              ("bump", "flags:3"), ("deep", "next"), ("deep", "at.y")}
    equal(wanted - found - set(but), set(), level)
    check(("bump", "next") not in found, "bump uses no next, with " + level)
    types = {(row["symbol"]["name"], row["type"]) for row in rows_of("-s", "sym,type")}
    for function, name in (("deep", "table_t"), ("fixed", "table_t"), ("fixed", "int[]"), ("fixed", "long int"), ("mean", "double")):
        check((function, name) in types, "%s: no %s in %s, %s" % (level, name, function, sorted(types, key=str)))


@case
def fields_are_those_that_the_source_names():
    recording(build("-O2"))
    check_fields("-O2")
    check(any(row["type"] == "(stack operation)" for row in rows_of("-s", "type")), "calls return")
    recording(build("-O0"))
    check_fields("-O0", but=[("bump", "counts")])  # a part of its offset is in the index: it could be any


@case
def fields_are_found_in_code_of_arm64():
    for level, but in (("-O2", []), ("-O0", [("bump", "counts"), ("bump", "name")])):
        recording(build_for_arm64(level), "aarch64-linux-gnu-objdump")
        check_fields(level, but)


@case
def what_perf_knows_is_known():
    perf = newest_perf()
    texts = recording(build("-O2"))
    ours, theirs = rows(STROBE), rows(perf)
    compared = 0
    for addr, text in texts.items():
        if theirs[addr] == "(unknown)" or ("(" not in text and theirs[addr] != "(stack operation)"):
            continue  # what has no memory of its own, perf gives the data of the one before
        compared += 1
        # perf calls some structs by their typedefs, and those without a name nothing.
        name = re.sub(r"^node_t\b", "struct node", theirs[addr])
        name = re.sub(r"^struct  ", "table_t ", name)
        check(ours[addr] == name, "%s: %s, perf says %s" % (text, ours[addr], theirs[addr]))
    check(compared > 20, "only %d instructions" % compared)


@case
def instructions_without_memory_are_about_no_data():
    texts = recording(build("-O2"))
    ours = rows(STROBE)
    for addr, text in texts.items():
        if re.search(r": (lea|nop|xor +%|movslq +%)", text):
            equal(ours[addr], "(unknown)", text)


@case
def lines_of_types_are_64_bytes():
    recording(build("-O2"))
    rows_by_line = {(row["typecln"]["type"], row["typecln"]["line"]) for row in rows_of("-s", "typecln")}
    check({("struct node", 0), ("(unknown)", 0)} <= rows_by_line, sorted(rows_by_line))
    with open("x.data", "rb") as file:
        piped = strobe("report", "-i", "-", "--stdio", "--kallsyms=/dev/null", "-q", "-s", "typeoff", stdin=file.read()).ok().out
    equal(piped, strobe("report", "-i", "x.data", "--stdio", "--kallsyms=/dev/null", "-q", "-s", "typeoff").ok().out)


main()
