"""An address is named after the code that lay there when it was sampled, however it came there."""
import contextlib
import os
import shutil
import subprocess

import victim
from crafted import IP, MMAP2, TID, TIME, Crafted
from tap import (STROBE, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program, need_root, run, skip,
                 strobe, write)


def link(name, source, *flags):
    return compile_c(source, name, victim.FLAGS + flags)


def check_program(path, *command):
    victim.record(*(command or (path,)))
    victim.check_named(victim.stacks(), os.path.basename(path))


# Ways to link: where code lies in the file, and where in memory, are two things.
LAYOUTS = {
    "bfd": (),
    "bfd-small": ("-Wl,-z,noseparate-code",),
    "bfd-pages": ("-Wl,-z,max-page-size=0x200000",),
    "bfd-fixed": ("-no-pie", "-fno-pie"),
    "bfd-static": ("-static", "-no-pie", "-fno-pie"),
    "bfd-static-pie": ("-static-pie",),
    "bfd-high": ("-pie", "-Wl,-Ttext-segment=0x400000"),
    "lld": ("-fuse-ld=lld",),
    "lld-fixed": ("-fuse-ld=lld", "-no-pie", "-fno-pie"),
    "lld-separate": ("-fuse-ld=lld", "-Wl,-z,separate-code"),
    "lld-one": ("-fuse-ld=lld", "-Wl,--no-rosegment"),
    "lld-high": ("-fuse-ld=lld", "-pie", "-Wl,--image-base=0x400000"),
    "lld-static-pie": ("-fuse-ld=lld", "-static-pie"),
    "gold": ("-fuse-ld=gold",),
    "mold": ("-fuse-ld=mold",),
}


def available(flags):
    return all(not f.startswith("-fuse-ld=") or run("sh", "-c", "command -v ld." + f[9:]).code == 0 for f in flags)


@case
def programs_are_named_in_every_linkers_layout():
    need_perf_events()
    need_program("ld.lld")
    for name, flags in LAYOUTS.items():
        if available(flags):
            check_program(link(name, victim.source(), *flags))


@case
def libraries_are_named_in_every_linkers_layout():
    need_perf_events()
    need_program("ld.lld")
    for name in ("bfd", "bfd-small", "bfd-high", "lld", "lld-separate", "lld-one", "lld-high", "gold", "mold"):
        flags = [flag for flag in LAYOUTS[name] if flag != "-pie"]
        if not available(flags):
            continue
        os.makedirs(name)
        library = link(name + "/libhot.so", victim.source(main=""), "-fPIC", "-shared", *flags)
        program = link(name + "/program", victim.MAIN, "-Wl,--no-as-needed", library, "-Wl,-rpath," + os.path.dirname(library))
        victim.record(program)
        victim.check_named(victim.stacks(), "libhot.so")


# By hand, as no linker would: the entry is _start(), which is called by nobody.
BARE = r"""
void mid(void);
static void leave(void)
{
	__asm__ volatile("syscall" : : "a"(231L), "D"(0L) : "rcx", "r11", "memory");
}
void main(void)
{
	mid();
	leave();
}
__asm__(".globl _start\n_start: xor %ebp, %ebp\n\tand $-16, %rsp\n\tcall main\n\thlt\n");
"""

AT = """
ENTRY(_start)
SECTIONS
{
	.text 0x402000 : AT(0x1000) { *(.text*) }
	.data 0x800000 : AT(0x9000) { *(.data*) *(.bss*) *(COMMON) }
	/DISCARD/ : { *(.note*) *(.comment) *(.eh_frame*) }
}
"""

# The segment of data is 16 MiB in memory and next to nothing in the file: by memory sizes the code behind it
# in the file would be its own.
BETWEEN = """
ENTRY(_start)
PHDRS { code PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); more PT_LOAD FLAGS(5); }
SECTIONS
{
	. = 0x400000 + SIZEOF_HEADERS;
	.text : { *(.text*) } :code
	. = 0x600000;
	.data : { QUAD(1) *(.data*) } :data
	.bss : { *(.bss*) *(COMMON) } :data
	. = 0x2000000 + 0x7000;
	.hot : { *(.hot) } :more
	/DISCARD/ : { *(.note*) *(.comment) *(.eh_frame*) }
}
"""


def need_x86():
    if os.uname().machine != "x86_64":
        skip("the program is for x86-64")


def bare(name, script, main=BARE, **attributes):
    write(name + ".ld", script)
    return link(name, victim.source(main=main, **attributes), "-nostdlib", "-static", "-no-pie", "-fno-pie",
                "-fno-stack-protector", "-Wl,--build-id=none,-T," + os.path.abspath(name + ".ld"))


@case
def sections_that_a_script_puts_elsewhere_are_named():
    need_perf_events()
    need_x86()
    check_program(bare("at", AT))


@case
def a_large_bss_does_not_hide_the_code_behind_it():
    need_perf_events()
    need_x86()
    far = 'static char far[16 << 20]; static char *volatile keep = far;\n'
    check_program(bare("between", BETWEEN, hot='__attribute__((section(".hot")))', main=far + BARE))


# As programs do that want their code on huge pages: other memory, with the same bytes.
REMAP = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
void mid(void);
extern char __start_moving[], __stop_moving[];
static void remap(void)
{
	unsigned long start = (unsigned long)__start_moving, end = ((unsigned long)__stop_moving + 4095) & -4096UL;
	char *copy = malloc(end - start);
	void *code = (void *)start;

	memcpy(copy, code, end - start);
	if (mmap(code, end - start, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != code)
		abort();
	memcpy(code, copy, end - start);
	mprotect(code, end - start, PROT_READ | PROT_EXEC);
}
int main(void)
{
	mid();
	remap();
	mid();
	return 0;
}
__asm__(".section moving,\"ax\"\n.balign 4096\n.text");
"""


def rows(path, *words):
    """The rows of a report, without their percentages and with single blanks."""
    text = strobe("report", "--stdio", "--no-children", "-g", "none", "-i", path, *words).ok().out
    return [" ".join(line.split("%", 1)[1].split()) for line in text.splitlines() if "%" in line and not line.startswith("#")]


@case
def code_that_moved_to_memory_without_a_file_keeps_its_names():
    need_perf_events()
    moving = '__attribute__((section("moving"), aligned(%d)))'
    program = link("moved", victim.source(hot=moving % 4096, mid=moving % 16, main=REMAP))
    for options in (("-g",), ("-g", "-d")):  # with -d the mapping is also told while it is written to
        victim.record(program, options=options)
        of = victim.stacks()
        check(victim.share(of, "hot") > 0.95, "%.2f" % victim.share(of, "hot"))
        for dso in (program, program + " (remapped)"):
            whole = [s for s in of if s[:3] == [("hot", dso), ("mid", dso), ("main", program)]]
            check(0.3 * len(of) < len(whole) < 0.7 * len(of), "%s: %d of %d" % (dso, len(whole), len(of)))
    for words, wanted in ((("-s", "sym"), ["[.] hot"]), (("-s", "dso", "-S", "hot"), ["moved", "moved (remapped)"]),
                          (("-d", "moved (remapped)", "-s", "sym"), ["[.] hot"])):
        equal(sorted([row for row in rows("F", *words) if "handle" not in row][:len(wanted)]), wanted)


ENDLESS = """
#include <unistd.h>
void mid(void);
int main(void)
{
	write(1, "x", 1);
	for (;;)
		mid();
}
"""
OTHER = """
static volatile unsigned long sink;
__attribute__((noinline)) void wrong(void) { for (unsigned long i = 0; i < 50000000; i++) sink += 3 * i; }
int main(void) { for (;;) wrong(); }
"""


@contextlib.contextmanager
def running(*argv):
    """A program that has begun to write."""
    child = subprocess.Popen(argv, stdout=subprocess.PIPE)
    try:
        child.stdout.read(1)
        yield child
    finally:
        child.kill()
        child.communicate()


def build_ids(path):
    """By name, as the recording tells them."""
    return {line.split(" ", 1)[1]: line.split()[0] for line in strobe("buildid-list", "-i", path).ok().lines()}


def build_id_of(program):
    return strobe("buildid-list", "-i", program).ok().out.strip()


@case
def a_program_that_was_deleted_while_it_ran_is_known_by_its_build_id():
    need_perf_events()
    program = link("gone", victim.source(main=ENDLESS))
    shutil.copy(program, "kept")
    other = compile_c(OTHER, "other")
    with running(program) as child:
        os.unlink(program)
        strobe("record", "-q", "-e", "cpu-clock:u", "-F", "2000", "-g", "--no-kept-names", "-p", child.pid,
               "-o", "F", "sleep", "0.3").ok()
    equal(build_ids("F").get(program) or build_ids("F").get(program + " (deleted)"), build_id_of("kept"))
    report = ("report", "--stdio", "--no-children", "-g", "none", "-s", "dso,sym", "-i", "F")
    contains(strobe(*report).ok().err, "no names in 'gone (deleted)': no such file (")
    shutil.copy(other, program)
    result = strobe(*report).ok()
    contains(result.err, "no names in 'gone (deleted)': build-id mismatch (")
    contains(result.out, " [build-id mismatch]\n")
    for name in ("hot", "wrong", "main"):
        lacks(result.out, name)
    shutil.copy("kept", program)
    victim.check_named(victim.stacks(), "gone (deleted)")


@case
def a_program_that_was_replaced_while_it_ran_does_not_get_the_new_ones_names():
    need_perf_events()
    program = link("replaced", victim.source())
    shutil.copy(program, "kept")
    other = compile_c(OTHER, "other")
    script = "'%s' & sleep 0.05; mv '%s' '%s'; wait" % (program, other, program)
    victim.record("sh", "-c", script, options=("-g", "--no-kept-names"))
    report = ("report", "--stdio", "--no-children", "-g", "none", "-s", "dso,sym", "-c", "replaced", "-i", "F")
    result = strobe(*report).ok()
    contains(result.err, "no names in 'replaced': build-id mismatch (")
    lacks(result.out, "wrong")
    os.replace("kept", program)
    victim.check_named([stack for stack in victim.stacks("F", "--comm", "replaced") if "ld-" not in stack[0][1]], "replaced")


@case
def a_file_is_one_whether_it_was_deleted_yet_or_not():
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    for pid, name in ((1, "/x/ant"), (2, "/x/ant (deleted)")):
        file.comm(pid, "ant", time=pid)
        file.mmap2(pid, 0x1000, 0x1000, name, build_id=b"\1" * 20, time=pid)
        file.sample(event, ip=0x1234, pid=pid, tid=pid, time=10)
    file.write("F")
    equal(rows("F", "-s", "dso"), ["ant (deleted)"])


@case
def a_file_of_another_mount_namespace_is_not_taken_for_one_of_here():
    need_root()
    need_perf_events()
    program = link("program", victim.source(main=ENDLESS))
    inner = compile_c(OTHER.replace("for (;;)", 'for (__builtin_puts("x"); ;)').replace(
        "int main", "#include <stdio.h>\nint main").replace("wrong()", "fflush(stdout), wrong()"), "inner")
    covered = ("unshare", "-m", "sh", "-c", "mount --bind '%s' '%s' && exec '%s'" % (inner, program, program))
    if run("unshare", "-m", "true").code != 0:
        skip("no mount namespace can be made here")
    with running(*covered) as child:
        strobe("record", "-q", "-e", "cpu-clock:u", "-F", "2000", "--no-kept-names", "-p", child.pid,
               "-o", "F", "sleep", "0.3").ok()
    equal(build_ids("F")[program], build_id_of(inner))
    result = strobe("report", "--stdio", "-s", "dso,sym", "-i", "F").ok()
    contains(result.err, "no names in 'program': build-id mismatch")
    for name in ("hot", "mid", "main"):
        lacks(result.out, name)


# The same addresses, other functions: exec() leaves nothing of the first.
SECOND = """
void mid(void);
static volatile unsigned long sink;
__attribute__((noinline)) void after(void) { for (unsigned long i = 0; i < 50000000; i++) sink += 3 * i; }
int main(void) { after(); }
"""
FIRST = """
#include <unistd.h>
void mid(void);
int main(int argc, char **argv)
{
	mid();
	return execl(argv[1], argv[1], (char *)0);
}
"""


@case
def a_program_that_becomes_another_is_named_after_each_in_its_time():
    need_perf_events()
    fixed = ("-no-pie", "-fno-pie")
    first, second = link("first", victim.source(main=FIRST), *fixed), compile_c(SECOND, "second", ("-O1",) + fixed)
    victim.record(first, second)
    of = victim.stacks()
    victim.check_named([s for s in of if s[0][1] != second and "/ld-" not in s[0][1]], "first")
    equal(sorted(rows("F", "-s", "comm,sym", "-S", "hot,after")), ["first [.] hot", "second [.] after"])
    equal(len(set(rows("F", "-s", "pid"))), 1)  # one process, with its last name
    contains(rows("F", "-s", "pid")[0], ":second")


def reuse(number, *lives):
    """A recording in which processes have one number, one after another: (name, executable, time)."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    file.comm(1, "parent", time=1)
    for name, path, time in lives:
        file.fork(number, 1, time=time)
        file.comm(number, name, time=time + 1, misc=1 << 13)
        file.mmap2(number, 0x1000, 0x1000, path, time=time + 2)
        file.sample(event, ip=0x1234, pid=number, tid=number, time=time + 5)
        file.sample(event, ip=0x2234, pid=number, tid=number, time=time + 6)
        file.exit(number, 1, time=time + 8)
        file.sample(event, ip=0x1234, pid=number, tid=number, time=time + 9)
    file.write("F")


@case
def a_number_that_is_used_again_is_another_process_in_every_row():
    reuse(7, ("ant", "/x/ant", 100), ("bee", "/x/bee", 200), ("bee", "/x/cicada", 300))
    equal(sorted(rows("F", "-s", "pid")), ["7:ant", "7:bee"])
    equal(sorted(rows("F", "-s", "tgid")), ["7:ant", "7:bee"])
    equal(sorted(rows("F", "-s", "pid,dso")), sorted(
        ["7:ant ant", "7:ant [unknown]", "7:bee bee", "7:bee [unknown]", "7:bee cicada"]))


PARENT = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
/* Starts each program under the same number. */
int main(int argc, char **argv)
{
	int number = 0;

	for (int i = 1; i < argc; i++) {
		if (number) {
			FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");
			if (!last || fprintf(last, "%d", number - 1) < 0 || fclose(last))
				return 1;
		}
		int child = fork();
		if (child == 0)
			_exit(execl(argv[i], argv[i], (char *)0));
		if (number && child != number)
			return 2;
		number = child;
		waitpid(child, NULL, 0);
	}
}
"""


@case
def a_number_that_the_kernel_gives_again_is_another_process():
    need_root()
    need_perf_events()
    inside = ("unshare", "-pf", "--mount-proc")
    if run(*inside, "sh", "-c", "echo 9 > /proc/sys/kernel/ns_last_pid").code != 0:
        skip("no pid namespace in which numbers can be chosen")
    fixed = ("-no-pie", "-fno-pie")
    first, second = link("first", victim.source(), *fixed), compile_c(SECOND, "second", ("-O1",) + fixed)
    parent = compile_c(PARENT, "parent")
    run(*inside, STROBE, "record", "-q", "-e", "cpu-clock:u", "-F", "2000", "-g", "-o", "F", parent, first, second).ok()
    number = {row.split(":")[0] for row in rows("F", "-s", "pid", "-c", "first,second")}
    equal(len(number), 1)
    number = number.pop()
    equal(sorted(rows("F", "-s", "pid", "-c", "first,second")), [number + ":first", number + ":second"])
    equal(sorted(rows("F", "-s", "pid,sym", "-S", "hot,after")),
          ["%s:first [.] hot" % number, "%s:second [.] after" % number])


THREADS = """
#include <pthread.h>
#include <unistd.h>
void mid(void);
static void *wait_here(void *p) { pause(); return p; }
int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 8; i++)
		pthread_create(&thread, 0, wait_here, 0);
	write(1, "x", 1);
	for (;;)
		mid();
}
"""


@case
def a_process_of_many_threads_is_told_its_mappings_once():
    need_perf_events()
    program = link("threads", victim.source(main=THREADS), "-pthread")
    with running(program) as child:
        tids = ",".join(os.listdir("/proc/%d/task" % child.pid))
        for target in (("-p", child.pid), ("-t", tids)):
            strobe("record", "-q", "-e", "cpu-clock:u", "-F", "2000", "-g", *target, "-o", "F", "sleep", "0.2").ok()
            told = [line for line in strobe("script", "-i", "F", "--show-mmap-events").ok().lines()
                    if "MMAP" in line and line.endswith(program)]
            equal(len(told), 1, told)
            victim.check_named(victim.stacks(), "threads")


CALLED = """
static volatile unsigned long sink;
__attribute__((noinline, noclone)) void called(void) { sink++; }
int main(void) { for (int i = 0; i < 37; i++) called(); }
"""


def offset_in_file(program, symbol):
    """Where a function begins in its file: a uprobe wants that, and not its address."""
    address = next(int(line.split()[0], 16) for line in run("nm", program).ok().lines() if line.endswith(" " + symbol))
    for line in run("readelf", "-lW", program).ok().lines():
        words = line.split()
        if words[:1] == ["LOAD"]:
            offset, vaddr, size = int(words[1], 16), int(words[2], 16), int(words[4], 16)
            if vaddr <= address < vaddr + size:
                return address - vaddr + offset
    raise AssertionError("%s has no code at %#x" % (program, address))


@contextlib.contextmanager
def uprobe(name, program, offset):
    """A tracepoint that fires when the byte is executed."""
    def tell(line):
        events = os.open("/sys/kernel/tracing/uprobe_events", os.O_WRONLY | os.O_APPEND)  # which python cannot seek
        try:
            os.write(events, line.encode() + b"\n")
        finally:
            os.close(events)
    try:
        tell("p:%s %s:%#x" % (name, program, offset))
    except OSError as error:
        skip("uprobes cannot be made here: %s" % error)
    try:
        yield
    finally:
        tell("-:" + name)


@case
def a_uprobe_is_sampled_as_often_as_its_function_is_called():
    need_root()
    need_perf_events()
    for number, layout in enumerate(("bfd", "bfd-fixed", "bfd-static", "lld", "lld-fixed")):
        if not available(LAYOUTS[layout]):
            continue
        program = compile_c(CALLED, layout, ("-O1",) + LAYOUTS[layout])
        offset = offset_in_file(program, "called")
        name = "strobe_%d/called_%d" % (os.getpid(), number)
        with uprobe(name, program, offset):
            strobe("record", "-q", "-e", name.replace("/", ":"), "-o", "F", program).ok()
        lines = strobe("script", "-F", "event,ip,sym,symoff,dso", "-i", "F").ok().lines()
        equal(len(lines), 37, layout)
        check(all(line.endswith(" called+0x0 (%s)" % program) for line in lines), lines[0])


GO = """
package main

var sink uint64

//go:noinline
func hot() {
	for i := uint64(0); i < 100000000; i++ {
		sink += i
	}
}

//go:noinline
func mid() {
	hot()
	sink++
}

func main() {
	mid()
}
"""


@case
def programs_in_go_are_named_whatever_they_are_built_as():
    need_perf_events()
    go = need_program("go")
    write("hot.go", GO)
    environment = {"GOCACHE": os.path.abspath("cache"), "GOFLAGS": "", "GO111MODULE": "off", "HOME": os.getcwd()}
    for mode in ("exe", "pie"):
        for linker in ("internal", "external"):
            name = "go-%s-%s" % (mode, linker)
            run(go, "build", "-o", name, "-buildmode=" + mode, "-ldflags=-linkmode=" + linker, "hot.go",
                env=environment, timeout=300).ok()
            victim.record("./" + name)
            of = victim.stacks()
            # Without a frame of its own hot() hides its caller.
            whole = [s for s in of if [f for f, _ in s[:3]] == ["main.hot", "main.main", "runtime.main"]]
            check(len(whole) >= 0.9 * len(of) > 20, "%s: %s" % (name, of[len(of) // 2]))


@case
def a_mapping_that_is_marked_as_if_it_had_a_build_id_has_its_inode():
    """The mark is that of another recorder; the major device number is 254, and 259."""
    for device in (254, 259):
        file = Crafted()
        event = file.event(sample_type=IP | TID | TIME)
        body = file.pack("IIQQQ", 7, 7, 0x10000, 0x1000, 0) + file.pack("IIQQ", device, 1, 4711, 0) + file.pack("II", 5, 2)
        file.kernel_record(MMAP2, body + b"/srv/app".ljust(16, b"\0"), 1 << 14 | 2, pid=7, time=1)
        file.sample(event, ip=0x10010, pid=7, tid=7, time=2)
        file.write("F")
        contains(strobe("script", "-D", "-i", "F").ok().out, " @ 0 %x:01 4711 0]: r-xp /srv/app" % device)
        contains(strobe("script", "--format", "json", "--show-mmap-events", "-i", "F").ok().out, '"inode":4711')
        equal(strobe("buildid-list", "-i", "F").ok().out.strip(), "/srv/app")


main()
