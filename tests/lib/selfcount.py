"""What has to hold of what tests/programs/self-count.c prints, on whatever PMU it ran."""
from tap import check, equal


def _rows(text, what):
    """[[event, number...]] of the lines that begin with that word."""
    rows = [line.split()[1:] for line in text.splitlines() if line.startswith(what + " ")]
    check(rows, "no '%s' in:\n%s" % (what, text[-2000:]))
    return [[row[0], *map(int, row[1:])] for row in rows]


def direct(text):
    """Hardware is read without a system call, the kernel's own events are not."""
    equal(dict(_rows(text, "direct")), {"cycles": 1, "instructions:u": 1, "page-faults": 0, "task-clock": 0})


def between(text):
    """Each reading lies between two read(2)s of the same counter, its times too."""
    for name, before, value, quick, after in _rows(text, "between"):
        check(before <= value <= quick <= after, repr((name, before, value, quick, after)))


def region(text):
    """What a region counted is what read(2) counted around it, but for what the two readings take."""
    for name, passes, value, kernels in _rows(text, "region"):
        check(passes > 0 and value > 2000 * passes, repr((name, passes, value)))
        check(0 <= kernels - value, repr((name, value, kernels)))
        if name.startswith("instructions"):
            check(kernels - value < 500 * passes, repr((name, (kernels - value) / passes)))


def cost(text, each):
    """The quickest reading, and each counter more in a group, take so many instructions at most."""
    row, = [line.split()[1:] for line in text.splitlines() if line.startswith("cost ")]
    quick, one, four = map(int, row)
    check(0 < quick <= each, "%d instructions" % quick)
    check(0 < four - one <= 3 * each, "%d instructions for three more" % (four - one))
    check(one < 5 * each, "%d instructions for one with its times" % one)


def turns(text):
    """Those that had a counter for a part of the time are what the one says that always had one."""
    (_, value, scaled, enabled, running), *others = _rows(text, "turns")
    equal((value, enabled), (scaled, running))
    check(any(r < 0.9 * e for _, _, _, e, r in others), "nothing took turns")
    for name, counted, extrapolated, e, r in others:
        check(0 < counted <= value and 0 < r <= e, repr((name, counted, e, r)))
        check(abs(extrapolated - value) < 0.1 * value, "%d for %d" % (extrapolated, value))
