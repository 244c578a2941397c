"""libstrobe as programs find it: installed, compiled against by pkg-config, linked either way; the examples run."""
import glob
import os
import re

from tap import BUILD_ROOT, SOURCE_ROOT, case, check, contains, equal, main, need_program, read, run, write

EXAMPLES = os.path.join(SOURCE_ROOT, "examples")
HEADERS = os.path.join(SOURCE_ROOT, "include")
MANUAL = os.path.join(SOURCE_ROOT, "docs/man/strobe_counter.3.scd")
STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"]


def install():
    """Puts it all below the current folder; returns what runs a pkg-config that knows it."""
    run(need_program("meson"), "install", "-C", BUILD_ROOT, "--no-rebuild", "--quiet", "--tags", "runtime,devel",
        "--destdir", os.getcwd()).ok()
    pc, = glob.glob("**/pkgconfig/libstrobe.pc", recursive=True)
    env = {"PKG_CONFIG_PATH": os.path.abspath(os.path.dirname(pc)), "PKG_CONFIG_SYSROOT_DIR": os.getcwd()}

    def flags(*options):
        return run(need_program("pkg-config"), *options, "libstrobe", env=env).ok().out.split()
    return flags


def library(name):
    path, = glob.glob("**/" + name, recursive=True)
    return os.path.abspath(path)


def sanitizers(path):
    """Whoever links what was built with sanitizers needs them, too."""
    names = run("nm", path).out
    return ["-fsanitize=address,undefined"] if "__asan_" in names or "__ubsan_" in names else []


def compiler(source):
    cc = (os.environ.get("CC") or "gcc").split()[-1]
    return need_program(cc if source.endswith(".c") else {"clang": "clang++"}.get(cc, "g++"))


def standard(source):
    return "-std=c11" if source.endswith(".c") else "-std=c++11"


@case
def examples_are_compiled_by_what_pkg_config_says_and_run():
    flags = install()
    shared = library("libstrobe.so")
    for source in sorted(glob.glob(EXAMPLES + "/*.c*")):
        run(compiler(source), standard(source), *STRICT, *flags("--cflags"), "-o", "example", source, *flags("--libs"),
            *sanitizers(shared)).ok()
        done = run("./example", env={"LD_LIBRARY_PATH": os.path.dirname(shared)}).ok()
        check(re.search(r"\d (task-clock|cycles)", done.out), done.out)


@case
def a_program_with_the_static_library_needs_no_other():
    flags = install()
    source = os.path.join(EXAMPLES, "sorting.c")
    static = library("libstrobe.a")
    run(compiler(source), *flags("--cflags"), "-o", "example", source, static, *sanitizers(static)).ok()
    contains(run("./example").ok().out, "each")
    check("libstrobe" not in run("readelf", "-d", "example").ok().out)


@case
def nothing_but_strobes_names_is_exported():
    install()
    for name, option in (("libstrobe.so", "-D"), ("libstrobe.a", "-g")):
        lines = run("nm", option, "--defined-only", library(name)).ok().lines()
        names = {line.split()[2].split("@")[0] for line in lines if len(line.split()) == 3}
        names = {n for n in names if not re.match(r"STROBE_\d|__(asan|odr_asan|ubsan|start|stop)", n)}
        check(names, "%s has no names" % name)
        equal(sorted(n for n in names if not n.startswith("strobe_")), [])


@case
def all_that_the_header_declares_is_there_and_in_the_manual():
    install()
    declared = set(re.findall(r"\b(strobe_[a-z_]+)\(", re.sub(r"/\*.*?\*/", "", read(HEADERS + "/strobe/counter.h"), flags=re.S)))
    exported = set(re.findall(r" T (strobe_\w+)", run("nm", "-D", library("libstrobe.so")).ok().out))
    equal(declared, exported)
    manual = read(MANUAL)
    for name in sorted(declared):
        contains(manual, name + "(")


@case
def the_example_of_the_manual_is_a_program():
    flags = install()
    shared = library("libstrobe.so")
    example = re.search(r"# EXAMPLE\n\n```\n(.*?)```", read(MANUAL), re.S).group(1)
    write("example.c", example.replace("\\\\n", "\\n"))
    run(compiler("example.c"), *STRICT, *flags("--cflags"), "-o", "example", "example.c", *flags("--libs"), *sanitizers(shared)).ok()
    done = run("./example", env={"LD_LIBRARY_PATH": os.path.dirname(shared)}).ok()
    check(re.match(r"[1-9]\d* task-clock\n\d+ page-faults\n$", done.out), done.out)


@case
def the_header_is_c11_and_cxx_without_a_warning():
    text = "#include <strobe/counter.h>\nint main(void) { return sizeof(struct strobe_counter_value) == 0; }\n"
    for name, options in (("x.c", ["-std=c11"]), ("x.c", ["-std=c99"]), ("x.cc", ["-std=c++11"]), ("x.cc", ["-std=c++20"])):
        write(name, text)
        run(compiler(name), *options, *STRICT, "-I", HEADERS, "-c", "-o", "x.o", name).ok()


@case
def the_instructions_of_every_machine_are_what_they_should_be():
    clang = need_program("clang")
    objdump = need_program("llvm-objdump")
    write("x.c", """#include "kernel/pmc.h"
uint64_t read_all(uint32_t index);
uint64_t read_all(uint32_t index)
{
	uint64_t value = 0;

	pmc_settle();
	return pmc_read(index, &value) ? value + pmc_ticks() + pmc_thread() : 0;
}
""")
    for target, options, wanted in (
            ("x86_64-linux-gnu", [], ["rdpmc", "rdtsc", "fs:0"]),
            ("aarch64-linux-gnu", [], ["PMEVCNTR%d_EL0" % n for n in range(31)] + ["PMCCNTR_EL0", "CNTVCT_EL0", "TPIDR_EL0", "isb"]),
            ("aarch64-linux-gnu", ["-mbranch-protection=standard"], ["hint\t#36", "PMEVCNTR30_EL0"]),
            ("riscv64-linux-gnu", [], ["hpmcounter%d" % n for n in range(3, 32)] + ["rdcycle", "rdinstret", "rdtime"])):
        run(clang, "--target=" + target, "-ffreestanding", "-O2", "-Wall", "-Werror", *options, "-I", os.path.join(SOURCE_ROOT, "src"),
            "-c", "-o", "x.o", "x.c").ok()
        code = run(objdump, "-d", "x.o").ok().out.lower()
        for word in wanted:
            check(re.search(r"(?<!\w)%s(?!\w)" % re.escape(word.lower()), code), "no %s for %s" % (word, target))


main()
