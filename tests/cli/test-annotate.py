"""strobe annotate: code and what samples hit in it, as perf annotate has both."""
import json
import os
import re
import shutil

import schema
from tap import (case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program, newest_perf, on_a_terminal, read,
                 run, strobe, write)

SOURCE = """#include <stdlib.h>
static int compare(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;
	return a < b ? -1 : a > b;
}
__attribute__((noinline)) long sum_up(const int *items, int count)
{
	long sum = 0;
	for (int i = 0; i < count; i++)
		if (items[i] % 3)
			sum += items[i] / 7;
		else
			sum -= items[i];

	/* nothing here
	   is code */
	return sum;
}
int main(void)
{
	static int items[60000];
	unsigned long seed = 7;
	long sum = 0;
	for (int turn = 0; turn < 24; turn++) {
		for (int i = 0; i < 60000; i++) {
			for (int k = 0; k < 30; k++)
				seed = seed * 1103515245 + 12345;
			items[i] = (int)(seed >> 33);
		}
		qsort(items, 60000, sizeof(*items), compare);
		for (int i = 0; i < 20; i++)
			sum += sum_up(items, 60000);
	}
	return sum == 7;
}
"""
INSN = re.compile(r"^ *([\d.]+) : +([0-9a-f]+):\s+(.*)", re.M)


def recorded(*options):
    """A recording of a program whose functions are known."""
    need_perf_events()
    program = compile_c(SOURCE, "sorter", ("-O2", "-g", "-fno-inline-functions"))
    strobe("record", "-q", *(options or ("-e", "cpu-clock:u,task-clock:u")), "-F", "1500", "-o", "F", program).ok()
    return program


def annotate(*options):
    return strobe("annotate", "-i", "F", *options).ok().out


def pages(text):
    """The numbers of addresses by (event, function): of perf's text and ours."""
    found = {}
    for page in re.split(r"(?=^ *(?:Percent|Samples|Event count) )", text, flags=re.M):
        title = re.search(r"Disassembly of \S+ for (\S+) ", page)
        name = re.search(r"[0-9a-f]{16} <(.*)>:", page)
        if title and name:
            found[title[1], name[1]] = {addr: number for number, addr, _ in INSN.findall(page)}
    return found


@case
def instructions_have_the_numbers_that_perf_gives_them():
    recorded()
    need_program("objdump")
    for options in ((), ("--percent-type", "global-period"), ("--percent-type", "local-hits")):
        theirs = pages(run(newest_perf(), "annotate", "--stdio", "-i", "F", *options).ok().out)
        ours = pages(annotate(*options))
        for event in ("cpu-clock:u", "task-clock:u"):
            for name in ("compare", "sum_up"):
                check(len(ours[event, name]) > 5, ours)
                equal(ours[event, name], theirs[event, name])


@case
def numbers_of_samples_add_up_to_those_of_the_title():
    recorded()
    for event, name in (("cpu-clock:u", "compare"), ("task-clock:u", "sum_up")):
        text = annotate("-n", "-e", event, name)
        title = re.search(r"^ Samples \|\tSource code & Disassembly of sorter for %s \((\d+) samples\)$" % event, text, re.M)
        total = sum(int(row[0]) for row in INSN.findall(text))
        equal(int(title[1]), total)
        rows = strobe("report", "--stdio", "-e", event, "-F", "sample,sym", "--no-children", "-g", "none", "-i", "F").ok().out
        equal(total, int(re.search(r"(\d+) +\[\.\] %s *$" % name, rows, re.M)[1]))
        text = annotate("--show-total-period", "-e", event, name)
        contains(text, " Event count |\t")
        check(abs(sum(int(row[0]) for row in INSN.findall(text)) - total * 1000000000 // 1500) < total * 1000)


@case
def source_lines_stand_before_their_instructions():
    program = recorded()
    need_program("addr2line")
    lines = SOURCE.split("\n")
    for name in ("compare", "sum_up", "main"):
        text = annotate("-e", "cpu-clock:u", name)
        shown, file, seen = None, None, 0
        for row in text.splitlines():
            insn, source = INSN.match(row), re.match(r" +: (\d+) +(.*)", row)
            if re.match(r" +: \S+:$", row):
                file = row.split()[1]
            if source and file == "sorter.c:":
                shown = int(source[1])
                equal(source[2].strip(), lines[shown - 1].strip())
            elif insn:
                file_line = run("addr2line", "-e", program, insn[2]).ok().out.split(" ")[0].strip()
                if re.search(r"/sorter\.c:\d+$", file_line):
                    equal(shown, int(file_line.rsplit(":", 1)[1]), row)
                    seen += 1
        check(seen > 3, text)
    lacks(annotate("--no-source", "sum_up"), "items[i]")


@case
def the_lines_that_cost_most_are_those_of_perf():
    recorded()
    need_program("objdump")
    wanted = re.compile(r"^ +([\d.]+) (sorter\.c:\d+)$", re.M)
    for name in ("compare", "sum_up"):
        theirs = run(newest_perf(), "annotate", "--stdio", "-l", "-i", "F", "-s", name).ok().out
        ours = annotate("-l", name)
        equal(sorted(wanted.findall(ours)), sorted(wanted.findall(theirs)))
        check(len(wanted.findall(ours)) > 1, ours)


@case
def bytes_and_texts_are_those_of_the_program():
    program = recorded()
    need_program("objdump")
    listing = run("objdump", "-d", "--no-show-raw-insn", program).ok().out
    raw = {addr: code.split() for addr, code in
           re.findall(r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+)", run("objdump", "-d", "--insn-width=15", program).ok().out, re.M)}
    text = annotate("-e", "cpu-clock:u", "--asm-raw", "sum_up")
    rows = INSN.findall(text)
    for _, addr, rest in rows:
        equal(rest.split()[:len(raw[addr])], raw[addr], addr)
    jumps = re.findall(r"^ +[\d.]+ : +[0-9a-f]+: +j\w+ +([0-9a-f]+) <(.*)>$", annotate("-e", "cpu-clock:u", "sum_up"), re.M)
    check(len(jumps) >= 2, text)
    for addr, where in jumps:
        check(re.search(r"\s%s <%s>" % (addr, re.escape(where)), listing), (addr, where))
    check(re.search(r"mov\w* +\w+, \w*", annotate("-M", "intel", "-e", "cpu-clock:u", "compare")), "no Intel syntax")
    contains(annotate("-e", "cpu-clock:u", "main"), "<qsort@plt>")


@case
def json_says_what_the_text_says():
    recorded()
    value = json.loads(annotate("--format", "json", "sum_up"))
    schema.check_value("annotate", value)
    shown = pages(annotate("sum_up"))
    for event in value["events"]:
        function, = event["functions"]
        insns = [row for row in function["rows"] if "instruction" in row]
        equal({row["addr"][2:]: "%.2f" % row.get("percent", 0) for row in insns}, shown[event["name"], "sum_up"])
        equal(sum(row.get("samples", 0) for row in insns), function["samples"])
        equal(sum(len(row["bytes"]) // 2 for row in insns), function["size"])
        lines = SOURCE.split("\n")
        for row in function["rows"]:
            if "source" in row:
                equal(row["source"], lines[row["line"] - 1])


@case
def events_of_a_group_stand_side_by_side():
    recorded("-e", "{cpu-clock:u,task-clock:u}")
    title, _, *rows = annotate("--group", "-n", "sum_up").splitlines()
    contains(title, "for anon group { cpu-clock:u, task-clock:u } (")
    numbers = [(int(one), int(other)) for one, other in re.findall(r"^ *(\d+) +(\d+) : +[0-9a-f]+:", "\n".join(rows), re.M)]
    check(len(numbers) > 10 and sum(one for one, _ in numbers) > 5 and sum(other for _, other in numbers) > 5, rows)
    value = json.loads(annotate("--group", "--format", "json", "sum_up"))
    schema.check_value("annotate", value)
    hit = [row["members"] for row in value["events"][0]["functions"][0]["rows"] if "members" in row]
    equal([(one["samples"], other["samples"]) for one, other in hit], [pair for pair in numbers if any(pair)])


@case
def a_name_that_is_not_there_is_an_error():
    recorded()
    result = strobe("annotate", "-i", "F", "sum_upp")
    equal(result.code, 1)
    contains(result.err, "no sample of 'F' is in a function 'sum_upp'\n  hint: did you mean 'sum_up'?")
    equal(strobe("annotate", "-i", "F", "--percent-type", "x").code, 2)
    equal(strobe("annotate", "-i", "F", "-M", "nasm").code, 2)
    equal(strobe("annotate", "-i", "F", "sum_up", "compare").code, 2)


@case
def sources_that_moved_are_found_below_a_prefix():
    recorded()
    folder = os.path.dirname(os.path.abspath("sorter.c"))
    os.makedirs("moved/deep")
    shutil.move("sorter.c", "moved/deep/sorter.c")
    lacks(annotate("sum_up"), "items[i] % 3")
    depth = len(folder.strip("/").split("/"))
    contains(annotate("--prefix", os.path.abspath("moved/deep"), "--prefix-strip", str(depth), "sum_up"), "items[i] % 3")
    lacks(annotate("--prefix", os.path.abspath("moved"), "--prefix-strip", str(depth), "sum_up"), "items[i] % 3")


@case
def code_that_is_not_here_is_said_to_be_missing():
    """The recording keeps the names of a file that is deleted, but not its code."""
    program = recorded()
    strobe("record", "-q", "-e", "cpu-clock:u", "-F", "1500", "-o", "F", "sh", "-c",
           "%s & sleep 0.2; rm %s; wait" % (program, program)).ok()
    text = annotate("sum_up")
    contains(text, "sum_up: no file that is here has its code")
    equal(annotate("--skip-missing", "sum_up"), "")


@case
def control_characters_of_a_source_file_reach_no_terminal():
    recorded()
    write("sorter.c", read("sorter.c").replace("if (items[i] % 3)", "if (items[i] % 3)/*\x1b[2J*/"))
    text = on_a_terminal("annotate", "-i", "F", "sum_up").decode()
    contains(text, "if (items[i] % 3)/*\\x1b[2J*/")
    lacks(text, "\x1b[2J")


@case
def code_of_a_jit_dump_is_shown():
    need_perf_events()
    need_program("node")
    write("hot.js", "function hot(n) { let s = 0; for (let i = 0; i < n; i++) { s = (s * 31 + i) | 0; } return s; }\n"
          "let x = 0;\nfor (let i = 0; i < 1500; i++) { x ^= hot(100000); }\n")
    strobe("record", "-q", "-k", "mono", "-e", "cpu-clock:u", "-F", "1000", "-o", "F", "node", "--perf-prof", "hot.js").ok()
    text = annotate("--percent-limit", "5")
    jitted = [page for page in text.split("\n\n") if re.search(r"<JS:.*hot\.js", page)]
    check(any(len(INSN.findall(page)) > 20 for page in jitted), text[:2000])


@case
def the_kernel_s_code_wants_its_image():
    need_perf_events()
    strobe("record", "-q", "-e", "cpu-clock", "-F", "2000", "-o", "F", "dd", "if=/dev/zero", "of=/dev/null", "bs=64k", "count=20000").ok()
    text = annotate()
    contains(text, "the kernel's code is read from its image alone: -k vmlinux")
    lacks(annotate("--skip-missing"), "the kernel's code")


main()
