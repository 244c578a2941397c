"""report -H: rows below rows."""
import os

import recordings
from tap import case, check, contains, equal, main, need_fixtures, perf, same_text, strobe


def without_tip(text):
    return "".join(line for line in text.splitlines(True) if not line.startswith("# (Tip:"))


def report(path, *args):
    return strobe("report", "-f", "-i", path, "--stdio", "--kallsyms=/dev/null", *args).ok().out


def same(path, *args):
    theirs = perf("report", "-f", "-i", path, "--stdio", "--kallsyms=/dev/null", "--no-inline", *args).ok().out
    same_text(without_tip(report(path, *args)), without_tip(theirs), expected_name="perf -i %s %s" % (path, " ".join(args)))


@case
def each_key_is_a_level_as_in_perf():
    data = os.path.join(need_fixtures(), "data")
    for name in ("groups", "branch-stack", "lbr-callgraph", "hybrid"):
        path = os.path.join(data, name + ".data")
        same(path, "-H", "--no-children")
        same(path, "-H", "--no-children", "-g", "none", "-s", "comm,dso,sym", "--percent-limit", "5")


@case
def columns_and_options_go_with_a_hierarchy_as_in_perf():
    path = os.path.join(need_fixtures(), "data/callgraph-3.4.data")
    for args in (["-s", "comm"], ["-s", "cpu,pid"], ["-s", "{comm,pid},dso"], ["-F", "overhead,comm,dso,sample"],
                 ["-s", "comm,dso", "--percent-limit", "20", "-n"], ["-s", "dso,comm", "-t,", "-n", "--percent-limit", "30"],
                 ["-s", "dso,comm", "-n", "--show-total-period", "--show-cpu-utilization"], ["-w", "12,20", "-s", "comm,dso"],
                 ["-c", "kworker/1:2"], ["-d", "chrome"], ["-S", "main"], ["-q", "-s", "comm,dso"]):
        same(path, "-H", "--no-children", "-g", "none", *args)


@case
def members_of_a_group_stand_side_by_side_at_each_level():
    path = recordings.data("groups")
    rows = [line for line in report(path, "-H", "-s", "comm,sym").splitlines() if line and not line.startswith("#")]
    check(len(rows) > 2, "only %d rows" % len(rows))
    equal({row.count("%") for row in rows}, {2})


@case
def a_row_above_others_counts_a_sample_once():
    """With children a function is part of its callers' rows, but the rows above count no sample twice."""
    path = recordings.data("stacks")
    for args in (["-s", "comm,sym"], ["-s", "comm,dso,sym"]):
        rows = [line.split() for line in report(path, "-H", "--children", "-g", "none", *args).splitlines()
                if line and not line.startswith("#")]
        above = [row[0] for row in rows if row[2] not in ("[.]", "[k]")]
        below = [float(row[0].rstrip("%")) for row in rows if row[2] == "[.]"]
        equal(set(above), {"100.00%"})
        check(sum(below) > 150, "only %s" % below)


@case
def a_level_without_heavy_rows_says_so():
    path = recordings.data("flat")
    out = report(path, "-H", "-s", "dso,sym", "--percent-limit", "80")
    contains(out, "   100.00%     shares          \n                  no entry >= 80.00%\n")


main()
