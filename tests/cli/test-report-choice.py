"""report: which samples count and what rows are ordered by: --switch-on, --switch-off, --group-sort-idx, --raw-trace."""
import os
import re

import crafted
import recordings
from crafted import Crafted
from tap import case, contains, equal, main, need_fixtures, perf, same_text, strobe

# One letter an event.
EVENTS = {"c": (0, "cpu-clock"), "a": (1, "task-clock"), "b": (2, "page-faults")}


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def same(path, *args):
    theirs = perf("report", "-f", "-i", path, "--stdio", "--kallsyms=/dev/null", "--no-inline", *args).ok().out
    ours = strobe("report", "-f", "-i", path, "--stdio", "--kallsyms=/dev/null", *args).ok().out
    same_text(without_tip(ours), without_tip(theirs), expected_name="perf " + " ".join(args))


def recording(what):
    """Samples one after another; the address of the first is 0x1000, of the next 0x1001..."""
    file = Crafted()
    names, events = file.pack("II", len(EVENTS), 128), {}
    for i, (letter, (config, name)) in enumerate(EVENTS.items()):
        events[letter] = file.event(ids=[100 + i], config=config, sample_type=crafted.IDENTIFIER | crafted.IP | crafted.TID |
                                    crafted.TIME | crafted.PERIOD)
        names += events[letter].pack() + file.pack("I", 1) + file.text(name) + file.words(100 + i)
    file.comm(7, "work")
    for i, letter in enumerate(what):
        file.sample(events[letter], ip=0x1000 + i, pid=7, tid=7, time=10 + i)
    file.feature(crafted.EVENT_DESC, names)
    file.write("x.data")


def shown(*args):
    """The places of the samples that count, and what they were."""
    out = strobe("report", "-i", "x.data", "--stdio", "-s", "sym", *args).ok().out
    return sorted(int(number, 16) for number in re.findall(r"\[\.\] 0x0*10([0-9a-f]{2})$", out, re.M))


ALL = "ccaccaccbccacbbcc"


@case
def samples_count_from_one_event_to_another():
    recording(ALL)
    on, off = ["--switch-on", "task-clock"], ["--switch-off", "page-faults"]
    equal(shown(), list(range(17)))
    equal(shown(*on), list(range(3, 17)))
    equal(shown(*on, *off), [3, 4, 5, 6, 7, 12])
    equal(shown(*on, *off, "--show-on-off-events"), [2, 3, 4, 5, 6, 7, 8, 11, 12, 13])
    equal(shown(*off), list(range(8)))
    equal(shown(*off, "--show-on-off-events"), list(range(9)))


@case
def events_switch_as_in_perf():
    recording(ALL)
    for more in ([], ["--show-on-off-events"]):
        same("x.data", "-s", "sym", "--switch-on", "task-clock", *more)
        same("x.data", "-s", "sym", "--switch-on", "task-clock", "--switch-off", "page-faults", *more)


@case
def an_unknown_event_switches_nothing():
    recording("cab")
    result = strobe("report", "-i", "x.data", "--switch-on", "task-clok")
    equal(result.code, 1)
    contains(result.err, "no event 'task-clok' in the recording")
    contains(result.err, "did you mean 'task-clock'?")


@case
def events_of_a_group_that_is_too_large_stand_alone():
    for count, is_group in ((1024, True), (1025, False)):
        file = Crafted()
        events = [file.event(ids=[100 + i], sample_type=crafted.IDENTIFIER | crafted.IP | crafted.TID | crafted.TIME)
                  for i in range(count)]
        file.sample(events[-1], ip=1, pid=7, tid=7, time=1)
        file.write("x.data")
        result = strobe("report", "--stdio", "--group", "-i", "x.data").ok()
        equal("# Samples: 1  of events '" in result.out, is_group)
        equal("of more than 1024" in result.err, not is_group)
        contains(result.out, "100.00%")


@case
def events_that_are_one_by_choice_are_a_list():
    recording("cab")
    for args in ((), ("--skip-empty",), ("--no-skip-empty",)):
        same("x.data", "--group", "-s", "sym", *args)


@case
def rows_of_a_group_are_ordered_by_one_of_its_members_as_in_perf():
    path = os.path.join(need_fixtures(), "data/groups.data")
    for member in ("0", "1", "2"):
        same(path, "--group-sort-idx", member, "-s", "sym")
    same(path, "--group-sort-idx", "1", "-H", "-s", "comm,sym")


@case
def raw_traces_are_the_fields_as_they_are():
    path = recordings.data("tracepoints")
    out = strobe("report", "-f", "-i", path, "--stdio", "-s", "trace", "--raw-trace").ok().out
    contains(out, " prev_comm=")
    contains(out, " prev_state=")
    same(path, "-s", "trace", "--raw-trace")


main()
