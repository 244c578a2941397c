"""The events and build-ids of recordings: evlist, buildid-list."""
import os

import fixtures
from tap import STROBE, case, contains, equal, main, need_perf_events, perf, run, perf_path, same_as_perf, same_text, strobe, write

# perf names a tracepoint by the id that it has on the machine that reads. Strobe does not.
WRONG_NAME = " (syscalls:sys_exit_sched_setaffinity)"


def perf_tip(text):
    return text.replace("'strobe evlist", "'perf evlist")


@case
def evlist_says_of_every_recording_what_perf_says():
    for name in fixtures.NAMES:
        fixtures.compare(name, "evlist", "evlist", "-v",
                         change=lambda text: perf_tip(text).replace(WRONG_NAME, ""))


@case
def a_tip_has_the_name_that_strobe_was_called_by():
    path = fixtures.data("groups")
    contains(strobe("evlist", "-i", path).ok().out, "# Tip: use 'strobe evlist -g' to")
    os.symlink(STROBE, "perf")
    contains(run("./perf", "evlist", "-i", path).ok().out, "# Tip: use 'perf evlist -g' to")


@case
def groups_frequencies_and_fields_are_shown_on_demand():
    path = fixtures.data("groups")
    equal(strobe("evlist", "-g", "-i", path).ok().out, "{cache-references,branch-misses}\n")
    contains(strobe("evlist", "-F", "-i", path).ok().out, "branch-misses: sample_freq=4000\n")
    path = fixtures.data("tracepoints")
    contains(strobe("evlist", "--trace-fields", "-i", path).ok().out,
             "sched:sched_switch: trace_fields: prev_comm,prev_pid,prev_prio,prev_state,next_comm,next_pid,next_prio\n")
    contains(strobe("evlist", "--trace-fields", "-i", path).ok().out, "dummy:HG: (not a tracepoint)\n")


@case
def a_group_shown_with_anything_else_is_bad_usage():
    equal(strobe("evlist", "-g", "-v").code, 2)
    equal(strobe("evlist", "-g", "-F").code, 2)


@case
def a_file_that_is_missing_or_no_recording_is_named():
    result = strobe("evlist", "-i", "missing.data")
    equal(result.code, 1)
    contains(result.err, "missing.data")
    write("text", "this is no recording, but it is long enough for a header of one\n" * 4)
    result = strobe("evlist", "-i", "text")
    equal(result.code, 1)
    contains(result.err, "text")


@case
def live_recordings_of_perf_are_told_as_perf_tells_them():
    need_perf_events()
    for events in (["-e", "cpu-clock:u"], ["-e", "{cpu-clock:u,task-clock:u}", "-k", "monotonic", "-g"],
                   ["-e", "page-faults:u", "-c", "1", "-d"]):
        run(perf_path(), "record", "-o", "live.data", *events, "--", "true").ok()
        same_as_perf("evlist", "-v", "-i", "live.data", change=perf_tip)
        same_as_perf("evlist", "-F", "-i", "live.data", change=perf_tip)
        same_as_perf("buildid-list", "-i", "live.data")


@case
def build_ids_are_listed_as_perf_lists_them():
    for name in fixtures.NAMES:
        path = fixtures.data(name)
        theirs = perf("buildid-list", "-f", "-i", path)
        if theirs.code == 0 and name != "sleep-zstd2-pipe":  # perf finds no record in that one
            same_text(strobe("buildid-list", "-i", path).ok().out, theirs.out, expected_name="perf: " + name)


@case
def the_build_id_of_an_elf_file_is_that_of_its_note():
    import shutil
    equal(strobe("buildid-list", "-i", shutil.which("true")).ok().out, perf("buildid-list", "-i", shutil.which("true")).out)


main()
