"""What is recorded here and now, by strobe and by perf, reads the same with strobe and with perf.

Real programs of several processes and languages, recorded at a low rate. Where strobe differs from
perf on purpose (docs/differences.md) the texts are made equal first: see both().
"""
import os
import re
import shutil

from tap import (STROBE, Failure, case, check, contains, main, need_perf_events, need_program, need_root, perf_path, run,
                 same_text, skip, strobe, write)

SCRIPT = ["script", "-f", "--no-inline"]
REPORT = ["report", "-f", "--stdio", "--no-inline"]
RECORDS = ["--show-mmap-events", "--show-task-events", "--show-switch-events", "--show-lost-events"]
TEXTS = [SCRIPT, SCRIPT + ["-F", "comm,pid,tid,time,event,ip,sym,dso"]]
FLAT = [REPORT + ["--no-children", "-n", "-g", "none", "-s", "dso,sym"],
        REPORT + ["--no-children", "-g", "none", "-F", "overhead,period,sample,dso"]]
CHAINS = REPORT + ["--no-children", "-g", "folded,0,callee", "-s", "sym"]


def old_perf():
    """perf as the distribution has it, where that is not the one that is compared with anyway."""
    path = shutil.which("perf")
    if not path or os.path.realpath(path) == os.path.realpath(perf_path()):
        skip("there is one perf only")
    return path


def record(recorder, options, *command):
    """Records into ./live.data: recorder is None for strobe, else the path of a perf. Names that a recording keeps, perf does not read."""
    words = ["record", "-o", "live.data", *([] if recorder else ["--no-kept-names"]), *options, "--", *command]
    if os.path.exists("live.data"):
        os.remove("live.data")
    result = run(recorder, *words) if recorder else strobe(*words)
    if recorder and result.code != 0:  # an old perf's recorder crashes now and then
        skip("perf cannot record this here: %s" % result.err.strip().splitlines()[-1])
    check(os.path.exists("live.data"), "%s\n%s" % (" ".join(result.argv), result.err))


def by_time(text):
    """The paragraphs of a script sorted: perf may print what comes late out of order."""
    return "\n".join(sorted(text.split("\n\n" if "\n\n" in text else "\n")))


def without_tip(text):
    return re.sub(r"\n#\n# \(Tip:.*\n#\n", "", text)


def both(ours, theirs):
    """The two texts with what differs on purpose taken out: names of threads that perf has forgotten."""
    ours, theirs = by_time(ours), by_time(theirs)
    forgotten = {match.group(1) for match in re.finditer(r"^ *:(\d+) ", theirs, re.M)}
    for tid in forgotten:
        line = re.compile(r"^ *\S.*? +((?:\d+/)?%s +(?:\[\d+\] +)?\d+\.\d+: )" % tid, re.M)
        ours, theirs = by_time(line.sub(r"\1", ours)), by_time(line.sub(r"\1", theirs))
    return ours, theirs


def compare(views):
    for view in views:
        ours = strobe(*view, "-i", "live.data").ok().out
        theirs = run(perf_path(), *view, "-i", "live.data").ok().out
        if view[0] == "script":
            ours, theirs = both(ours, theirs)
        try:
            same_text(without_tip(ours), without_tip(theirs), expected_name="perf")
        except Failure as failure:
            raise Failure("%s\n%s" % (" ".join(view), failure)) from failure


def check_program(*command):
    """The same program under strobe with call chains, under perf without, and the other way round."""
    need_perf_events()
    record(None, ["-e", "cpu-clock", "-F", "199", "-g"], *command)
    compare(TEXTS[:1] + FLAT + [CHAINS])
    record(perf_path(), ["-e", "task-clock:u,page-faults", "-F", "199"], *command)
    compare(TEXTS[:1] + FLAT[:1])


def functions(count):
    """C text that keeps a compiler busy."""
    lines = ["int f0(int a, int *p) { return a + *p; }"]
    lines += ["int f%d(int a, int *p) { int s = a; for (int i = 0; i < %d; i++) { s += p[i] * (a ^ i); "
              "if (s %% 7 == 3) s -= p[a & 7]; } return s + f%d(s, p); }" % (i, i % 37 + 3, i - 1)
              for i in range(1, count)]
    return "\n".join(lines) + "\n"


@case
def a_compiler_and_the_programs_it_starts():
    write("big.c", functions(30))
    check_program(need_program("gcc"), "-O2", "-c", "big.c", "-o", "big.o")


@case
def an_interpreter():
    write("work.py", "import json\nd = {str(i): [i, {'a': 'x' * (i % 50)}] for i in range(20000)}\n"
                     "print(len(json.dumps(json.loads(json.dumps(d)))))\n")
    check_program(shutil.which("python3", path="/usr/bin") or need_program("python3"), "work.py")


@case
def threads_that_compress():
    write("input", os.urandom(1 << 20) + b"strobe" * (1 << 19))
    check_program(need_program("xz"), "-T2", "-k", "-1", "input")


@case
def a_program_in_cplusplus():
    write("t.cpp", """
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <typename T, int N> struct Holder {
	std::map<std::string, std::vector<T>> values;
	__attribute__((noinline)) void fill(T seed)
	{
		for (int i = 0; i < N; i++) {
			auto &v = values["key" + std::to_string(i % 97)];
			v.push_back(static_cast<T>(seed * i));
			if (v.size() > 50)
				std::sort(v.begin(), v.end(), [](const T &a, const T &b) { return a > b; });
		}
	}
};
int main()
{
	Holder<double, 20000> a;
	Holder<unsigned, 20000> b;
	a.fill(1.5);
	b.fill(7);
	return 0;
}
""")
    run(need_program("g++"), "-O1", "-g", "-fno-omit-frame-pointer", "-o", "program", "t.cpp").ok()
    check_program("./program")
    contains(strobe(*FLAT[0], "-i", "live.data").out, "Holder<double, 20000>::fill")


@case
def a_program_in_rust():
    write("t.rs", """
use std::collections::HashMap;
trait Shape { fn area(&self, n: u64) -> u64; }
struct Square(u64);
impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 { (0..n).fold(self.0, |a, b| a.wrapping_mul(31) ^ b) }
}
fn main() {
    let mut m: HashMap<String, u64> = HashMap::new();
    let shape: Box<dyn Shape> = Box::new(Square(3));
    for i in 0..100000u64 { *m.entry(format!("k{}", i % 1000)).or_insert(0) ^= shape.area(500); }
    println!("{}", m.len());
}
""")
    if run(need_program("rustc"), "-O", "-g", "-o", "program", "t.rs").code != 0:
        skip("rustc does not work here")
    check_program("./program")
    contains(strobe(*FLAT[0], "-i", "live.data").out, "Square")


@case
def short_processes_and_what_happened_to_them():
    need_perf_events()
    script = "for i in 1 2 3 4 5 6; do ls -l /usr/lib | sort | wc -l; done; (cat input | md5sum) & wait"
    write("input", "x" * 100000)
    for recorder in (None, perf_path()):
        record(recorder, ["-e", "task-clock:u", "-F", "999", "--switch-events"], "sh", "-c", script)
        compare([SCRIPT + RECORDS])


@case
def the_whole_machine():
    need_root()
    need_perf_events()
    for recorder in (None, perf_path()):
        record(recorder, ["-a", "-e", "cpu-clock", "-F", "199", "-g"], "sleep", "0.2")
        compare(TEXTS[:1] + FLAT[:1])


@case
def tracepoints_with_call_chains():
    need_root()
    need_perf_events()
    record(None, ["-e", "sched:sched_switch,sched:sched_process_exec", "-R", "-g"], "sh", "-c", "ls | wc -l; ls | sort")
    compare([SCRIPT, SCRIPT + ["-F", "comm,tid,event,trace"], CHAINS])


@case
def an_ordinary_user():
    need_root()
    need_perf_events()
    setpriv = need_program("setpriv")
    os.chmod(".", 0o777)
    user = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
    if run(*user, "cat", STROBE, stdout=-3).code != 0:
        skip("an ordinary user cannot reach strobe")
    run(*user, STROBE, "record", "-q", "-e", "task-clock:u", "-F", "999", "-g", "-o", "live.data", "--",
        "sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done; ls | sort", env={"ASAN_OPTIONS": "detect_leaks=0"}).ok()
    compare(TEXTS[1:] + FLAT[:1])


def as_old_perf_has_it(text):
    """perf 6.1 pads thread numbers to 5, shows frames by their offsets, and leaves out what C++ functions take."""
    text = re.sub(r"^\t +[0-9a-f]+ ", "\t", text, flags=re.M)
    text = re.sub(r"^( *\S.*?) +(\d+) +(\d+\.\d+: )", r"\1 \2 \3", text, flags=re.M)
    text = re.sub(r"\([^()/]*(?:\([^()]*\)[^()]*)*\)(?: const)?(?=\+0x)", "", text)
    # Templates return something, too: what stands before the last blank of a name goes.
    return re.sub(r"^\t.* (?=\S+\+0x)", "\t", text, flags=re.M)


@case
def an_old_perf_reads_what_strobe_wrote():
    need_perf_events()
    old = old_perf()
    write("big.c", functions(20))
    record(None, ["-e", "cpu-clock:u,page-faults:u", "-F", "499", "-g"], need_program("gcc"), "-O1", "-c", "big.c",
           "-o", "big.o")
    theirs = run(old, "script", "-f", "--no-inline", "-i", "live.data").ok()
    ours = strobe("script", "-f", "--no-inline", "-i", "live.data").ok()
    ours, theirs = both(as_old_perf_has_it(ours.out), as_old_perf_has_it(theirs.out))
    same_text(ours, theirs, expected_name="perf")


@case
def strobe_reads_what_an_old_perf_wrote():
    old = old_perf()
    for options in (["-g", "-z"], ["-d", "-T", "-P"]):
        record(old, ["-e", "cpu-clock:u,page-faults:u", "-F", "499", *options], "sh", "-c",
               "ls -l /usr/lib | sort | wc -l")
        compare([SCRIPT + RECORDS] + FLAT[:1])


main()
