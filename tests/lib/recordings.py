"""recordings.py - recordings of small programs of ours (tests/recordings, see tests/record-all), where everyone has them."""
import os

from tap import SOURCE_ROOT

FOLDER = os.path.join(SOURCE_ROOT, "tests/recordings")

# The goldens show this as the time of the recordings.
CAPTURED_ON = 1577836800

# What names addresses: the executables that ran, and the symbols of the kernel that ran.
NAMES = ["--symfs", os.path.join(FOLDER, "symfs"), "--kallsyms=" + os.path.join(FOLDER, "kallsyms"), "--no-inline"]
ENVIRONMENT = {"TZ": "UTC", "HOME": "/nonexistent", "PERF_BUILDID_DIR": None}


def names():
    return sorted(name[:-len(".data")] for name in os.listdir(FOLDER) if name.endswith(".data"))


def data(name):
    """A copy in the current directory."""
    copy = os.path.abspath(name + ".data")
    with open(os.path.join(FOLDER, name + ".data"), "rb") as original, open(copy, "wb") as file:
        file.write(original.read())
    os.utime(copy, (CAPTURED_ON, CAPTURED_ON))
    return copy
