"""Copies of stacks that 32-bit Arm recorded, unwound here: by .ARM.exidx, by .debug_frame, and where there is neither.

A program for that machine, run by QEMU, writes what a sample of it would have (tests/programs/own-path-arm.c)."""
import os
import re
import struct
import subprocess

from crafted import ARCH, CALLCHAIN, IP, REGS_USER, STACK_USER, TID, TIME, Crafted
from tap import SOURCE_ROOT, case, check, contains, equal, main, need_program, run, strobe

COMPILER = "arm-linux-gnueabihf-gcc"
REGISTERS = 16
PATH = ["look", "big", "dynamic", "floats", "varargs", "main"]


def build(*flags):
    source = os.path.join(SOURCE_ROOT, "tests/programs/own-path-arm.c")
    run(need_program(COMPILER), "-static", "-o", "program", *flags, source).ok()


def look(*arguments):
    """Where the program was loaded, what its registers were, and its stack."""
    done = subprocess.run([need_program("qemu-arm"), "./program", *arguments], stdout=subprocess.PIPE, timeout=60, check=True)
    numbers = struct.unpack_from("<%dI" % (REGISTERS + 1), done.stdout)
    return numbers[0], list(numbers[1:]), done.stdout[4 * (REGISTERS + 1):]


def addresses():
    """Of functions, by name: where their first instruction is."""
    text = run("nm", "program").ok().out
    return {name: int(addr, 16) & ~1 for addr, name in re.findall(r"^([0-9a-f]+) [Tt] (\S+)$", text, re.M)}


def load_bias(base):
    text = run(need_program("llvm-readelf"), "-lW", "program").ok().out
    return base - min(int(vaddr, 16) for vaddr in re.findall(r"LOAD +0x[0-9a-f]+ (0x[0-9a-f]+)", text))


def segment():
    """Offset, address and size of the code."""
    text = run(need_program("llvm-readelf"), "-lW", "program").ok().out
    found = re.search(r"LOAD +(0x[0-9a-f]+) (0x[0-9a-f]+) 0x[0-9a-f]+ (0x[0-9a-f]+) 0x[0-9a-f]+ R E", text)
    return [int(word, 16) for word in found.groups()]


def unwound(base, registers, stack):
    """The names of a sample's frames, and what report says of its stack."""
    file = Crafted()
    event = file.event(sample_type=IP | TID | TIME | CALLCHAIN | REGS_USER | STACK_USER,
                       sample_regs_user=(1 << REGISTERS) - 1, sample_stack_user=32768, exclude_callchain_user=1)
    offset, vaddr, size = segment()
    file.comm(10, "ant", time=1)
    file.mmap2(10, load_bias(base) + vaddr, (size + 4095) & ~4095, os.path.abspath("program"), pgoff=offset, time=2)
    stack += bytes(-len(stack) % 8)
    file.sample(event, ip=registers[15], pid=10, tid=10, time=3, abi=1, callchain=[], regs_user=registers, stack=stack)
    file.feature(ARCH, file.text("armv7l"))
    file.write("x.data")
    done = strobe("script", "-f", "-i", "x.data", "-F", "ip,sym").ok()
    return [line.split()[1] for line in done.lines() if line.strip()], strobe("report", "-f", "-i", "x.data", "--stdio").ok().err


def begins_with(names, expected):
    equal(names[:len(expected)], expected)


BUILDS = {
    "arm": ["-O2", "-marm", "-funwind-tables"],
    "thumb": ["-O2", "-mthumb", "-funwind-tables"],
    "frame_pointers": ["-O1", "-marm", "-fno-omit-frame-pointer", "-funwind-tables"],
    "not_optimised": ["-O0", "-funwind-tables"],
    "for_exceptions": ["-O2", "-fexceptions"],
    "for_debuggers_alone": ["-O2", "-g", "-fno-unwind-tables"],
    "moved": ["-O2", "-funwind-tables", "-static-pie"],
}


def add_build(name, flags):
    def stacks():
        build(*flags)
        names, said = unwound(*look())
        begins_with(names, PATH)
        equal(names[-1], "_start")
        check("no call frame information" not in said, said)
    stacks.__name__ = "stacks_of_32_bit_arm_are_right_of_builds_" + name
    case(stacks)


for build_name, build_flags in BUILDS.items():
    add_build(build_name, build_flags)


@case
def signals_lead_to_what_they_interrupted():
    for flags in (["-marm"], ["-mthumb"]):
        build("-O2", "-funwind-tables", *flags)
        names, _ = unwound(*look("signals"))
        begins_with(names, ["look", "handler", "__default_sa_restorer"])
        check("raise" in names, names)
        equal(names[names.index("big"):][:5], PATH[1:])


@case
def before_its_first_instruction_a_function_has_no_frame():
    build("-O2", "-funwind-tables")
    base, registers, stack = look()
    registers[14] = registers[15] | 1
    registers[15] = load_bias(base) + addresses()["big"]
    begins_with(unwound(base, registers, stack)[0], ["big"] + PATH)


@case
def functions_that_nothing_is_known_of_are_called_by_what_the_link_register_says():
    build("-O2", "-funwind-tables")
    base, registers, stack = look()
    registers[14] = registers[15] | 1
    registers[15] = load_bias(base) + addresses()["memset"] + 8
    names, said = unwound(base, registers, stack)
    begins_with(names, ["memset"] + PATH)
    contains(said, "call frame information")


@case
def what_there_is_to_unwind_by_is_shown():
    build("-O2", "-funwind-tables")
    contains(strobe("debuginfo", "program").ok().out, ".ARM.exidx")


main()
