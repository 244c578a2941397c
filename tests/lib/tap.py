"""tap.py - for tests of the whole program: cases that speak TAP, strobe and perf as functions.

A test file is

    from tap import case, main, strobe, equal

    @case
    def an_unknown_command_exits_with_2():
        equal(strobe("recrod").code, 2)

    main()

and one line in tests/cli/meson.build. A case's name is a sentence. Each case runs in an empty
directory of its own, which is removed afterwards. A case fails by an exception (equal, contains and
the other checks raise), and skips by skip("why") or one of the need_ functions.

Environment, set by meson: STROBE, the program; SOURCE_ROOT and BUILD_ROOT.
"""
import difflib
import inspect
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

SOURCE_ROOT = os.environ.get("SOURCE_ROOT") or os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
BUILD_ROOT = os.environ.get("BUILD_ROOT") or os.path.join(SOURCE_ROOT, "build/gcc")
STROBE = os.environ.get("STROBE") or os.path.join(BUILD_ROOT, "src/cmd/strobe")

# What a sanitizer exits with; no test expects it, so it is never mistaken for a code of strobe.
SANITIZER_EXIT = 77

_cases = []
_children = []


class Skip(Exception):
    pass


class Failure(AssertionError):
    pass


class Result:
    """What a program did: .code (negative: killed by that signal), .out and .err as text, .out_bytes."""

    def __init__(self, argv, code, out, err):
        self.argv, self.code, self.out_bytes, self.err_bytes = argv, code, out, err
        self.out = out.decode("utf-8", "replace")
        self.err = err.decode("utf-8", "replace")

    def ok(self):
        """Fails the case unless the program exited with 0."""
        if self.code != 0:
            raise Failure("%s\nexited with %d\n%s" % (" ".join(self.argv), self.code, self.err[-2000:]))
        return self

    def lines(self):
        return self.out.splitlines()


def case(function):
    """Registers a case, in the order of the file."""
    _cases.append(function)
    return function


def skip(why):
    raise Skip(why)


# Programs

def run(*argv, stdin=b"", env=None, cwd=None, timeout=60, stdout=subprocess.PIPE):
    """Runs a program without a terminal. env is added to the environment; None unsets."""
    # Settings of whoever runs the tests are not the tests'.
    whole = dict(os.environ, LC_ALL="C.UTF-8", DEBUGINFOD_URLS="", PERF_CONFIG="/dev/null")
    # Meson sets this for C tests; a profiled program should not be disturbed by it.
    whole.pop("MALLOC_PERTURB_", None)
    for name, value in (env or {}).items():
        if value is None:
            whole.pop(name, None)
        else:
            whole[name] = value
    if isinstance(stdin, str):
        stdin = stdin.encode()
    feed = {"stdin": stdin} if hasattr(stdin, "fileno") else {"input": stdin}
    done = subprocess.run([str(a) for a in argv], env=whole, cwd=cwd, timeout=timeout,
                          stdout=stdout, stderr=subprocess.PIPE, check=False, **feed)
    return Result([str(a) for a in argv], done.returncode, done.stdout or b"", done.stderr)


def background(argv, **more):
    """subprocess.Popen of a program that does not outlive its case, with whatever it started."""
    child = subprocess.Popen([str(a) for a in argv], start_new_session=True, **more)
    _children.append(child)
    return child


def _end_children():
    while _children:
        child = _children.pop()
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


def on_a_terminal(*args, stream="stdout"):
    """What strobe sends to a terminal that is its @stream, line ends as it wrote them; it ends well."""
    reader, terminal = pty.openpty()
    child = subprocess.Popen([STROBE, *args], **{stream: terminal})
    os.close(terminal)
    sent = b""
    try:
        while part := os.read(reader, 65536):
            sent += part
    except OSError:  # the other end is closed
        pass
    os.close(reader)
    equal(child.wait(), 0)
    return sent.replace(b"\r\n", b"\n")


def strobe(*args, env=None, **more):
    """Runs strobe; a report of a sanitizer fails the case, whatever it expects."""
    options = {"ASAN_OPTIONS": "exitcode=%d" % SANITIZER_EXIT,
               "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=%d" % SANITIZER_EXIT}
    result = run(STROBE, *args, env=dict(options, **(env or {})), **more)
    if "Sanitizer" in result.err or ": runtime error: " in result.err:
        raise Failure("%s\n%s" % (" ".join(result.argv), result.err[-4000:]))
    return result


def on_cpus(cpus, *args):
    """What a program prints that may run on these CPUs, and has as many threads."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        return strobe(*args).ok().out_bytes
    finally:
        os.sched_setaffinity(0, before)


def perf_path():
    """The perf to compare with: $PERF, else the newest that is installed and runs. Skips without one."""
    for name in (os.environ.get("PERF"), "perf-newest", "perf"):
        path = name and shutil.which(name)
        if path and run(path, "--version").code == 0:
            return path
    return skip("perf is not installed")


def perf_version(path):
    """6 of "perf version 6.1.0"; 0 where it does not say."""
    version = re.search(r"(\d+)\.", run(path, "--version").out)
    return int(version.group(1)) if version else 0


def newest_perf():
    """perf 7 prefers what sysfs names, as strobe does; older ones have other rules for PMUs that differ."""
    return perf_path() if perf_version(perf_path()) >= 7 else skip("perf is older than 7")


def perf(*args, **more):
    return run(perf_path(), *args, **more)


# What a case needs

def need_program(name):
    """Its path; skips the case without it."""
    return shutil.which(name) or skip("%s is not installed" % name)


def need_root():
    if os.geteuid() != 0:
        skip("only root can do this")


def usable_cpus(least):
    """The CPUs that a program may run on; skips the case where they are fewer."""
    cpus = sorted(os.sched_getaffinity(0))
    return cpus if len(cpus) >= least else skip("needs %d CPUs" % least)


def need_fixtures():
    """The directory of recordings made elsewhere, which are not part of the project."""
    path = os.path.join(SOURCE_ROOT, "../shared/fixtures")
    return os.path.realpath(path) if os.path.isdir(path) else skip("no recordings in ../shared/fixtures")


def need_perf_events():
    """Skips where strobe and perf alike may not open a software event on an own program."""
    probe = run(perf_path(), "stat", "-e", "task-clock:u", "true")
    if probe.code != 0:
        skip("perf events are not allowed here")


def compile_c(source, name="victim", flags=("-O1", "-g")):
    """Compiles C text (or a file of tests/programs) to ./name and returns its path."""
    compiler = shutil.which("gcc") or need_program("cc")
    if source.endswith(".c"):
        path = os.path.join(SOURCE_ROOT, "tests/programs", source)
    else:
        path = os.path.abspath(name + ".c")
        write(path, source)
    run(compiler, *flags, "-o", name, path).ok()
    return os.path.abspath(name)


def write(path, text):
    with open(path, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


# Checks

def check(condition, message="this does not hold"):
    if not condition:
        raise Failure(message)


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, "waited in vain")
        time.sleep(0.02)


def equal(actual, expected, message=""):
    if actual != expected:
        raise Failure("%s\ngot      %r\nexpected %r" % (message, actual, expected))


def contains(text, part):
    if part not in text:
        raise Failure("%r is not in:\n%s" % (part, text[-3000:]))


def lacks(text, part):
    if part in text:
        raise Failure("%r is in:\n%s" % (part, text[-3000:]))


def same_text(actual, expected, actual_name="strobe", expected_name="expected"):
    """Equal text, else the first differing lines as a diff."""
    if actual == expected:
        return
    diff = difflib.unified_diff(expected.splitlines(), actual.splitlines(), expected_name,
                                actual_name, lineterm="", n=1)
    raise Failure("\n".join(line for line, _ in zip(diff, range(60))))


def same_as_perf(*args, change=lambda text: text, **more):
    """strobe prints what perf prints, after change() took out what may differ (dates, versions)."""
    theirs = perf(*args, **more).ok()
    ours = strobe(*args, **more).ok()
    same_text(change(ours.out), change(theirs.out), expected_name="perf")


def golden(actual, name):
    """Equal to tests/golden/name; with UPDATE_GOLDEN=1 in the environment, writes it."""
    path = os.path.join(SOURCE_ROOT, "tests/golden", name)
    if os.environ.get("UPDATE_GOLDEN"):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, actual)
        return
    check(os.path.exists(path), "tests/golden/%s is missing; make it with UPDATE_GOLDEN=1" % name)
    same_text(actual, read(path), expected_name=name)


# TAP

def _print_comment(text):
    for line in text.splitlines():
        print("# " + line)


def _run_case(number, function):
    name = function.__name__.replace("_", " ")
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="strobe-test-") as directory:
        os.chdir(directory)
        try:
            function()
            print("ok %d - %s" % (number, name))
            return True
        except Skip as why:
            print("ok %d - %s # SKIP %s" % (number, name, why))
            return True
        except Exception as error:  # whatever it is, the other cases still run
            print("not ok %d - %s" % (number, name))
            if not isinstance(error, Failure):
                _print_comment(traceback.format_exc())
            else:
                caller = [f for f in inspect.trace() if f.filename != __file__]
                _print_comment("line %d: %s" % (caller[-1].lineno if caller else 0, error))
            return False
        finally:
            _end_children()
            os.chdir(before)
            sys.stdout.flush()


def main():
    """Runs all cases, or those whose names contain an argument."""
    wanted = [f for f in _cases
              if len(sys.argv) < 2 or any(w in f.__name__.replace("_", " ") for w in sys.argv[1:])]
    print("1..%d" % len(wanted))
    passed = [_run_case(number, function) for number, function in enumerate(wanted, 1)]
    sys.exit(0 if all(passed) else 1)
