"""fixtures.py - recordings made elsewhere, and what perf prints for them: see ../shared/fixtures/README.md."""
import os

from tap import Failure, need_fixtures, read, same_text, strobe

NAMES = ["branch-stack", "callgraph-3.4", "fib-aarch64", "groups", "hybrid", "intel-pt", "lbr-callgraph", "lost-samples",
         "pipe-features", "shapes.dwarf", "shapes.fp", "sleep", "sleep-zstd-aarch64", "sleep-zstd2-pipe",
         "switch-namespaces", "tracepoints", "two-functions-arm64"]

# The goldens were made in 2020 by the clock of the files.
CAPTURED_ON = 1577836800


def data(name):
    """A copy in the current directory, with the time that the goldens show."""
    source = os.path.join(need_fixtures(), "data", name + ".data")
    copy = os.path.abspath(name + ".data")
    with open(source, "rb") as original, open(copy, "wb") as file:
        file.write(original.read())
    os.utime(copy, (CAPTURED_ON, CAPTURED_ON))
    return copy


def symfs(name):
    """The objects of a recording, or an empty folder."""
    for folder in ("shapes", "two-functions-arm64"):
        if name.startswith(folder):
            return os.path.join(need_fixtures(), "symfs", folder)
    os.makedirs("empty", exist_ok=True)
    return os.path.abspath("empty")


def golden(name, kind):
    return read(os.path.join(need_fixtures(), "golden", "%s.%s.txt" % (name, kind)))


def compare(name, kind, *command, change=lambda text: text, unreached=()):
    """What strobe prints is the golden, unless the pair is known not to be reached: then it must differ still."""
    result = strobe(*command, "-i", data(name), env={"TZ": "UTC", "HOME": os.getcwd()}).ok()
    try:
        same_text(change(result.out), change(golden(name, kind)), expected_name="perf")
    except Failure:
        if name not in unreached:
            raise
        return
    if name in unreached:
        raise Failure("%s.%s is reached now: take it off the list" % (name, kind))
