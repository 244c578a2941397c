"""Of several symbols that an address could be named after, the documented one is chosen; where none fits, none."""
import os
import shutil
import subprocess

import victim
from crafted import IP, KERNEL_MODE, TID, TIME, Crafted
from tap import (STROBE, background, case, check, compile_c, contains, equal, lacks, main, need_perf_events, need_program, need_root, perf,
                 read, run, skip, strobe, wait_until, write)

REPORT = ("report", "--stdio", "--no-children", "-g", "none", "-s", "sym")


def need_x86():
    if os.uname().machine != "x86_64":
        skip("the program is for x86-64")


def names(path="F", *words):
    """What a report names, the most first."""
    text = strobe(*REPORT, *words, "-i", path).ok().out
    return [line.split("]", 1)[1].strip() for line in text.splitlines() if "%" in line and not line.startswith("#")]


def record(program):
    """Names with at least a tenth of the samples."""
    victim.record(os.path.abspath(program))
    return names("F", "--percent-limit", "10")


LOOP = """
	mov ${count}, %rcx
1:	dec %rcx
	jnz 1b
"""


def loop(count=200000000):
    return LOOP.replace("{count}", str(count))


# Functions as people write them by hand, without .size: first, burns (twice the time), last.
ASSEMBLY = """
	.text
	.globl first, burns, main
first:
%s	ret
burns:
%s	jmp .Lback
.Lback:
	ret
hidden_label:
%s	ret
main:
	call first
	call burns
	call hidden_label
	xor %%eax, %%eax
	ret
	.section .note.GNU-stack
""" % (loop(), loop(400000000), loop(100000000))


@case
def assembly_without_sizes_is_named_up_to_the_next_symbol():
    need_perf_events()
    need_x86()
    write("a.s", ASSEMBLY)
    run("gcc", "-o", "program", "a.s").ok()
    equal(record("program"), ["burns", "first", "hidden_label"])


# Four symbols in .dynsym, one of them without a size, and the code that runs is megabytes behind it.
FAR = """
	.text
	.globl sizeless, sized, after, main
sizeless:
%s	ret
	.skip 2 << 20, 0x90
far:
%s	ret
	.type sized, @function
sized:
	call sizeless
	jmp far
	.size sized, . - sized
	.type main, @function
main:
	call sized
	xor %%eax, %%eax
	ret
	.size main, . - main
	.type after, @function
after:
	ret
	.size after, . - after
	.section .note.GNU-stack
""" % (loop(), loop(400000000))


@case
def in_a_stripped_program_a_symbol_without_a_size_does_not_reach_far():
    need_perf_events()
    need_x86()
    write("a.s", FAR)
    run("gcc", "-rdynamic", "-o", "program", "a.s").ok()
    equal(sorted(record("program")), ["far", "sizeless"])
    run("strip", "program").ok()
    check(all(name.startswith("0x") or name == "sizeless" for name in record("program")), names())
    contains("\n".join(names()), "sizeless")


GLOBAL = ("popular", "also_popular", "__much_more_popular")
LOCAL = ("local_and_longer_than_most",)
WEAK = ("weak_and_longer_than_all",)


def aliases(labels):
    """A program in which all labels are one function."""
    lines = [".globl " + name for name in GLOBAL] + [".weak " + name for name in WEAK]
    lines += [".type %s, @function" % name for name in labels] + [name + ":" for name in labels]
    lines += [loop(), "ret"] + [".size %s, . - %s" % (name, name) for name in labels]
    lines += [".globl main", "main: call popular", "xor %eax, %eax", "ret", ".section .note.GNU-stack"]
    write("a.s", "\n".join(lines) + "\n")
    run("gcc", "-o", "program", "a.s").ok()


@case
def of_names_for_one_address_the_documented_one_is_chosen_everywhere():
    need_perf_events()
    need_x86()
    labels = GLOBAL + LOCAL + WEAK
    for order in (labels, labels[::-1]):
        aliases(order)
        equal(record("program"), ["also_popular"])  # global, no underscores, the longest of these
        check({stack[0][0] for stack in victim.stacks()} >= {"also_popular"})
        contains(perf(*REPORT, "-i", "F").ok().out, "also_popular")


@case
def a_stripped_program_is_named_by_the_one_of_that_build_in_the_cache():
    need_perf_events()
    program = compile_c(victim.source(hot="static"), "program", victim.FLAGS)
    build_id = strobe("buildid-list", "-i", program).ok().out.strip()
    folder = "cache/.build-id/%s/%s" % (build_id[:2], build_id[2:])
    os.makedirs(folder)
    shutil.copy(program, folder + "/elf")
    run("strip", program).ok()
    check(record(program)[0].startswith("0x"))
    out = strobe(*REPORT, "-i", "F", env={"PERF_BUILDID_DIR": os.path.abspath("cache")}).ok().out
    contains(out, "[.] hot")


# The symbols that distributions leave in stripped files: those of functions, compressed in a section.
@case
def mini_debug_info_names_static_functions():
    need_perf_events()
    program = compile_c(victim.source(hot="static"), "program", victim.FLAGS)
    run("objcopy", "-S", "--remove-section", ".gdb_index", "--remove-section", ".comment", program, "bare").ok()
    run("objcopy", "--keep-symbol=hot", "--keep-symbol=mid", "--strip-debug", program, "symbols").ok()
    run(need_program("xz"), "symbols").ok()
    run("objcopy", "--add-section", ".gnu_debugdata=symbols.xz", "bare", "mini").ok()
    check(record("bare")[0].startswith("0x"))
    equal(record("mini"), ["hot"])


CLOCK = """
#include <time.h>
int main(void)
{
	struct timespec now;

	for (int i = 0; i < 4000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
}
"""


@case
def the_vdso_of_a_recording_of_user_space_made_here_is_named():
    need_perf_events()
    perf("record", "-q", "-e", "cpu-clock:u", "-o", "F", compile_c(CLOCK, "clock")).ok()
    words = ("-i", "F", "-s", "dso,sym", "--dsos", "[vdso]")
    ours = strobe(*REPORT[:-2], *words).ok().out
    contains(ours, "clock_gettime")
    equal([line for line in ours.splitlines() if "%" in line],
          [line for line in perf(*REPORT[:-2], *words).ok().out.splitlines() if "%" in line])
    os.utime("F", (1577836800, 1577836800))  # as if the machine had been booted since
    contains(strobe(*REPORT[:-2], *words).ok().err, "no names in '[vdso]': no image of the vdso of that kernel")


def kernel_file(build_id=None, addr=0x1234567, reference=0xffffffff81000000):
    """A recording of a sample in the kernel."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME)
    file.comm(7, "ant", time=1)
    file.mmap2(0xffffffff, reference, 0x2000000, "[kernel.kallsyms]_text", pgoff=reference, build_id=build_id,
               misc=KERNEL_MODE, time=1)
    for _ in range(3):
        file.sample(event, misc=KERNEL_MODE, ip=reference + addr, pid=7, tid=7, time=5)
    file.write("F")


@case
def another_kernels_addresses_are_numbers_and_the_reason_is_said():
    kernel_file(build_id=b"\5" * 20)
    result = strobe(*REPORT, "-i", "F").ok()
    equal(names(), ["0xffffffff82234567 [foreign kernel]"])
    contains(result.err, "no names in '[kernel.kallsyms]': recorded under another kernel (100.0% of the samples)\n"
             "  hint: copy /proc/kallsyms from where it was recorded")
    contains(strobe("script", "-F", "ip,sym,dso", "-i", "F").ok().out, "ffffffff82234567 [unknown] ([kernel.kallsyms])")


@case
def symbols_of_a_kernel_that_hid_its_addresses_are_not_used():
    kernel_file(build_id=b"\5" * 20)
    hidden = "".join("0000000000000000 T name_%d\n" % i for i in range(1000))
    folder = "cache/.build-id/05/" + "05" * 19
    os.makedirs(folder)
    write(folder + "/kallsyms", hidden)
    write("hidden", hidden)
    for words, env in (((), {"PERF_BUILDID_DIR": os.path.abspath("cache")}), (("--kallsyms", "hidden"), {})):
        result = strobe(*REPORT, *words, "-i", "F", env=env).ok()
        lacks(result.out, "name_")
        contains(result.out, "0xffffffff82234567")
        contains(result.err, "no names in '[kernel.kallsyms]': ")
    write(folder + "/kallsyms", "ffffffff81000000 T _text\nffffffff82234000 T real\nffffffff82235000 T next\n")
    contains(strobe(*REPORT, "-i", "F", env={"PERF_BUILDID_DIR": os.path.abspath("cache")}).ok().out, "real")


@case
def a_user_from_whom_the_kernel_hides_its_addresses_gets_numbers_and_the_reason():
    need_root()
    need_perf_events()
    user = [need_program("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
    os.chmod(".", 0o755)
    strobe("record", "-q", "-e", "cpu-clock:k", "-F", "5000", "-o", "F", "sh", "-c", "ls -lR /usr/lib | tail -1").ok()
    os.chmod("F", 0o644)
    shutil.copy(STROBE, "strobe")
    if run(*user, "./strobe", "version", env={"ASAN_OPTIONS": "detect_leaks=0"}).code != 0:
        skip("an ordinary user cannot run strobe")
    before = read("/proc/sys/kernel/kptr_restrict")
    write("/proc/sys/kernel/kptr_restrict", "2")
    try:
        result = run(*user, "./strobe", *REPORT, "-f", "-i", "F", env={"ASAN_OPTIONS": "detect_leaks=0", "HOME": "/"}).ok()
    finally:
        write("/proc/sys/kernel/kptr_restrict", before)
    found = [line.rstrip() for line in result.lines() if "[k]" in line]
    check(found and all("0xffff" in line and line.endswith(" [hidden by kptr_restrict]") for line in found), result.out)
    contains(result.err, "no names in '[kernel.kallsyms]': the kernel hides its addresses (")
    contains(result.err, "  hint: sysctl kernel.kptr_restrict=0")


JIT = """
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__x86_64__)
static const unsigned char code[] = { 0xeb, 0xfe };
#else
static const unsigned char code[] = { 0, 0, 0, 0x14 };
#endif
int main(void)
{
	char *made = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	FILE *map;

	memcpy(made, code, sizeof(code));
	__builtin___clear_cache(made, made + sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	fprintf(map, "%lx 10 made_at_run_time\\n", (unsigned long)made);
	fclose(map);
	puts("ready");
	fflush(stdout);
	((void (*)(void))made)();
}
"""


@case
def code_that_is_made_in_a_container_is_named_while_its_process_lives():
    """There a process has another number and another /tmp."""
    need_root()
    need_perf_events()
    need_program("unshare")
    need_program("pgrep")
    name = "jit-%d" % os.getpid()
    inside = "exec 3<%s && mount -t tmpfs none /tmp && cat <&3 >/tmp/%s && chmod +x /tmp/%s && { /tmp/%s & wait; }"
    child = background(["unshare", "-m", "-p", "--fork", "--kill-child", "sh", "-c",
                        inside % (compile_c(JIT, name), name, name, name)], stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL)
    if child.stdout.readline() != b"ready\n":
        skip("no containers can be made here")
    pids = run("pgrep", "-x", name).ok().out.split()
    equal(len(pids), 1)
    check(not os.path.exists("/tmp/perf-%s.map" % pids[0]), "its map lies outside, too")
    record = ["record", "-q", "-e", "cpu-clock", "-F", "500", "-p", pids[0], "--duration", "0.3",
              "--no-kept-names"]
    strobe(*record, "-o", "file").ok()
    contains(strobe("report", "-i", "file").ok().out, "made_at_run_time")
    contains(run("sh", "-c", " ".join([STROBE, *map(str, record), "-o - |", STROBE, "report -i -"])).out,
             "made_at_run_time")
    contains(strobe("top", "--batch", "--iterations", "1", "-d", "1", "-e", "cpu-clock", "-F", "500", "-p", pids[0]).ok().out,
             "made_at_run_time")
    child.kill()
    child.wait()
    wait_until(lambda: not os.path.exists("/proc/%s" % pids[0]))
    lacks(strobe("report", "-i", "file").ok().out, "made_at_run_time")


main()
