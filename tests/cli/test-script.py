"""script: every sample as a line of text."""
import re

import fixtures
import recordings
from tap import case, contains, equal, lacks, main, strobe

# What perf shows of these takes an unwinder for copies of stacks, and a decoder of Intel PT.
UNREACHED = ["shapes.dwarf", "intel-pt"]


def name_of_the_gone(text):
    """perf forgets a thread's name when it exits: its last sample is then one of ":TID"."""
    return re.sub(r"^:(106\d\d)   \1 ", r"chown   \1 ", text, flags=re.M)


def add_golden(name):
    def golden():
        fixtures.compare(name, "script", "script", "-f", "--symfs", fixtures.symfs(name), "--kallsyms=/dev/null",
                         "--no-inline", change=name_of_the_gone, unreached=UNREACHED)
    golden.__name__ = "script_prints_%s_as_perf_does" % name
    case(golden)


for fixture in fixtures.NAMES:
    add_golden(fixture)


@case
def an_unknown_field_is_refused_with_the_nearest():
    result = strobe("script", "-F", "comm,perod")
    equal(result.code, 2)
    contains(result.err, "unknown field 'perod'")
    contains(result.err, "did you mean 'period'?")


@case
def an_unknown_word_without_a_neighbour_is_told_where_the_list_is():
    for command, words, page in (("script", ["-F", "comm,xyzzy"], "script"), ("report", ["-s", "xyzzy"], "report"),
                                 ("report", ["-F", "overhead,xyzzy"], "report")):
        result = strobe(command, *words, "-i", recordings.data("flat"))
        equal(result.code, 2)
        contains(result.err, "'xyzzy'\n  hint: 'strobe help %s' lists them\n" % page)


@case
def a_field_that_was_not_recorded_is_said_with_recordings_option():
    options = strobe("record", "-h").ok().out
    for field, option in (("addr", "-d"), ("weight", "-W"), ("phys_addr", "--phys-data"), ("cgroup", "--all-cgroups"),
                          ("cpu", "--sample-cpu"), ("iregs", "-I"), ("uregs", "--user-regs"), ("ins_lat", "-W"),
                          ("data_page_size", "--data-page-size"), ("code_page_size", "--code-page-size")):
        result = strobe("script", "-F", "comm," + field, "-i", recordings.data("flat"))
        equal(result.code, 2)
        contains(result.err, "hint: leave '%s' out of -F, or record with %s\n" % (field, option))
        contains(options, option)


@case
def changes_and_fields_do_not_mix():
    result = strobe("script", "-F", "comm,-tid")
    equal(result.code, 2)
    contains(result.err, "not both")


@case
def a_field_of_another_kind_is_ignored_with_a_remark():
    result = strobe("script", "-F", "trace", "-i", "nowhere.data")
    contains(result.err, "'trace' not valid for hardware events. Ignoring.\n")
    lacks(result.err, "tracepoint events. Ignoring")


@case
def a_missing_file_is_one_sentence_and_one_that_helps():
    result = strobe("script", "-i", "nowhere.data")
    equal(result.code, 1)
    equal(result.out, "")
    contains(result.err, "'nowhere.data'")
    contains(result.err, "hint: ")


main()
